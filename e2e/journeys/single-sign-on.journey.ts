import { TEXTS } from '@tanya/contract';
import { freePort } from '../../backend/test/harness/free-port.js';
import { type RealProvider, startOidcProvider } from '../../backend/test/harness/servers/oidc-provider.js';
import { expectAccessible } from '../accessibility.js';
import { expect, type Page, test } from '../journey.js';
import { openAccount } from '../pages.js';

// The provider is another server, whose pages ask for fonts. The browser logs refused calls.
// After the logout it asks once for the guest's chat, which is the account's now.
test.use({
  installation: 'single-sign-on',
  expectedErrors: [/A request left the product|net::ERR|status of 40[01349]/],
});
test.describe.configure({ mode: 'default' });
test.setTimeout(180_000);

const CLIENT = { clientId: 'tanya', clientSecret: 'a secret of the provider' };
const PEOPLE = {
  sari: { name: 'Sari Dewi', preferred_username: 'sari', email: 'sari@example.org', groups: ['research'] },
  budi: { name: 'Budi Santoso', preferred_username: 'budi', groups: [] },
};

let idp: RealProvider | null = null;
test.afterAll(async () => idp?.stop());

/** The login and consent pages of the provider. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/interaction\//);
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]').click();
}

test('an administrator connects a provider, and a guest signs in with the chat', async ({
  administrator,
  chat,
  other,
  page,
  product,
}) => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const callback = (id: number) => `${product.url}/api/auth/oidc/${id}/callback`;
  idp = await startOidcProvider(port, {
    people: PEOPLE,
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [callback(1), callback(2)],
        post_logout_redirect_uris: [`${product.url}/`],
      },
    ],
  });
  await chat.signIn(product.admin);
  await page.goto('/admin/settings#identity-providers');
  await page.getByRole('button', { name: 'Add identity provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'New identity provider' });
  await dialog.getByLabel('Name on the button').fill('Company');
  await dialog.getByLabel('Issuer').fill(`${issuer}/wrong`);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText(/No valid description of an OpenID provider/)).toBeVisible();
  await dialog.getByLabel('Issuer').fill(issuer);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText('The provider answers and can be used.')).toBeVisible();
  await dialog.getByLabel('Client ID').fill(CLIENT.clientId);
  await dialog.getByLabel('Client secret').fill(CLIENT.clientSecret);
  await dialog.getByLabel('People without an account').selectOption('get an account at once');
  await dialog.getByLabel('Scopes').fill('openid profile email groups');
  await dialog.getByLabel('Claim with the groups').fill('groups');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'new identity provider');
  await dialog.getByRole('button', { name: 'Add identity provider' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Identity providers' }).getByText('Company')).toBeVisible();
  const group = { name: 'Research', externalName: 'research' };
  const made = await administrator.post('/api/admin/groups', { data: group });
  const { id: groupId } = (await made.json()) as { id: number };
  const model = { modelId: 'research/model', name: 'Research model', provider: 'research', isEnabled: true };
  const access = { access: 'groups', groupIds: [groupId] };
  expect((await administrator.post('/api/admin/models', { data: { ...model, ...access } })).ok()).toBe(true);
  const models = async () => (await other.page.request.get('/api/models')).text();

  await other.page.setViewportSize({ width: 390, height: 844 });
  await other.chat.open();
  expect(await models()).not.toContain('Research model');
  await other.chat.send('A question of a guest');
  await other.chat.answerEnds();
  await other.page.goto('/login?returnTo=/usage');
  const button = other.page.getByRole('link', { name: 'Continue with Company' });
  await expect(button).toBeVisible();
  await expectAccessible(other.page, 'login with a provider');
  await button.focus();
  await other.page.keyboard.press('Enter');
  await signInThere(other.page, 'sari');
  await other.page.waitForURL(/\/usage/);
  const session = (await (await other.page.request.get('/api/session')).json()) as { user: { id: number } };
  expect(session.user).toMatchObject({ username: 'sari', fullName: 'Sari Dewi' });
  const threads = await (await other.page.request.get('/api/chat/threads')).text();
  expect(threads).toContain('A question of a guest');

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/admin/groups');
  await page.getByRole('button', { name: 'Members of Research' }).click();
  await expect(page.getByRole('dialog').getByText('through Company')).toBeVisible();

  // The model of the group is hers until she signs out, which ends the session at the provider too.
  await other.page.setViewportSize({ width: 1280, height: 800 });
  await other.chat.open();
  await other.page.getByRole('button', { name: /^Model: / }).click();
  await expect(other.page.getByRole('option', { name: /Research model/ })).toBeVisible();
  await other.page.keyboard.press('Escape');
  await other.page.goto('/account/security');
  await other.page.getByRole('button', { name: 'Logout' }).click();
  await other.page.waitForURL(/\/session\/end/);
  await other.page.locator('button[value=yes]').click();
  await other.page.waitForURL(`${product.url}/`);
  await expect(other.page.getByRole('button', { name: TEXTS.sidebar.login, exact: true }).first()).toBeVisible();
  expect(await models()).not.toContain('Research model');
  await other.page.goto('/login');
  await other.page.getByRole('link', { name: 'Continue with Company' }).click();
  await other.page.waitForURL(/\/interaction\//);
  await expect(other.page.locator('input[name=login]')).toBeVisible();

  // The page of another site begins no sign-in: it leads to the login.
  const start = `${product.url}/api/auth/oidc/1/start?returnTo=/usage`;
  await other.page.evaluate((address) => window.location.assign(address), start);
  await other.page.waitForURL(`${product.url}/login?returnTo=%2Fusage`);
  await expect(other.page.getByRole('link', { name: 'Continue with Company' })).toBeVisible();
});

test('a member connects the login, and a failure is explained', async ({ chat, member, page }) => {
  await chat.signIn(member);
  await chat.open();
  const account = await openAccount(page, 'Security');
  await account.getByRole('button', { name: 'Connect Company' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Company' });
  await dialog.getByLabel('Current password').fill(member.password);
  await expectAccessible(page, 'connect a login');
  await dialog.getByRole('button', { name: 'Go on to Company' }).click();
  await signInThere(page, 'budi');
  await page.waitForURL(/\/account\/security/);
  const list = page.getByRole('list', { name: 'Connected logins' });
  await expect(list.getByText('budi · not used yet')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'connected logins');
  await list.getByRole('button', { name: 'Disconnect Company' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No login is connected yet.')).toBeVisible();
  // The entry of the dialog leaves the history of a phone a moment later, by a navigation.
  await page.waitForFunction(() => !(history.state as { overlays?: number }).overlays);

  // People come back from the site of the provider. The page without its session would go elsewhere by itself.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/api/auth/oidc/1/callback?state=unknown');
  await expect(page.getByRole('alert')).toContainText('This sign-in has expired or was used before.');
  await expect(page.getByLabel(TEXTS.auth.password, { exact: true })).toBeVisible();
  await expectAccessible(page, 'login after a failure');
});
