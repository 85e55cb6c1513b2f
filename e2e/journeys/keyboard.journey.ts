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
