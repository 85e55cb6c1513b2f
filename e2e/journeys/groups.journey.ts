import { ADMIN_TEXTS, TEXTS } from '@tanya/contract';
import { expectAccessible } from '../accessibility.js';
import { expect, test } from '../journey.js';

// The browser logs the deletion that is refused first, a registration that is closed, and a read without a connection.
test.use({ provider: 'upstream', installation: 'groups', expectedErrors: [/status of (40[39]|503)/] });
test.setTimeout(120_000);

test('an administrator makes a group, fills it, and opens a model to it alone', async ({
  chat,
  member,
  other,
  page,
  product,
}) => {
  await other.chat.signIn(member);
  await chat.signIn(product.admin);
  await page.goto('/admin/groups');
  await page.getByRole('button', { name: 'Add group' }).click();
  const dialog = page.getByRole('dialog', { name: 'New group' });
  await dialog.getByLabel('Name of the group').fill('Research');
  await dialog.getByLabel('Messages of each member').fill('-1');
  await expectAccessible(page, 'new group');
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await expect(page.getByText('no members · unlimited messages')).toBeVisible();

  const access = page.getByLabel('Who may use GPT-4o Mini', { exact: true });
  await access.selectOption('Groups');
  const cell = page.getByRole('checkbox', { name: 'Research may use GPT-4o Mini' });
  const saved = page.waitForResponse((answer) => /"groupIds":\[\d/.test(answer.request().postData() ?? ''));
  await cell.click();
  await expect(cell).toBeChecked();
  await saved;
  await page.reload();
  await expect(cell).toBeChecked();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'groups');
  const models = async () => JSON.stringify(await (await other.page.request.get('/api/models')).json());
  expect(await models()).not.toContain('GPT-4o Mini');

  await page.getByRole('button', { name: 'Members of Research' }).click();
  const members = page.getByRole('dialog', { name: 'Members of Research' });
  await members.getByRole('searchbox').fill(member.username);
  await members.getByRole('button', { name: `Add ${member.username}` }).click();
  await expect(members.getByRole('button', { name: `Remove ${member.username}` })).toBeVisible();
  await expectAccessible(page, 'members of a group');
  await members.getByRole('button', { name: 'Done' }).click();
  expect(await models()).toContain('GPT-4o Mini');

  await page.getByRole('button', { name: 'Delete Research' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete anyway' }).click();
  await expect(page.getByText('There are no groups yet.')).toBeVisible();
});

test('an administrator changes many people and many models at once, on a phone and by keyboard', async ({
  administrator,
  chat,
  page,
  product,
}) => {
  const names = ['batch-ayu', 'batch-budi', 'batch-citra'];
  const ids: number[] = [];
  for (const username of names) {
    const made = await administrator.post('/api/admin/users', { data: { username, password: 'a long password' } });
    ids.push(((await made.json()) as { id: number }).id);
  }
  await administrator.post('/api/admin/groups', { data: { name: 'Whole team' } });
  await chat.signIn(product.admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Search users' }).fill('batch-');
  await expect(page.getByText('Choose all 3')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Choose all 3' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('3 chosen')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Choose batch-citra' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('2 chosen')).toBeVisible();
  await expectAccessible(page, 'chosen people on a phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

  const opener = page.getByRole('button', { name: 'Change the chosen' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 people' });
  await dialog.getByLabel('Account', { exact: true }).selectOption('Suspend');
  await dialog.getByLabel('Plan of the account').selectOption('Premium plan');
  await dialog.getByLabel('Add to a group').selectOption('Whole team');
  await expectAccessible(page, 'change of many people');
  // Somebody deletes one of them meanwhile.
  await administrator.delete(`/api/admin/users/${ids[1]}`);
  await dialog.getByRole('button', { name: 'Change 2 people' }).click();
  const report = page.getByRole('dialog', { name: 'Change 1 person' });
  await expect(report.getByRole('alert')).toContainText('batch-budi: ');
  await report.getByRole('button', { name: 'Cancel' }).click();
  await expect(opener).toBeFocused();
  const ayu = page.getByRole('listitem').filter({ hasText: 'batch-ayu' });
  await expect(ayu.getByText('Suspended')).toBeVisible();
  await expect(ayu.getByText(TEXTS.sidebar.premium)).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV file' }).click();
  const file = await (await download).createReadStream();
  const lines = Buffer.concat(await file.toArray())
    .toString()
    .split('\r\n');
  expect(lines.find((line) => line.includes('batch-ayu'))).toContain('Whole team');

  await page.goto('/admin');
  await page.getByRole('searchbox', { name: 'Search models' }).fill('gpt');
  await page.getByText(/^Choose all \d+$/).click();
  await opener.click();
  const models = page.getByRole('dialog', { name: /^Change \d+ models?$/ });
  await models.getByLabel('API', { exact: true }).selectOption('API Disabled');
  await models.getByLabel('Prices', { exact: true }).selectOption('Set all prices');
  await models.getByLabel('Input tokens', { exact: true }).fill('0.15');
  await expectAccessible(page, 'change of many models');
  await models.getByRole('button', { name: /^Change \d+ models?$/ }).click();
  await expect(models).toBeHidden();
  await expect(page.getByText('None chosen')).toBeVisible();
  await expect(page.getByText('API Enabled')).toHaveCount(0);
});

test('an administrator invites somebody while registration is closed', async ({
  chat,
  newcomer,
  other,
  page,
  product,
}) => {
  // A server that gets no connection to its database within 3 s answers 503, and the page leaves the retry to the person.
  let busyAnswers = 0;
  page.on('response', (answer) => {
    if (answer.status() === 503) busyAnswers += 1;
  });
  const retry = page.getByRole('button', { name: ADMIN_TEXTS.settings.tryAgain });
  await page.addLocatorHandler(retry, async () => {
    expect(busyAnswers, 'the page failed, and not because the server was busy').toBeGreaterThan(0);
    busyAnswers = 0;
    await retry.click();
  });
  await chat.signIn(product.admin);
  await page.request.patch('/api/admin/general-settings', { data: { registrationMode: 'closed' } });
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitations' });
  await dialog.getByLabel('Plan of the account').selectOption('Premium plan');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  const link = await dialog.getByText(/register\?invitation=/).innerText();
  await expectAccessible(page, 'invitations');
  await dialog.getByRole('button', { name: 'Done' }).click();

  await other.page.goto(`/register${new URL(link).search}`);
  await expect(other.page.getByRole('heading', { level: 1, name: TEXTS.auth.registerTitle })).toBeVisible();
  await expectAccessible(other.page, 'registration by an invitation');
  const field = (name: string) => other.page.getByRole('main').last().getByLabel(name, { exact: true });
  await field(TEXTS.auth.username).fill(newcomer.username);
  await field(TEXTS.auth.password).fill(newcomer.password);
  await field(TEXTS.auth.confirmPassword).fill(newcomer.password);
  await field(TEXTS.auth.email).fill(`${newcomer.username}@example.org`);
  await field(TEXTS.auth.phoneNumber).fill('08123456789');
  await other.page.getByText('I agree').click();
  await other.page.getByRole('main').last().getByRole('button', { name: TEXTS.sidebar.register, exact: true }).click();
  await expect(other.chat.composer).toBeVisible();

  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: newcomer.username })).toContainText(TEXTS.sidebar.premium);
  await page.getByLabel('Show', { exact: true }).selectOption('Premium plan');
  await expect(page.getByRole('row').filter({ hasText: newcomer.username })).toBeVisible();
  await expect(page.getByText(ADMIN_TEXTS.users.fetchError)).toHaveCount(0);
});
