import { TEXTS } from '@tanya/contract';
import type { ChatScreen } from '../chat-screen.js';
import { hostileTexts } from '../hostile-texts.js';
import { expect, test, type Page } from '../journey.js';
import { PAGES, visit } from '../pages.js';

const texts = Object.values(hostileTexts);

/** Checks that no script ran and no link has an unsafe scheme. `watch` reports requests to other origins. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  const addresses = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((a) => (a as HTMLAnchorElement).href));
  expect(addresses.filter((address) => !/^(https?|mailto):/.test(address))).toEqual([]);
}

/** Sends a text, which the upstream echoes. */
async function exchange(chat: ChatScreen, text: string, round: number): Promise<void> {
  await expect(chat.composer).toBeEnabled();
  await chat.composer.fill(`Number ${round}:\n\n${text}\n\nThat was it. [[words=3]]`);
  await chat.composer.press('Enter');
  await expect(chat.newestAnswer).toContainText(`Number ${round}:`);
  await expect(chat.newestAnswer).toContainText('word3');
  await chat.answerEnds();
}

test.use({ provider: 'upstream', installation: 'with hostile texts' });
test.setTimeout(300_000);

test('hostile texts in messages, answers and titles do nothing (XSS-1, XSS-4, XSS-5)', async ({
  chat,
  member,
  page,
}) => {
  await chat.signIn(member);
  await chat.open();
  for (const [index, text] of texts.entries()) {
    await exchange(chat, text, index + 1);
    await expectHarmless(page);
  }
  await page.reload();
  await expect(chat.newestAnswer).toContainText('word3');
  await expectHarmless(page);

  const title = '<img src=x onerror="window.hacked = 1"><b>Bold</b>';
  await page.getByRole('button', { name: /^Options for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill(title);
  await page.keyboard.press('Enter');
  await expect(page.getByText(TEXTS.threads.renamed)).toBeVisible();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  await expectHarmless(page);
});

test('hostile names of models, users and the site do nothing (XSS-1)', async ({ chat, other, page, product }) => {
  const name = '<img src=x onerror="window.hacked=1">';
  await chat.signIn(product.admin);
  const created = await page.request.post('/api/admin/models', {
    data: { modelId: 'scripted/evil', name, provider: name, description: name },
  });
  expect(created.ok()).toBe(true);
  const user = { username: 'budi', password: 'a long password', fullName: name, isPremium: false, isAdmin: false };
  expect((await page.request.post('/api/admin/users', { data: user })).ok()).toBe(true);
  const settings = { siteTitle: name, welcomeMessage: name, emptyThreadMessage: name };
  expect((await page.request.patch('/api/admin/general-settings', { data: settings })).ok()).toBe(true);

  await other.chat.open();
  await other.page.getByRole('button', { name: /^Model: / }).click();
  await expect(other.page.getByRole('option', { name }).first()).toBeVisible();
  await expectHarmless(other.page);
  await expect(other.page).toHaveTitle(new RegExp('<img'));
  await page.goto('/');
  for (const path of PAGES) {
    await visit(page, path);
    await expectHarmless(page);
  }
});
