import { TEXTS } from '@tanya/contract';
import { expect, test } from '../journey.js';

test.use({
  provider: 'upstream',
  prefetches: true,
  expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|could not be loaded/],
});

test('a send during a network outage is delivered once the connection is back', async ({
  chat,
  context,
  page,
  upstream,
}) => {
  await chat.open();
  await chat.send('The first one [[words=5]]');
  await expect(chat.newestAnswer).toContainText('word5');
  await chat.answerEnds();

  await chat.composer.fill('Into the void [[words=6]]');
  await Promise.all([context.setOffline(true), page.keyboard.press('Enter')]);
  await expect(page.getByText('Connection lost.')).toBeVisible();
  await context.setOffline(false);
  await expect(chat.newestAnswer).toContainText('word6');
  await expect(page.getByText('Connection lost.')).toBeHidden();
  await expect(chat.ownMessages).toHaveCount(2);
  expect(upstream.callsOf('chat').filter(({ body }) => JSON.stringify(body).includes('void'))).toHaveLength(1);
});

test('a message written without a network waits, and can be taken back with its files', async ({
  chat,
  context,
  page,
}) => {
  // The code of conversations is prefetched when the page is idle.
  const prefetched = page.waitForResponse((response) => response.url().includes('/assets/conversation'));
  await chat.open();
  await (await prefetched).finished();
  await page.waitForLoadState('networkidle');
  await chat.attach([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Six o’clock.') }]);
  await context.setOffline(true);
  await chat.send('Not quite what I meant');
  await expect(chat.ownMessages.getByText('Will be sent when the connection is back.')).toBeVisible();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(chat.composer).toHaveValue('Not quite what I meant');
  await expect(page.getByRole('button', { name: 'Remove notes.txt' })).toBeVisible();
  await expect(chat.ownMessages).toHaveCount(0);
});

test('dialogs and pages open without a connection', async ({ chat, context, member, page }) => {
  await chat.signIn(member);
  // They are prefetched when the page is idle, one after another.
  const prefetched = ['shortcuts-dialog', 'account', 'model-menu', 'api-integration'].map((name) =>
    page.waitForResponse((response) => response.url().includes(`/assets/${name}`)),
  );
  await chat.open();
  for (const response of await Promise.all(prefetched)) await response.finished();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('button', { name: /^Model:/ }).click();
  await expect(page.getByRole('dialog', { name: 'Choose a model' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
  await page.getByRole('link', { name: `Account of ${member.username}` }).click();
  await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: TEXTS.sidebar.apiIntegration }).click();
  await expect(page.getByRole('heading', { name: TEXTS.sidebar.apiIntegration, level: 1 })).toBeVisible();
});

test.describe('when the browser saves data', () => {
  test.use({ prefetches: false });

  test('a part that was not prefetched reports an error, and loads when the connection is back', async ({
    chat,
    context,
    member,
    page,
  }) => {
    await chat.signIn(member);
    await chat.open();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(page.getByText('A part of this page could not be loaded.')).toBeVisible();
    await expect(chat.composer).toBeVisible();
    await page.getByRole('link', { name: TEXTS.sidebar.apiIntegration }).click();
    await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();

    await context.setOffline(false);
    await expect(page.getByRole('heading', { name: TEXTS.sidebar.apiIntegration, level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  });
});
