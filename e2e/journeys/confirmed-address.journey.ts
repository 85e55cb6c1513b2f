import { TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, type Page, test } from '../journey.js';

// The browser logs registrations and logins that wait, and a link that was used.
test.use({ installation: 'confirmed-address', sendsMail: true, expectedErrors: [/status of 40[03]/] });
test.describe.configure({ mode: 'default' });

test.beforeEach(async ({ administrator }) => {
  const changes = { allowedEmailDomains: ['example.com'] };
  expect((await administrator.patch('/api/admin/general-settings', { data: changes })).ok()).toBe(true);
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: TEXTS.auth.registerTitle });

async function register(page: Page, { username, password }: { username: string; password: string }, email: string) {
  await page.goto('/');
  await page.getByRole('button', { name: TEXTS.sidebar.register, exact: true }).first().click();
  const dialog = dialogOf(page);
  await expect(dialog.getByText(/example\.com/)).toBeVisible();
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  await field(TEXTS.auth.username).fill(username);
  await field(TEXTS.auth.password).fill(password);
  await field(TEXTS.auth.confirmPassword).fill(password);
  await field(TEXTS.auth.email).fill(email);
  await field(TEXTS.auth.phoneNumber).fill('08123456789');
  await dialog.getByText('I agree').click();
  await dialog.getByRole('button', { name: TEXTS.sidebar.register, exact: true }).click();
}

const linkIn = (text: string): string => /\/register\?confirm=\S+/.exec(text)![0];

async function logIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  const login = page.getByRole('dialog', { name: TEXTS.auth.loginTitle });
  await login.getByLabel(TEXTS.auth.username).fill(username);
  await login.getByLabel(TEXTS.auth.password, { exact: true }).fill(password);
  await login.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).click();
  await expect(page.getByRole('link', { name: `Account of ${username}` })).toBeVisible();
}

test('a newcomer opens the mailed link in the same browser and logs in', async ({ mail, newcomer, page }) => {
  const email = `${newcomer.username}@example.com`;
  await register(page, newcomer, 'somebody@example.net');
  await expect(dialogOf(page).getByText('Please use an email address of this organization.')).toBeVisible();
  await expect(dialogOf(page).getByText(/example\.com/)).toBeVisible();
  await dialogOf(page).getByLabel(TEXTS.auth.email, { exact: true }).fill(email);
  await dialogOf(page).getByRole('button', { name: TEXTS.sidebar.register, exact: true }).click();
  await expect(dialogOf(page).getByRole('status')).toBeFocused();
  await expectAccessible(page, 'a registration that waits for its link');

  const link = linkIn((await mail!.mailTo(email)).text);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused();
  await expectAccessible(page, 'a confirmed address');
  await page.getByRole('main').getByRole('link', { name: TEXTS.sidebar.login }).click();
  await logIn(page, newcomer);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
});

test('on a phone, the link asks for a press of a button', async ({ mail, newcomer, other, page }) => {
  const email = `${newcomer.username}@example.com`;
  await register(page, newcomer, email);
  const link = linkIn((await mail!.mailTo(email)).text);
  await other.page.setViewportSize({ width: 390, height: 844 });
  await other.page.goto(link);
  await expect(other.page.getByRole('heading', { name: 'Confirm your address' })).toBeVisible();
  await expectAccessible(other.page, 'the question of a mailed link');
  const press = other.page.getByRole('button', { name: 'Confirm the address' });
  await press.focus();
  await other.page.keyboard.press('Enter');
  await expect(other.page.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused();
  await expectAccessible(other.page, 'an address that was confirmed on a phone');
});
