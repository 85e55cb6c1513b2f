import { TEXTS } from '@tanya/contract';
import type { Locator } from '@playwright/test';
import { expect, test, type Page } from '../journey.js';

/** Enough presses of Tab to come round in the longest dialog. */
const ROUND = 14;

/** What has the focus: whether it is in a dialog, and whether one can see that it has it. */
function focus(page: Page): Promise<{ isInDialog: boolean; isSeen: boolean; what: string }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const isMarked = (node: Element | null | undefined) => {
      if (!node) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    };
    return {
      isInDialog: element.closest('[aria-modal=true]') !== null,
      // A checkbox is hidden; what is drawn in its place shows the focus.
      isSeen: isMarked(element) || isMarked(element.closest('label')?.querySelector('[data-focus-visible]')),
      what: element.outerHTML.slice(0, 120),
    };
  });
}

/** By the keyboard alone: opened, walked through and closed. The focus is seen, stays inside, and returns. */
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
  // What the keyboard does elsewhere it does not do behind a dialog.
  await page.keyboard.press('Control+Shift+O');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();

test('a guest reaches and leaves every dialog by the keyboard', async ({ chat, page }) => {
  await chat.open();
  for (const name of [TEXTS.sidebar.login, TEXTS.sidebar.register, TEXTS.sidebar.createImage, TEXTS.chat.upgrade]) {
    await test.step(name, () => expectKeyboardWorks(page, button(page, name)));
  }
});

test('so does an administrator', async ({ chat, page, product }) => {
  await chat.signIn(product.admin);
  const dialogs: [string, (string | RegExp)[]][] = [
    ['/', [/^Account of /, TEXTS.sidebar.createImage, 'Keyboard shortcuts']],
    ['/admin', [/^Edit /, /^Delete /]],
    ['/admin/users', ['Add User', 'Edit', 'Reset Password']],
  ];
  for (const [path, names] of dialogs) {
    await page.goto(path);
    for (const name of names) await test.step(`${path} ${name}`, () => expectKeyboardWorks(page, button(page, name)));
  }
});
