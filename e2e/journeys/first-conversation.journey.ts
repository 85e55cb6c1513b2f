import { openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';

test.use({ prefetches: true });

test('a guest sends a message and gets the demo answer', async ({ chat, page }) => {
  await chat.open();
  await chat.send('How do I boil an egg?');
  await chat.answerBegins();
  await chat.answerEnds();
  await expect(chat.newestAnswer).toContainText('egg');
  await expect(chat.newestAnswer.getByRole('heading').first()).toBeVisible();
  await expect(chat.newestAnswer.locator('pre').first()).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
});

test("a guest's conversation survives a reload and moves into the new account", async ({ chat, newcomer, page }) => {
  await chat.open();
  await chat.send('Write a haiku about the number forty-two');
  await chat.answerBegins();
  await chat.answerEnds();
  await page.reload();
  await expect(chat.newestAnswer).toContainText('forty-two');

  await chat.register(newcomer);
  await expect(chat.newestAnswer).toContainText('forty-two');
  await chat.send('And another haiku');
  await chat.answerBegins();
  await chat.answerEnds();
  const id = await openThreadId(page);
  await expect(page.locator(`a[href$="/chat/${id}"]`).first()).toBeVisible();
  expect(await chat.storedMessages(id)).toHaveLength(4);
});

test('the printed administrator can log in', async ({ chat, page, product }) => {
  await chat.open();
  await chat.logIn(product.admin);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'General Settings' })).toBeVisible();
});

test.describe('at 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a guest chats and registers through the menu', async ({ chat, newcomer, page }) => {
    await chat.open();
    await chat.send('Write a haiku about the harbour');
    await chat.answerBegins();
    await chat.answerEnds();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);

    await page.getByRole('button', { name: /menu/i }).first().click();
    await chat.register(newcomer);
    await expect(chat.newestAnswer).toContainText('harbour');
  });
});
