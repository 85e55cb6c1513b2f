import { randomUUID } from 'node:crypto';
import { ADMIN_TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';

// The browser logs the refused calls.
test.use({ provider: 'upstream', expectedErrors: [/status of 40[13]/] });

test('an administrator adds a service, makes its key, limits it with the keyboard and on a phone, and ends it', async ({
  chat,
  page,
  product,
}) => {
  const service = `robot-${randomUUID().slice(0, 8)}`;
  await chat.signIn(product.admin);
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  const adding = page.getByRole('dialog', { name: ADMIN_TEXTS.users.addTitle });
  await adding.getByLabel('Username').fill(service);
  await adding.getByText(/^Service account/).click();
  await expectAccessible(page, 'a new service account');
  await adding.getByRole('button', { name: 'Create User' }).click();
  await expect(adding).toBeHidden();
  await page.getByRole('button', { name: `Actions for ${service}` }).click();
  await page.getByRole('menuitem', { name: 'API Keys' }).click();
  await expect(page).toHaveURL(/[?]userId=/);
  await expect(page.getByText('No key matches.')).toBeVisible();

  await page.getByRole('button', { name: 'New key of a service' }).click();
  const making = page.getByRole('dialog', { name: 'New key of a service' });
  await expect(making.getByLabel('Service account').locator('option:checked')).toHaveText(service);
  await making.getByLabel('Name').fill('Nightly report');
  await making.getByLabel('Calls a minute').fill('50');
  await expectAccessible(page, 'a new key of a service');
  await making.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('dialog', { name: 'Your new API key' });
  const key = await created.getByRole('group', { name: 'The whole key' }).innerText();
  await created.getByRole('button', { name: 'Done' }).click();

  const call = async () =>
    (
      await fetch(`${product.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
      })
    ).status;
  expect(await call()).toBe(200);
  const keys = page.getByRole('list', { name: 'Keys of people and services' }).getByRole('listitem');
  await expect(keys).toHaveCount(1);
  await page.reload();
  await expect(keys).toContainText('Nightly report');
  await expect(keys).toContainText('Service');
  await expect(keys.getByText('50', { exact: true })).toBeVisible();
  await expectAccessible(page, 'keys');

  await page.setViewportSize({ width: 390, height: 844 });
  await keys.getByRole('button', { name: `Limit Nightly report of ${service}` }).focus();
  await page.keyboard.press('Enter');
  const limits = page.getByRole('dialog', { name: 'Limits of an API key' });
  await limits.getByLabel('Message limit').fill('1');
  await expectAccessible(page, 'limits of a key on a phone');
  await page.keyboard.press('Enter');
  await expect(limits).toBeHidden();
  await expect(keys).toContainText('1 of 1');
  expect(await call()).toBe(403);
  await expectAccessible(page, 'keys on a phone');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);

  await page.getByRole('button', { name: 'Show all keys' }).click();
  await page.getByRole('searchbox', { name: 'Name of a key or of a person' }).fill(service);
  await expect(keys).toHaveCount(1);
  await keys.getByRole('button', { name: `Delete Nightly report of ${service}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No key matches.')).toBeVisible();
  expect(await call()).toBe(401);
});

test('an administrator makes a key for programs that administrate, after the password', async ({
  chat,
  page,
  product,
}) => {
  const name = `Automation ${randomUUID().slice(0, 8)}`;
  await chat.signIn(product.admin);
  await page.goto('/api-integration');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('For').selectOption('Administration');
  await expectAccessible(page, 'a new key for administration');
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Your password').fill(product.admin.password);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('dialog', { name: 'Your new API key' });
  const key = await created.getByRole('group', { name: 'The whole key' }).innerText();
  await created.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Administration');
  const status = async (path: string) =>
    (await fetch(product.url + path, { headers: { authorization: `Bearer ${key}` } })).status;
  expect([await status('/api/admin/users'), await status('/api/v1/models')]).toEqual([200, 401]);
});
