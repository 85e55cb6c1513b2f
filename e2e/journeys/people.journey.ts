import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test, type Page } from '../journey.js';

// The browser logs each refused call of a suspended account and of a deleted key.
test.use({ provider: 'upstream', installation: 'people', expectedErrors: [/status of 40[13]/] });
test.setTimeout(300_000);

const call = (page: Page, key: string) =>
  page.request.post('/api/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}` },
    data: { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] },
  });

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a member creates a key with limits, uses it, renames it and deletes it', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await page.goto('/api-integration');
  await expect(page.getByText('You have no keys for programs yet.')).toBeVisible();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('Nightly report');
  await dialog.getByLabel('Expiry date').fill('2099-12-31');
  await dialog.getByLabel('Message limit').fill('1');
  await dialog.getByText('All models').click();
  await expect(dialog.getByRole('checkbox').nth(1)).toBeVisible();
  await expectAccessible(page, 'new key');
  await dialog.getByText('All models').click();
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const created = page.getByRole('dialog', { name: 'Your new API key' });
  const key = await created.getByRole('group', { name: 'The whole key' }).innerText();
  await expect(created.getByRole('button', { name: 'Copy' })).toBeFocused();
  await expectAccessible(page, 'created key');
  await page.keyboard.press('Escape');
  await created.getByRole('button', { name: 'Done' }).click();
  await expect(created).toBeHidden();
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused();
  await expect(page.getByText(key)).toBeHidden();

  expect((await call(page, key)).status()).toBe(200);
  const refused = await call(page, key);
  expect(refused.status()).toBe(403);
  await page.reload();
  const entry = page.getByRole('listitem').filter({ hasText: `…${key.slice(-4)}` });
  await expect(entry).toContainText('1 of 1 messages used');
  await expect(entry).toContainText(/last used .*20\d\d/);
  await expectAccessible(page, 'list of keys');

  await entry.getByRole('button', { name: 'Edit Nightly report' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit API key' });
  await expect(editing.getByLabel('Expiry date')).toHaveValue('2099-12-31');
  await editing.getByLabel('Name').fill('Weekly report');
  await editing.getByLabel('Message limit').fill('');
  await editing.getByRole('button', { name: ADMIN_TEXTS.models.saveChanges }).click();
  await expect(entry).toContainText('Weekly report');
  expect((await call(page, key)).status()).toBe(200);

  await entry.getByRole('button', { name: 'Delete Weekly report' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('You have no keys for programs yet.')).toBeVisible();
  expect((await call(page, key)).status()).toBe(401);
});

test('an administrator suspends and resumes an account, limits it and resets its usage', async ({
  chat,
  member,
  other,
  page,
  product,
}) => {
  await other.chat.signIn(member);
  await other.chat.open();
  await other.chat.send('A first question');
  await other.chat.answerEnds();
  await expect(other.page.getByTestId('quota')).toHaveText(/^1\//);
  await chat.signIn(product.admin);
  await page.goto('/admin/users');
  const user = row(page, member.username);
  await expect(user).toContainText(/Created .*20\d\d/);

  await user.getByRole('button', { name: 'Edit', exact: true }).click();
  const editing = page.getByRole('dialog', { name: ADMIN_TEXTS.users.editTitle });
  await editing.getByLabel('Message limit').fill('5');
  await expectAccessible(page, 'edit user');
  await editing.getByRole('button', { name: 'Reset usage' }).click();
  const reset = page.getByRole('alertdialog', { name: 'Reset usage' });
  await expect(reset).toBeVisible();
  await expectAccessible(page, 'reset usage');
  await reset.getByRole('button', { name: 'Reset usage' }).click();
  await expect(reset).toBeHidden();
  await expect(editing.getByRole('button', { name: 'Reset usage' })).toBeFocused();
  await expect(other.page.getByTestId('quota')).toHaveText(/^0\//);
  await editing.getByRole('button', { name: 'Update User' }).click();
  await expect(user).toContainText('Limit 5');
  await expect(other.page.getByTestId('quota')).toHaveText('0/5');

  await chooseAction(page, member.username, 'Suspend');
  const suspension = page.getByRole('alertdialog', { name: 'Suspend account' });
  await expect(suspension).toBeVisible();
  await expectAccessible(page, 'suspend account');
  await suspension.getByRole('button', { name: 'Suspend' }).click();
  const report = other.page.getByRole('alertdialog', { name: 'Account suspended' });
  await expect(report).toContainText('Your account was suspended. Please contact the administrator.');
  await expectAccessible(other.page, 'the report of a suspension');
  await report.getByRole('button', { name: 'OK' }).click();
  await expect(user.getByText('Suspended')).toBeVisible();
  await expectAccessible(page, 'users with a suspended account');
  await expect(other.page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first()).toBeVisible();

  await other.page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first().click();
  const login = other.page.getByRole('dialog', { name: TEXTS.auth.loginTitle });
  await login.getByLabel(TEXTS.auth.username).fill(member.username);
  await login.getByLabel(TEXTS.auth.password, { exact: true }).fill(member.password);
  await login.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).click();
  await expect(other.page.getByText('Your account is suspended. Please contact the administrator.')).toBeVisible();

  await chooseAction(page, member.username, 'Resume');
  const resumption = page.getByRole('alertdialog', { name: 'Resume account' });
  await resumption.getByRole('button', { name: 'Resume' }).click();
  // The open dialog hides the table from the locators of roles.
  await expect(resumption).toBeHidden();
  await expect(user).toBeVisible();
  await expect(user.getByText('Suspended')).toBeHidden();
  await login.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).click();
  await expect(login).toBeHidden();
  await expect(other.page.getByRole('link', { name: `Account of ${member.username}` })).toBeVisible();

  // A page that was closed meanwhile reports the suspension when it opens.
  await other.page.goto('about:blank');
  await chooseAction(page, member.username, 'Suspend');
  await suspension.getByRole('button', { name: 'Suspend' }).click();
  await expect(user.getByText('Suspended')).toBeVisible();
  await other.page.goto('/');
  await expect(report).toBeVisible();
  await other.page.keyboard.press('Escape');
  await expect(other.page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first()).toBeVisible();
});

test('an administrator reads the changes of others in the audit log, on a wide screen and on a phone', async ({
  administrator,
  chat,
  page,
  product,
}) => {
  await chat.signIn(product.admin);
  const user = { username: 'rini-of-the-log', password: 'a long password' };
  const { id } = (await (await administrator.post('/api/admin/users', { data: user })).json()) as { id: number };
  const change = { isPremium: true, email: 'rini@example.org' };
  expect((await administrator.patch(`/api/admin/users/${id}`, { data: change })).ok()).toBe(true);
  for (let index = 0; index < 60; index++)
    await administrator.patch(`/api/admin/users/${id}`, { data: { fullName: `Rini ${index}` } });

  await chat.open();
  await page.getByRole('navigation').getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Audit Log' }).click();
  await expect(page.getByRole('heading', { name: 'Audit Log', level: 1 })).toBeVisible();
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect(changes).toHaveCount(50);
  await expect(changes.first()).toContainText('Account changed: rini-of-the-log');
  await expect(changes.first()).toContainText(`By ${product.admin.username}, from `);
  await expect(changes.first()).toContainText('Rini 58');
  await expect(changes.first()).toContainText('Rini 59');
  await expectAccessible(page, 'audit log');

  await page.getByRole('button', { name: 'Load older changes' }).click();
  const created = changes.filter({ hasText: 'Account created: rini-of-the-log' });
  await expect(created).toBeVisible();
  await created.getByRole('button', { name: 'Show all values' }).click();
  await expect(created).toContainText('•••');
  await expect(created).not.toContainText(user.password);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'audit log on a phone');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
