import { TEXTS } from '@tanya/contract';
import { expect, test } from '../journey.js';
import { openAccount } from '../pages.js';

// The browser logs each refused login.
test.use({ expectedErrors: [/status of 401/] });

test('a member adds a passkey, signs in with it and removes it', async ({ chat, member, page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await chat.signIn(member);
  await chat.open();
  const account = await openAccount(page, 'Security');
  await account.getByRole('button', { name: 'Add a passkey' }).click();
  await account.getByLabel('Name of the passkey').fill('My laptop');
  await account.getByLabel('Your password').fill('not this one');
  await account.getByRole('button', { name: 'Create passkey' }).click();
  await expect(account.getByText('The current password is wrong. Please try again.')).toBeVisible();
  await account.getByLabel('Your password').fill(member.password);
  await account.getByRole('button', { name: 'Create passkey' }).click();
  const passkeys = account.getByRole('list', { name: 'Passkeys' });
  await expect(passkeys.getByText('My laptop')).toBeVisible();
  await expect(passkeys.getByText(/not used yet/)).toBeVisible();

  // In the session that began with the password, the passkey stands for it in every form.
  await account.getByRole('button', { name: 'Set up two-factor login' }).click();
  await account.getByRole('button', { name: 'Confirm with a passkey' }).last().click();
  await expect(account.getByLabel('Authentication code')).toBeVisible();
  await account.getByRole('button', { name: 'Cancel' }).click();
  await account.getByLabel('New password').fill('another quiet harbour');
  await account.getByRole('button', { name: 'Confirm with a passkey' }).first().click();
  await expect(page.getByText('Password changed')).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first().click();
  const login = page.getByRole('dialog', { name: TEXTS.auth.loginTitle });
  await login.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(login).toBeHidden();
  await expect(page.getByRole('link', { name: `Account of ${member.username}` })).toBeVisible();

  const again = await openAccount(page, 'Security');
  const row = again.getByRole('list', { name: 'Passkeys' });
  await expect(row.getByText(/last used/)).toBeVisible();
  await row.getByRole('button', { name: 'Remove My laptop' }).click();
  await row.getByRole('button', { name: 'Confirm with a passkey' }).click();
  await expect(row).toBeHidden();

  // The device still offers the key, which no longer belongs to an account.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first().click();
  await login.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByText('This passkey was not accepted. Please try again or use your password.')).toBeVisible();
});
