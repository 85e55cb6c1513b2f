import { TEXTS } from '@tanya/contract';
import { openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';
import { PAGES } from '../pages.js';

test.use({ provider: 'upstream' });

test('a member renames and deletes a thread', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('Plan a picnic [[words=5]]');
  await expect(chat.newestAnswer).toContainText('word5');
  const link = page.locator(`a[href$="/chat/${await openThreadId(page)}"]`);
  const row = page.locator('li').filter({ has: link });

  await row.getByRole('button', { name: /^Options for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('  The picnic  ');
  await page.keyboard.press('Enter');
  await expect(page.getByText(TEXTS.threads.renamed)).toBeVisible();
  await expect(link).toHaveText('The picnic');

  for (const [width, title] of [
    [1440, 'Sandwiches'],
    [390, 'Lemonade'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('main').getByRole('heading', { level: 1 }).getByRole('button').click();
    await page.getByRole('main').getByLabel('Title').fill(title);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(title);
    await expect.poll(async () => (await chat.threads())[0]?.title).toBe(title);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  await row.getByRole('button', { name: /^Options for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(TEXTS.threads.deleted)).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(link).toHaveCount(0);
  expect(await chat.threads()).toEqual([]);
});

test('the title of a chat has its whole row until the row has the pointer', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('Plan a picnic near the old harbour with many boats and friends [[words=5]]');
  await expect(chat.newestAnswer).toContainText('word5');
  const row = page.locator('li').filter({ has: page.locator(`a[href$="/chat/${await openThreadId(page)}"]`) });
  const options = row.getByRole('button', { name: /^Options for/ });
  const space = async () => {
    const [title, all] = [await row.locator('a > span').first().boundingBox(), await row.boundingBox()];
    return all!.x + all!.width - title!.x - title!.width;
  };
  await chat.composer.hover();
  await expect(options).toHaveCSS('opacity', '0');
  expect(await space()).toBeLessThan(16);
  await row.hover();
  await expect(options).toHaveCSS('opacity', '1');
  expect(await space()).toBeGreaterThan(32);
  await chat.composer.hover();
  await options.focus();
  await expect(options).toHaveCSS('opacity', '1');
});

test('a guest is redirected from restricted pages, and an unknown address shows an error', async ({ chat, page }) => {
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
    await expect(chat.composer).toBeVisible();
  }
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: TEXTS.notFound })).toBeVisible();
});

test('a member finds a message of a conversation by its words', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  await chat.send('Where does the ferry land? [[words=300]]');
  await expect(chat.newestAnswer).toContainText('word300');
  await chat.send('And the train? [[words=300]]');
  await expect(chat.newestAnswer).toContainText('train');
  await expect(chat.newestAnswer).toContainText('word300');

  await page.keyboard.press('Control+Shift+F');
  const dialog = page.getByRole('dialog', { name: 'Find in this chat' });
  await dialog.getByLabel('Words to find').fill('the FERRY');
  await expect(dialog.getByRole('status')).toHaveText('2 messages');
  await dialog.getByRole('list', { name: 'Matches' }).getByRole('button').first().click();
  await expect(dialog).toBeHidden();
  await expect(chat.ownMessages.first()).toBeInViewport();
});
