import { TEXTS, type Thread } from '@tanya/contract';
import type { ChatScreen } from '../chat-screen.js';
import { expect, test, type Page } from '../journey.js';

test.use({ provider: 'upstream' });

/** Sends the first message of a new thread for each text over the API. The last one is the newest. */
async function makeThreads(page: Page, texts: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const text of texts) {
    const answer = await page.request.post('/api/chat/message', { data: { content: `${text} [[words=3]]` } });
    expect(answer.ok()).toBe(true);
    ids.push(((await answer.json()) as { threadId: number }).threadId);
  }
  return ids;
}

/** The list of threads; on a phone its drawer is opened first. */
async function threadList(page: Page) {
  const menu = page.getByRole('button', { name: 'Open menu' });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  if ((await menu.isVisible()) && !(await drawer.isVisible())) await menu.click();
  return page.getByRole('region', { name: TEXTS.sidebar.recentChats });
}

async function choose(page: Page, title: string, action: string): Promise<void> {
  const list = await threadList(page);
  await list.getByRole('button', { name: `Options for ${title}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function titles(chat: ChatScreen): Promise<string[]> {
  return (await chat.threads()).map(({ title }) => title.replace(/ \[\[.*/, ''));
}

async function archived(page: Page): Promise<Thread[]> {
  return (await (await page.request.get('/api/chat/threads?state=archived')).json()) as Thread[];
}

/** The palette, opened by its shortcut, or on a phone and right after a load by its button: shortcuts load late. */
async function openPalette(page: Page, { isLoaded = true } = {}) {
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  // An open dialog keeps the shortcuts off, also while it closes.
  await expect(page.locator('[aria-modal=true]')).toHaveCount(0);
  const onPhone = page.getByRole('banner').getByRole('button', { name: 'Search and commands' });
  if (await onPhone.isVisible()) await onPhone.click();
  else if (isLoaded) await page.keyboard.press('Control+K');
  else await page.getByRole('navigation').getByRole('button', { name: 'Search and commands' }).click();
  await expect(palette.getByRole('combobox')).toBeFocused();
  return palette;
}

const SCREENS = [
  { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  { name: 'wide screen', use: { viewport: { width: 1440, height: 900 } } },
];

for (const { name, use } of SCREENS) {
  test.describe(`on a ${name}`, () => {
    test.use(use);

    test('a member pins, archives and finds chats again', async ({ chat, member, page }) => {
      await chat.signIn(member);
      await makeThreads(page, ['Alpha', 'Bravo', 'Charlie']);
      await chat.open();
      await choose(page, 'Alpha', 'Pin');
      await expect((await threadList(page)).getByRole('list').first()).toHaveAccessibleName('Pinned');
      await expect((await threadList(page)).getByRole('list').first().getByRole('link')).toHaveText([/^Alpha/]);
      await choose(page, 'Bravo', 'Archive');
      await expect(page.getByText('Chat archived')).toBeVisible();
      await expect((await threadList(page)).getByRole('link', { name: 'Bravo' })).toHaveCount(0);
      expect(await titles(chat)).toEqual(['Alpha', 'Charlie']);
      await (await threadList(page)).getByRole('button', { name: 'Archived chats' }).click();
      const archive = page.getByRole('dialog', { name: 'Archived chats' });
      await archive.getByRole('button', { name: 'Unarchive Bravo' }).click();
      await expect(archive.getByText('No chat is archived.')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect((await threadList(page)).getByRole('link', { name: 'Bravo' })).toBeVisible();
    });

    test('a member takes a deletion back', async ({ chat, member, page }) => {
      await chat.signIn(member);
      const [id] = await makeThreads(page, ['Keepsake']);
      await chat.open(`/chat/${id}`);
      await choose(page, 'Keepsake', 'Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByText(TEXTS.threads.deleted)).toBeVisible();
      await page.locator('[data-part=action-trigger]').click();
      await expect(page).toHaveURL(`/chat/${id}`);
      await expect(chat.newestAnswer).toContainText('word3');
      expect((await chat.threads()).map((thread) => thread.id)).toEqual([id]);
    });

    test('a member deletes several chats with the keyboard', async ({ chat, member, page }) => {
      await chat.signIn(member);
      await makeThreads(page, ['Delta', 'Echo', 'Foxtrot', 'Golf']);
      await chat.open();
      await choose(page, 'Golf', 'Select');
      const list = await threadList(page);
      await expect(list.getByRole('checkbox', { name: 'Select Golf' })).toBeFocused();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await list.getByRole('checkbox', { name: 'Select Delta' }).click({ modifiers: ['Shift'] });
      await expect(list.getByRole('status').filter({ hasText: '4 selected' })).toBeVisible();
      await list.getByRole('checkbox', { name: 'Select Echo' }).press('Space');
      await list
        .getByRole('toolbar', { name: 'Selected chats' })
        .getByRole('button', { name: 'Delete' })
        .press('Enter');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
      await expect(page.getByText('3 chats deleted').first()).toBeVisible();
      expect(await titles(chat)).toEqual(['Echo']);
      await page.locator('[data-part=action-trigger]').click();
      await expect.poll(() => titles(chat)).toEqual(['Golf', 'Foxtrot', 'Echo', 'Delta']);
    });

    test('a member finds a message and runs commands in the palette', async ({ chat, member, page }) => {
      await chat.signIn(member);
      const [id] = await makeThreads(page, ['Where does the ferry land?', 'Something else']);
      await chat.open();
      const palette = await openPalette(page, { isLoaded: false });
      await page.keyboard.type('ferr');
      const found = palette.getByRole('option', { name: /ferry land/ });
      await expect(found.locator('mark').first()).toHaveText('ferr');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`/chat/${id}`);
      await expect(palette).toBeHidden();
      await expect(chat.ownMessages.first()).toBeInViewport();
      await openPalette(page);
      await page.keyboard.type('archive this');
      await expect(palette.getByRole('option').first()).toHaveText('Archive this chat');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await archived(page)).map((thread) => thread.id)).toEqual([id]);
      await openPalette(page);
      await page.keyboard.type('theme dark');
      await page.keyboard.press('Enter');
      await expect(page.locator('html')).toHaveClass(/dark/);
      await openPalette(page);
      await page.keyboard.type('keyboard short');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
      await expect(palette).toBeHidden();
      await page.keyboard.press('Escape');
      await openPalette(page);
      await page.keyboard.press('Escape');
      await expect(palette).toBeHidden();
    });

    test('a member rates, regenerates with another model and edits', async ({ chat, member, page, administrator }) => {
      await administrator.post('/api/admin/models', {
        data: { modelId: 'openai/second', name: 'Second Model', provider: 'OpenAI' },
      });
      await chat.signIn(member);
      const [id] = await makeThreads(page, ['Rate this']);
      await chat.open(`/chat/${id}`);
      const answer = chat.newestAnswer;
      await answer.hover();
      await answer.getByRole('button', { name: 'Bad answer' }).click();
      await expect(answer.getByRole('button', { name: 'Bad answer' })).toHaveAttribute('aria-pressed', 'true');
      await answer.getByRole('button', { name: 'Add a reason' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('Too short');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await expect
        .poll(async () => (await chat.storedMessages(id!)).at(-1)?.feedback)
        .toEqual({ rating: 'down', reason: 'Too short' });
      await answer.getByRole('button', { name: 'Answer with another model' }).click();
      await page.getByRole('menuitem', { name: 'Second Model' }).click();
      await expect(chat.newestAnswer).toContainText('2/2');
      await expect.poll(async () => (await chat.storedMessages(id!)).at(-1)?.modelId).toBe('openai/second');
      await expect(chat.stopButton).toBeHidden();
      await chat.composer.focus();
      await page.keyboard.press('ArrowUp');
      await expect(page.getByLabel('Edit your message')).toBeFocused();
      await expect(page.getByLabel('Edit your message')).toHaveValue(/^Rate this/);
    });
  });
}
