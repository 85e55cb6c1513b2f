import { TEXTS } from '@tanya/contract';
import { codeOf } from '../../backend/test/harness/totp-codes.js';
import { expect, test } from '../journey.js';
import { openAccount } from '../pages.js';

// The browser logs each refused login.
test.use({ expectedErrors: [/status of 401/] });

test('a member sets up two-factor login and logs in with a code, then with a recovery code', async ({
  chat,
  member,
  page,
}) => {
  await chat.signIn(member);
  await chat.open();
  const account = await openAccount(page, 'Security');
  await account.getByRole('button', { name: 'Set up two-factor login' }).click();
  await account.getByLabel('Your password').fill(member.password);
  await account.getByRole('button', { name: 'Continue' }).click();
  await expect(account.getByRole('img', { name: 'QR code of the set-up' })).toBeVisible();
  const secret = (await account.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '');
  await account.getByLabel('Authentication code').fill(codeOf(secret));
  await account.getByRole('button', { name: 'Turn on' }).click();
  const recoveryCode = await account
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .first()
    .innerText();
  await account.getByRole('button', { name: 'I have saved them' }).click();
  await expect(account.getByRole('button', { name: 'Turn off' })).toBeVisible();

  // The code of the current time step confirmed the set-up, so the login uses that of the next one.
  for (const [label, code] of [
    ['Authentication code', codeOf(secret, 1)],
    ['Recovery code', recoveryCode],
  ] as const) {
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first().click();
    const login = page.getByRole('dialog', { name: TEXTS.auth.loginTitle });
    await login.getByLabel(TEXTS.auth.username).fill(member.username);
    await login.getByLabel(TEXTS.auth.password, { exact: true }).fill(member.password);
    await login.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).click();
    await expect(login.getByLabel('Authentication code')).toBeFocused();
    if (label === 'Recovery code') await login.getByRole('button', { name: 'Use a recovery code' }).click();
    await login.getByLabel(label).fill(code);
    await login.getByLabel(label).press('Enter');
    await expect(login).toBeHidden();
    await expect(page.getByRole('link', { name: `Account of ${member.username}` })).toBeVisible();
  }
});
