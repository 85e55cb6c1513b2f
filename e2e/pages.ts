import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';

// Read as text: its imports are those of a browser.
const list = readFileSync(new URL('../frontend/src/features/admin-pages.ts', import.meta.url), 'utf8');
const adminPages = [...list.matchAll(/ page: (?:'(\w+)'|undefined),/g)].map(([, page]) =>
  page === undefined ? '/admin' : `/admin/${page}`,
);

/** Paths of the pages that an administrator sees beside the chat. */
export const PAGES = [...adminPages, '/account', '/api-integration', '/projects', '/usage'];

/**
 * Goes to a page as a link of the app does, without loading the app again, and waits for its heading and its data. No two
 * pages have the same heading.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const previous = (await heading.textContent()) ?? '';
  await page.evaluate((to) => window.history.pushState(null, '', to), path);
  await expect(heading).not.toHaveText(previous);
  await expect(page.locator('[role=status][aria-label], [aria-busy=true]')).toHaveCount(0);
}

/** Opens a tab of the own account, on narrow screens from the drawer. @returns the content of the page */
export async function openAccount(page: Page, tab: 'General' | 'Personal' | 'Security' | 'Data'): Promise<Locator> {
  const menu = page.getByRole('button', { name: 'Open menu', expanded: false });
  // The window may have got another width, whose sidebar is yet to come.
  await expect(async () => {
    if (await menu.isVisible()) await menu.click({ timeout: 5_000 });
    await page.getByRole('link', { name: /^Account of/ }).click({ timeout: 5_000 });
  }).toPass();
  await page.getByRole('tab', { name: tab }).click();
  await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
  return page.getByRole('main');
}
