import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';

// The browser logs the calls that are refused at the moment when guests are switched off, or a member leaves.
test.use({ provider: 'upstream', installation: 'members-only', expectedErrors: [/status of 401/] });

test('an administrator closes the product to guests, who log in or register instead', async ({
  chat,
  member,
  other,
  page,
  product,
}) => {
  await other.page.goto('/');
  await expect(other.chat.composer).toBeVisible();

  await chat.signIn(product.admin);
  await page.goto('/admin/settings');
  await page.getByLabel('Chat without an account').selectOption('Members only');
  await page.getByRole('button', { name: ADMIN_TEXTS.settings.save }).click();
  await expect(page.getByText(ADMIN_TEXTS.settings.saved)).toBeVisible();

  const title = other.page.getByRole('heading', { level: 1, name: TEXTS.auth.loginTitle });
  await expect(title).toBeVisible();
  await expect(other.chat.composer).toHaveCount(0);
  await other.page.setViewportSize({ width: 390, height: 844 });
  await other.page.goto('/chat/1');
  await expect(title).toBeVisible();
  await expect(other.page.getByRole('navigation')).toHaveCount(0);
  await expectAccessible(other.page, 'login of a product for members');

  await other.page.getByRole('button', { name: 'Register' }).click();
  await expect(other.page.getByRole('heading', { level: 1, name: TEXTS.auth.registerTitle })).toBeVisible();
  await expectAccessible(other.page, 'registration of a product for members');
  await other.page.getByRole('button', { name: 'Login' }).click();

  await other.page.goto('/reset-password?token=unknown');
  await expect(other.page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();

  await other.page.goto('/');
  await other.page.getByLabel(TEXTS.auth.username).fill(member.username);
  await other.page.getByLabel(TEXTS.auth.password, { exact: true }).fill(member.password);
  await other.page.keyboard.press('Enter');
  await expect(other.chat.composer).toBeVisible();
  await other.chat.send('Hello');
  await other.page.reload();
  await expect(other.chat.composer).toBeVisible();
});
