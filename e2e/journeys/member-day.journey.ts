import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { notes, picture } from '../attachments.js';
import { openThreadId } from '../chat-screen.js';
import { expect, test } from '../journey.js';

test.use({ provider: 'upstream', permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeEach(async ({ chat, member }) => {
  await chat.signIn(member);
  await chat.open();
});

test('attachments survive a reload before and after the send', async ({ chat, page }) => {
  await chat.attach([picture, notes]);
  await page.reload();
  for (const { name } of [picture, notes]) {
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  }
  await chat.send('What do these say? [[words=5]]');
  await expect(chat.newestAnswer).toContainText('word5');
  await openThreadId(page);
  await page.reload();

  const sent = chat.ownMessages.last();
  const thumbnail = sent.getByRole('button', { name: `Open ${picture.name}` });
  await thumbnail.click();
  const viewer = page.getByRole('dialog', { name: picture.name });
  await expect(viewer.getByRole('img')).toHaveJSProperty('naturalWidth', 1);
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(thumbnail).toBeFocused();

  await expect(sent.getByRole('link', { name: 'Download notes.txt' })).toContainText(`TXT · ${notes.buffer.length} B`);
  const download = page.waitForEvent('download');
  await sent.getByRole('link', { name: 'Download notes.txt' }).click();
  expect((await download).suggestedFilename()).toBe('notes.txt');
});

test('files over the limit are refused with the reason', async ({ chat, page }) => {
  const tooLarge = { ...picture, buffer: Buffer.alloc(6 * 1024 * 1024) };
  await chat.choose([tooLarge]);
  await expect(page.getByText(TEXTS.files.imageTooLarge).first()).toBeVisible();
  await chat.choose([{ ...notes, buffer: Buffer.alloc(11 * 1024 * 1024) }]);
  await expect(page.getByText(TEXTS.files.documentTooLarge).first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Attachments' })).toHaveCount(0);
});

test('a member generates an image and attaches it to a message', async ({ chat, page }) => {
  await page.getByRole('button', { name: TEXTS.sidebar.createImage }).click();
  const dialog = page.getByRole('dialog', { name: TEXTS.sidebar.createImage });
  const create = dialog.getByRole('button', { name: TEXTS.sidebar.createImage });
  await create.click();
  await expect(dialog.getByText(TEXTS.images.promptRequired)).toBeVisible();
  await dialog.getByLabel('Image description').fill('A lighthouse at dawn');
  await create.click();
  await expect(dialog.getByRole('img', { name: 'A lighthouse at dawn' })).toBeVisible();
  await expect(page.getByText('Gambar berhasil dibuat! Menggunakan 7 kredit.')).toBeVisible();
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: TEXTS.images.download }).click();
  expect((await download).suggestedFilename()).toMatch(/\d+.*png$/);

  await dialog.getByRole('button', { name: TEXTS.images.useImage }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveCount(1);
  await chat.send('Describe it [[words=5]]');
  await expect(chat.ownMessages.last().getByRole('button', { name: /^Open .*\.png$/ })).toBeVisible();
  await expect(chat.newestAnswer).toContainText('word5');
});

test('an API key is created, copied, used and revoked', async ({ page, request }) => {
  await page.getByRole('link', { name: TEXTS.sidebar.apiIntegration }).click();
  await expect(page).toHaveTitle(/API Integration/);
  await page.getByRole('button', { name: 'Generate API Key' }).click();
  await expect(page.getByText(/^\S{8}•{24}$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await expect(page.getByRole('button', { name: ADMIN_TEXTS.apiKey.copied })).toBeVisible();
  const key = await page.evaluate(() => navigator.clipboard.readText());

  const ask = () =>
    request.post('/api/v1/chat', {
      headers: { Authorization: `Bearer ${key}` },
      data: { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello [[words=3]]' }] },
    });
  const answer = await ask();
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' });

  await page.getByRole('button', { name: 'Revoke API Key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: 'Generate API Key' })).toBeVisible();
  expect((await ask()).status()).toBe(401);
});
