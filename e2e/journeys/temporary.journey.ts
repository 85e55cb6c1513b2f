import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream' });

const toggle = (page: Page) => page.getByRole('button', { name: 'Temporary', exact: true });
const mode = (page: Page) => page.getByRole('img', { name: 'Temporary chat' });
const listed = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Recent chats' }).getByRole('link', { name: new RegExp(title) });

for (const width of [390, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('a temporary chat is in no list until it is kept', async ({ chat, member, page }) => {
      await chat.signIn(member);
      await chat.open();
      await toggle(page).click();
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
      await expect(page.getByRole('note')).toContainText('will be in no list');
      await chat.send('Secret harbour [[words=5]]');
      await expect(chat.newestAnswer).toContainText('word5');
      await chat.answerEnds();
      await expect(mode(page)).toBeVisible();
      await expect(page.getByRole('note')).toContainText('in no list');
      await expect(toggle(page)).toHaveCount(0);
      await page.reload();
      await expect(mode(page)).toBeVisible();
      const threads = async () => (await (await page.request.get('/api/chat/threads')).json()) as unknown[];
      expect(await threads()).toEqual([]);
      // Nothing is cut off at the side.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

      await page.getByRole('button', { name: 'Keep this chat' }).click();
      await expect(page.getByText('The chat was kept')).toBeVisible();
      await expect(mode(page)).toHaveCount(0);
      expect(await threads()).toHaveLength(1);
      if (width > 1000) await expect(listed(page, 'Secret harbour')).toBeVisible();

      await chat.open();
      await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    });
  });
}

test('a guest who logs in leaves a temporary chat behind', async ({ chat, member, page }) => {
  await chat.open();
  await toggle(page).click();
  await chat.send('Secret harbour [[words=5]]');
  await expect(chat.newestAnswer).toContainText('word5');
  await chat.answerEnds();
  await expect(mode(page)).toBeVisible();
  const reads: string[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname !== '/api/login') return;
    page.on('request', (request) => {
      if (/\/api\/chat\/threads\/\d/.test(request.url())) reads.push(request.url());
    });
  });
  await chat.logIn(member);
  await expect(page.getByText('Secret harbour')).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await expect(chat.composer).toBeEnabled();
  // The account has no such thread.
  expect(reads).toEqual([]);
  await chat.send('Open harbour [[words=6]]');
  await expect(chat.newestAnswer).toContainText('word6');
});
