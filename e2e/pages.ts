import { expect, type Page } from '@playwright/test';

/** Paths of the pages that an administrator sees beside the chat. */
export const PAGES = [
  '/admin',
  '/admin/users',
  '/admin/tools',
  '/admin/usage',
  '/admin/audit',
  '/admin/settings',
  '/api-integration',
  '/usage',
];

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
