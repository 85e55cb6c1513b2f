import { TEXTS } from '@tanya/contract';
import type { Locator } from '@playwright/test';
import { expect, test, type Page } from '../journey.js';
import { visit } from '../pages.js';

test.use({ prefetches: true });

/** Number of Tab presses that wraps around in the longest dialog. */
const ROUND = 14;

/** The focused element: whether it is in a dialog, and whether its focus is visible. */
function focus(page: Page): Promise<{ isInDialog: boolean; isSeen: boolean; what: string }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const isMarked = (node: Element | null | undefined) => {
      if (!node) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    };
    // The browser itself marks the parts of a date field, of which the calendar's button is one.
    const isDate = element.matches('input[type=date]');
    return {
      isInDialog: element.closest('[aria-modal=true]') !== null,
      // A checkbox is visually hidden; its replacement shows the focus.
      isSeen: isDate || isMarked(element) || isMarked(element.closest('label')?.querySelector('[data-focus-visible]')),
      what: element.outerHTML.slice(0, 120),
    };
  });
}

/** Opens, traverses and closes a dialog with the keyboard. The focus is visible, stays inside, and returns. */
async function expectKeyboardWorks(page: Page, opener: Locator): Promise<void> {
  const dialog = page.locator('[aria-modal=true]');
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await expect.poll(async () => (await focus(page)).isInDialog).toBe(true);
  for (const key of [...Array<string>(ROUND).fill('Tab'), 'Shift+Tab']) {
    await page.keyboard.press(key);
    await expect.poll(() => focus(page)).toMatchObject({ isInDialog: true, isSeen: true });
  }
  // Shortcuts of the page are disabled behind a dialog.
  await page.keyboard.press('Control+Shift+O');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();

test('a guest operates every dialog with the keyboard', async ({ chat, page }) => {
  await chat.open();
  for (const name of [TEXTS.sidebar.login, TEXTS.sidebar.register, TEXTS.sidebar.createImage, TEXTS.chat.upgrade]) {
    await test.step(name, () => expectKeyboardWorks(page, button(page, name)));
  }
});

test('an administrator operates every dialog with the keyboard', async ({ chat, member, page, product }) => {
  await chat.signIn(product.admin);
  await page.goto('/');
  const dialogs: [string, (string | RegExp)[]][] = [
    ['/', [TEXTS.sidebar.createImage, 'Keyboard shortcuts']],
    ['/admin', ['Add New Model', /^Edit /, /^Delete /]],
    ['/admin/users', ['Add User', 'Edit']],
    ['/admin/tools', ['Add server']],
    ['/admin/connections', ['Add connection']],
    ['/api-integration', ['New key']],
  ];
  for (const [path, names] of dialogs) {
    if (path !== '/') await visit(page, path);
    for (const name of names) await test.step(`${path} ${name}`, () => expectKeyboardWorks(page, button(page, name)));
  }
  await visit(page, '/admin/users');
  const row = page.getByRole('row').filter({ hasText: member.username });
  await test.step('Reset Password', () =>
    expectKeyboardWorks(page, row.getByRole('button', { name: 'Reset Password' })));
});

/** More than the stops between any two controls of these screens. */
const MAX_STOPS = 60;

/** Presses a key until a control has the focus, which is visible at each stop. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  await expect(target).toBeVisible();
  const passed: string[] = [];
  while (!(await target.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press(key);
    await expect.poll(() => focus(page)).toMatchObject({ isSeen: true });
    passed.push((await focus(page)).what);
    expect(passed.length, passed.join('\n')).toBeLessThan(MAX_STOPS);
  }
}

test.describe('without a mouse', () => {
  test.use({ provider: 'upstream' });

  test('the focus goes on with what a key has shown', async ({ chat, member, page, upstream }) => {
    await chat.signIn(member);
    await chat.open();
    await chat.send('Say a word');
    await chat.answerEnds();
    upstream.script({ steps: [{ text: 'The second version' }, { finish: 'stop' }] });
    await button(page, 'Regenerate').press('Enter');
    await expect(chat.newestAnswer).toContainText('The second version');
    await chat.answerEnds();

    const [previous, next] = [button(page, 'Previous version'), button(page, 'Next version')];
    await previous.press('Enter');
    await expect(chat.newestAnswer).not.toContainText('The second version');
    await expect(next).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(chat.newestAnswer).toContainText('The second version');
    await expect(previous).toBeFocused();

    await chat.composer.press('ArrowUp');
    await expect(page.getByLabel('Edit your message')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(chat.composer).toBeFocused();

    await page.getByRole('link', { name: 'Projects' }).focus();
    await page.keyboard.press('Tab');
    await expect(button(page, 'Archived chats')).toBeFocused();

    await page.goto('/projects');
    await button(page, 'New project').press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('Harbour');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Harbour' })).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
  });

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 320, height: 568 },
  ]) {
    test(`a member asks, stops, goes on, renames, finds and deletes a chat at ${viewport.width} px`, async ({
      chat,
      member,
      page,
    }) => {
      await page.setViewportSize(viewport);
      await chat.signIn(member);
      await chat.open();
      await expect(chat.composer).toBeFocused();
      await page.keyboard.type('Plan a picnic [[words=400 pace=20]]');
      await page.keyboard.press('Enter');
      await expect(chat.newestAnswer).toContainText('word1 ');
      await page.keyboard.press('Escape');
      await tabTo(page, chat.newestAnswer.getByRole('button', { name: 'Continue' }), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(chat.ownMessages.last()).toContainText('Continue');
      await chat.answerEnds();

      const heading = page.getByRole('main').getByRole('heading', { level: 1 });
      await tabTo(page, heading.getByRole('button'), 'Shift+Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Baskets and blankets');
      await page.keyboard.press('Enter');
      await expect(heading).toHaveText('Baskets and blankets');
      await expect(heading.getByRole('button')).toBeFocused();

      const model = page.getByRole('button', { name: /^Model: / });
      await tabTo(page, model, 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('option').first()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(model).toBeFocused();

      await page.keyboard.press('Control+K');
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
      await page.keyboard.type('blankets');
      await expect(page.getByRole('option', { name: /Baskets and blankets/ })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);

      const options = page.getByRole('button', { name: 'Options for Baskets and blankets' });
      const menu = page.getByRole('button', { name: 'Open menu' });
      const isDrawer = await menu.isVisible();
      if (isDrawer) {
        await tabTo(page, menu, 'Shift+Tab');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
      }
      await tabTo(page, options, isDrawer ? 'Tab' : 'Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const question = page.getByRole('alertdialog');
      await tabTo(page, question.getByRole('button', { name: 'Delete' }), 'Tab');
      await page.keyboard.press('Enter');
      await expect(question).toHaveCount(0);
      await expect(page).toHaveURL('/');
      expect(await chat.threads()).toEqual([]);
    });
  }
});
