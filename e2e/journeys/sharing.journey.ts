import type { Route, WebSocket } from '@playwright/test';
import { TEXTS } from '@tanya/contract';
import { extractText } from 'unpdf';
import { openWebUi } from '../../backend/test/imports/export-fixtures.js';
import { expectAccessible } from '../accessibility.js';
import { notes } from '../attachments.js';
import { expect, test, type Page } from '../journey.js';
import { openAccount } from '../pages.js';

// A revoked link and the guest's session are refused.
test.use({ provider: 'upstream', expectedErrors: [/404 \(Not Found\)/] });

const expectNoOverflow = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);

const DESKTOP = { device: 'a desktop', width: 1440, height: 900 };
const PHONE = { device: 'a phone', width: 390, height: 844 };

const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 800;

/** Closes the drawer or the dialog that is open. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('a member shares a chat, a guest reads and continues it, and the member revokes the link', async ({
  chat,
  member,
  other,
  page,
}) => {
  const sockets: string[] = [];
  await chat.signIn(member);
  await chat.open();
  for (const { device, ...viewport } of [PHONE, DESKTOP]) {
    await test.step(`on ${device}`, async () => {
      await page.setViewportSize(viewport);
      await page.getByRole('button', { name: TEXTS.sidebar.newChat, exact: true }).first().click();
      await expect(chat.answers).toHaveCount(0);
      await chat.attach([notes]);
      await chat.send(`What is in my notes on ${device}? [[words=5]]`);
      await chat.answerEnds();
      const dialog = page.getByRole('dialog', { name: 'Share chat' });
      const share = page.getByRole('button', { name: 'Share chat' });
      await share.click();
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(share).toBeFocused();
      if (isNarrow(page)) {
        // The narrowest phones have no room for the button.
        await page.setViewportSize({ width: 320, height: 568 });
        const openFromMenu = async () => {
          await page.getByRole('button', { name: 'Chat options' }).click();
          await page.getByRole('menuitem', { name: 'Share chat' }).click();
          await expect(dialog).toBeVisible();
        };
        await openFromMenu();
        await dialog.getByRole('button', { name: 'Close' }).click();
        await expect(dialog).toBeHidden();
        // Its code is loaded now, so the dialog opens while the menu closes.
        await openFromMenu();
        await page.keyboard.press('Escape');
        await page.setViewportSize(viewport);
        await page.getByRole('button', { name: 'Open menu' }).click();
      }
      await page
        .getByRole('button', { name: /^Options for / })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Share' }).click();
      await expect(dialog.getByText(/your name and the system prompt/)).toBeVisible();
      await expectAccessible(page, 'the dialog that shares a chat');
      await dialog.getByRole('button', { name: 'Create link' }).click();
      const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
      await expectAccessible(page, 'the created link');
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(dialog).toBeHidden();
      await close(page);

      await other.page.setViewportSize(viewport);
      const note = (socket: WebSocket): void => void sockets.push(socket.url());
      other.page.on('websocket', note);
      await other.page.goto(new URL(link).pathname);
      await expect(other.page.getByRole('article', { name: 'AI message' })).toContainText(`on ${device}`);
      await expect(other.page.getByRole('article', { name: 'AI message' })).toContainText('word5');
      await expect(other.page.getByRole('link', { name: /^Download notes/ })).toBeVisible();
      await expectNoOverflow(other.page);
      await expectAccessible(other.page, 'a shared conversation');
      expect(sockets).toEqual([]);
      other.page.off('websocket', note);
      const { text: paper } = await extractText(new Uint8Array(await other.page.pdf()), { mergePages: true });
      expect(paper).toContain('word5');
      expect(paper).not.toContain('Continue as my own chat');
      await other.page.getByRole('button', { name: 'Continue as my own chat' }).click();
      await other.page.waitForURL('/');
      await expect(other.chat.newestAnswer).toContainText(`on ${device}`);
      await expect(other.chat.newestAnswer).toContainText('word5');
      await other.chat.send('And now? [[words=3]]');
      await other.chat.answerEnds();

      const account = await openAccount(page, 'Data');
      await account.getByRole('button', { name: /^Revoke the link of / }).click();
      await expect(account.getByText('You have not shared a chat.')).toBeVisible();
      await other.page.goto(new URL(link).pathname);
      await expect(other.page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
      await expectAccessible(other.page, 'a link that was revoked');
    });
  }
});

test('a member imports chats, opens one and undoes the import', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  for (const { device, ...viewport } of [PHONE, DESKTOP]) {
    await test.step(`on ${device}`, async () => {
      await page.setViewportSize(viewport);
      const account = await openAccount(page, 'Data');
      const list = account.getByRole('list', { name: 'Import chats' });
      const chats = ['Ports of Europe', 'Ports of Asia'].map((title) => openWebUi({ id: title, title }));
      // An import that ends beside its list is reported without a way to its report.
      const readImport = async (route: Route) => {
        await expect(chat.composer).toBeVisible();
        await route.continue();
      };
      await page.route('**/api/user/import/*', readImport, { times: 1 });
      await account
        .getByLabel('Choose a file')
        .first()
        .setInputFiles({
          name: 'export.json',
          mimeType: 'application/json',
          buffer: Buffer.from(JSON.stringify([...chats, 'no chat'])),
        });
      // Its row, whether the import still runs or has ended.
      await expect(list.getByRole('listitem')).toBeVisible();
      await page.goBack();
      await expect(page.getByText('Import finished')).toBeVisible();
      await page.getByRole('button', { name: 'Show report' }).click();
      await expect(account.getByText('2 imported, 1 not imported')).toBeInViewport();
      await expect(account.getByRole('button', { name: 'Show the chats' })).toBeFocused();
      await expect(account.getByText('Not imported: This is not a conversation.')).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page, 'the report of an import');
      await account.getByRole('link', { name: 'Ports of Asia' }).click();
      await page.waitForURL(/\/chat\/\d+$/);
      await expect(chat.newestAnswer).toContainText('Rotterdam.');

      const again = await openAccount(page, 'Data');
      await again.getByRole('button', { name: 'Undo', exact: true }).click();
      const question = page.getByRole('alertdialog', { name: 'Undo import' });
      await expect(question).toBeVisible();
      await expectAccessible(page, 'the question before an undo');
      await question.getByRole('button', { name: 'Delete chats' }).click();
      await expect(again.getByText('2 imported, 1 not imported')).toBeHidden();
      // The list of imports has the focus, not the top of the page.
      await expect(again.locator('[tabindex="-1"]:focus')).toBeAttached();
      await page.goto('/');
      if (isNarrow(page)) await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByText('No chat history yet')).toBeVisible();
    });
  }
});
