import type { IdentityProvider, SignInProvider, User } from '@tanya/contract';
import { createGroup } from '../../access/group-harness.js';
import { freePort } from '../../harness/free-port.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { type RealProvider, startOidcProvider } from '../../harness/servers/oidc-provider.js';
import { startTestApp, type TestApp } from '../../harness/test-app.js';
import { waitUntil } from '../../harness/wait-until.js';
import { addProvider, CLIENT } from './scripted-provider.js';

const PEOPLE = {
  sari: { name: 'Sari Dewi', preferred_username: 'sari', email: 'sari@example.org', groups: ['staff', 'paying'] },
  budi: { preferred_username: 'budi' },
  dewi: { preferred_username: 'dewi', email: 'dewi@example.org', email_verified: true },
  tono: { preferred_username: 'tono', email: 'tono@example.org' },
  ratna: { preferred_username: 'ratna', email: 'ratna@elsewhere.example', email_verified: true },
};

let server: TestApp;
let idp: RealProvider;
let provider: IdentityProvider;
/** That of the environment. */
let environment: SignInProvider;

beforeAll(async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  server = await startTestApp({ env: { oidc: { issuer, label: 'Environment', ...CLIENT } } });
  const claims = { groupClaim: 'groups', premiumGroup: 'paying', scopes: 'profile email groups' };
  provider = await addProvider(server, { issuer }, claims);
  environment = (await server.client().get<SignInProvider[]>('/api/auth/providers')).body[0]!;
  const callOf = ({ id }: { id: number }, call: string) => `${server.url}/api/auth/oidc/${id}/${call}`;
  idp = await startOidcProvider(port, {
    people: PEOPLE,
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [callOf(provider, 'callback'), callOf(environment, 'callback')],
        post_logout_redirect_uris: [`${server.url}/`],
        backchannel_logout_uri: callOf(provider, 'backchannel-logout'),
        backchannel_logout_session_required: true,
      },
    ],
  });
});
afterAll(async () => {
  await server.close();
  await idp.stop();
});

async function signIn(client: HttpClient, { id }: { id: number }, name: string, person = idp.browser()) {
  const start = await client.get(`/api/auth/oidc/${id}/start?returnTo=/usage`);
  const back = new URL(await person.signIn(start.headers.get('location')!, name));
  return client.get(back.pathname + back.search);
}

describe('a certified provider', () => {
  it('signs people in and gives them groups and rights (SSO-6)', async () => {
    const group = await createGroup(server, { externalName: 'staff' });
    const client = server.client();
    const answer = await signIn(client, provider, 'sari');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/usage']);
    const { body: user } = await client.get<User>('/api/user');
    expect(user).toMatchObject({ fullName: 'Sari Dewi', email: 'sari@example.org', isPremium: true });
    const admin = await server.admin();
    const { body } = await admin.get(`/api/admin/groups/${group.id}/members`);
    expect(body).toEqual({ userIds: [user.id], provided: [{ userId: user.id, providerId: provider.id }] });
    const logout = await client.post<{ url: string }>('/api/logout');
    expect(logout.body.url.startsWith(`${idp.issuer}/session/end?`)).toBe(true);
  });

  it('ends our session when people log out there (SSO-6)', async () => {
    const [client, person] = [server.client(), idp.browser()];
    await signIn(client, provider, 'sari', person);
    expect((await client.get('/api/user')).status).toBe(200);
    await person.logOut();
    await waitUntil('the logout to arrive', async () => (await client.get('/api/user')).status === 401);
  });

  it('of the environment is listed and not edited, and follows the registration mode', async () => {
    const admin = await server.admin();
    const { body } = await admin.get<IdentityProvider[]>('/api/admin/identity-providers');
    expect(body[0]).toMatchObject({ ...environment, isFromEnvironment: true, hasClientSecret: true });
    const path = `/api/admin/identity-providers/${environment.id}`;
    for (const answer of [await admin.patch(path, { label: 'Other' }), await admin.delete(path)]) {
      expect(answer.status).toBe(409);
      expect(errorOf(answer).details).toEqual({ params: { reason: 'identity_provider_environment' } });
    }
    await admin.patch('/api/admin/general-settings', { registrationMode: 'approval' });
    const waiting = server.client();
    expect(errorOf(await signIn(waiting, environment, 'budi')).code).toBe('account_pending');
    await admin.patch('/api/admin/general-settings', { registrationMode: 'open' });
    const known = server.client();
    expect((await signIn(known, environment, 'sari')).status).toBe(302);
  });

  it('of the environment lets in who proves an address of an allowed domain', async () => {
    const admin = await server.admin();
    await admin.patch('/api/admin/general-settings', {
      registrationMode: 'approval',
      allowedEmailDomains: ['example.org'],
    });
    expect((await signIn(server.client(), environment, 'dewi')).status).toBe(302);
    for (const person of ['tono', 'ratna'])
      expect(errorOf(await signIn(server.client(), environment, person)).code).toBe('account_pending');
    await admin.patch('/api/admin/general-settings', { registrationMode: 'open', allowedEmailDomains: [] });
  });
});
