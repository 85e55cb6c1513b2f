import type { Page } from '@playwright/test';
import { expectAccessible } from '../accessibility.js';
import { type ChatScreen, type Credentials, openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';

test.use({
  provider: 'upstream',
  prefetches: true,
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|could not be loaded|Failed to fetch|status of 401/],
});

const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('tanya-chats'))) return [];
    const keys = await (await caches.open('tanya-chats')).keys();
    return keys.map(({ url }) => new URL(url).pathname).toSorted();
  });

/** Waits until the worker has the shell and answers for this page. */
const workerIsReady = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

async function logIn(page: Page, chat: ChatScreen, { username, password }: Credentials, remembers: boolean) {
  await chat.open();
  await page.getByRole('button', { name: 'Login', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Username/).fill(username);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  if (remembers) await dialog.getByText('Remember me').click();
  await dialog.getByRole('button', { name: 'Login', exact: true }).first().click();
  await expect(dialog).toBeHidden();
}

test('the last read chats open without a connection, and what is sent goes out later', async ({
  chat,
  context,
  member,
  page,
}) => {
  await logIn(page, chat, member, true);
  await chat.send('Remember the harbour [[words=4]]');
  await chat.answerEnds();
  await workerIsReady(page);
  const id = await openThreadId(page);
  await expect.poll(() => keptPaths(page)).toContain(`/api/chat/threads/${id}/messages`);

  await context.setOffline(true);
  await page.goto(`/chat/${id}`);
  await expect(chat.ownMessages.getByText('Remember the harbour')).toBeVisible();
  await expect(chat.newestAnswer).toContainText('word4');
  await expect(page.getByText('Connection lost.')).toBeVisible();
  await expectAccessible(page, 'a chat without a connection');
  await chat.composer.fill('Written at sea [[words=3]]');
  await page.keyboard.press('Enter');
  await expect(chat.ownMessages.getByText('Will be sent when the connection is back.')).toBeVisible();
  await context.setOffline(false);
  await expect(chat.newestAnswer).toContainText('word3');
  await expect(chat.ownMessages).toHaveCount(2);
});

test('CA-1: a logout, the end of the session and another account leave nothing', async ({
  chat,
  member,
  page,
  product,
}) => {
  await logIn(page, chat, member, true);
  await chat.send('A secret [[words=3]]');
  await chat.answerEnds();
  await expect.poll(async () => (await keptPaths(page)).length).toBeGreaterThan(3);
  await page.request.post('/api/logout');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Login', exact: true }).first()).toBeVisible();
  await expect.poll(() => keptPaths(page)).toEqual([]);

  await logIn(page, chat, product.admin, true);
  await expect.poll(async () => (await keptPaths(page)).length).toBeGreaterThan(3);
  await page.goto('/admin/users');
  await expect(page.getByRole('table')).toBeVisible();
  await page.waitForTimeout(1_500);
  expect((await keptPaths(page)).filter((path) => path.includes('admin'))).toEqual([]);
  const settings = await page.evaluate(async () => (await (await caches.match('/api/general-settings'))?.text()) ?? '');
  expect(settings).toContain('siteTitle');
  expect(settings).not.toContain('ApiKey');
  await page.getByRole('button', { name: 'Logout' }).first().click();
  await expect.poll(() => keptPaths(page)).toEqual([]);
});

test('CA-1: a login without "Remember me" and a guest keep nothing', async ({ chat, member, page, other }) => {
  await logIn(page, chat, member, false);
  await chat.send('Not here [[words=3]]');
  await chat.answerEnds();
  await other.chat.open();
  await other.chat.send('Nor here [[words=3]]');
  await other.chat.answerEnds();
  await page.waitForTimeout(1_500);
  expect(await keptPaths(page)).toEqual([]);
  expect(await keptPaths(other.page)).toEqual([]);
});

test('the page can be installed', async ({ page, chat }) => {
  await chat.open();
  const manifest = (await (await page.request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string; purpose?: string }[];
    display: string;
  };
  expect(manifest.display).toBe('standalone');
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  for (const { src } of manifest.icons)
    expect((await page.request.get(src)).headers()['content-type']).toMatch(/^image/);
  const worker = await page.request.get('/sw.js');
  expect(worker.headers()['cache-control']).toBe('no-cache');
  await workerIsReady(page);
  const shells = await page.evaluate(async () =>
    (await caches.keys()).filter((name) => name.startsWith('tanya-shell')),
  );
  expect(shells).toHaveLength(1);
});
