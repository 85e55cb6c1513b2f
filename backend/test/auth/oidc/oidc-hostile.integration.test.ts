import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { IdentityProviderTestResult } from '@tanya/contract';
import { errorOf, refusedField } from '../../harness/http-client.js';
import { idp, isSignedIn, server } from './provider-server.js';
import { addProvider, begin, CLIENT, ScriptedProvider } from './scripted-provider.js';

let provider: { id: number };

beforeAll(async () => {
  provider = await addProvider(server, idp, { groupClaim: 'groups' });
});

const subject = () => ({ sub: randomUUID() });
const seconds = () => Math.floor(Date.now() / 1000);

/** The code of the refusal of a sign-in with these claims. */
async function refusalOf(claims: JWTPayload): Promise<string> {
  const client = server.client();
  const answer = await idp.signIn(client, provider, { ...subject(), ...claims });
  expect(await isSignedIn(client)).toBe(false);
  return errorOf(answer).code;
}

describe('an ID token', () => {
  const NOW = seconds();
  it.each<[string, () => JWTPayload]>([
    ['of another issuer', () => ({ iss: 'https://other.example' })],
    ['for another client', () => ({ aud: 'another-client' })],
    ['for several clients, made for another one', () => ({ aud: [CLIENT.clientId, 'other'], azp: 'other' })],
    ['for several clients without the one it was made for', () => ({ aud: [CLIENT.clientId, 'other'] })],
    ['with another nonce', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['that has expired', () => ({ exp: NOW - 600, iat: NOW - 900 })],
    ['without an end', () => ({ exp: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['with an empty subject', () => ({ sub: '' })],
    ['with a subject that is no text', () => ({ sub: 7 as never })],
    ['with a subject that cannot be stored', () => ({ sub: 'a\0b' })],
    ['with a subject of 10,000 characters', () => ({ sub: 'x'.repeat(10_000) })],
  ])('%s is refused (SSO-1)', async (_name, claims) => {
    expect(await refusalOf(claims())).toBe('sign_in_failed');
  });

  it('without a signature, or with one by another key, is refused (SSO-1)', async () => {
    idp.token = (claims) => idp.unsigned(claims);
    expect(await refusalOf({})).toBe('sign_in_failed');
    const other = await ScriptedProvider.start();
    idp.token = (claims) => other.sign(claims);
    expect(await refusalOf({})).toBe('sign_in_failed');
    idp.token = async (claims) => (await idp.sign(claims)).slice(0, -8) + 'AAAAAAAA';
    expect(await refusalOf({})).toBe('sign_in_failed');
    idp.token = (claims) => idp.sign(claims, { kid: 'unknown' });
    expect(await refusalOf({})).toBe('sign_in_failed');
    for (const token of ['', 'a.b.c', '{}', 'x'.repeat(1000)]) {
      idp.token = () => token;
      expect(await refusalOf({})).toBe('sign_in_failed');
    }
    await other.close();
  });

  it('is accepted from a clock that is off by 90 s', async () => {
    for (const offset of [-90, 90]) {
      const client = server.client();
      const now = seconds() + offset;
      await idp.signIn(client, provider, { ...subject(), iat: now, exp: now + 30, nbf: now });
      expect([offset, await isSignedIn(client)]).toEqual([offset, true]);
    }
  });

  it('is verified with the present keys after a rotation between start and callback', async () => {
    const client = server.client();
    const asked = await begin(client, provider);
    await idp.rotate('two');
    expect((await idp.finish(client, asked, subject())).status).toBe(302);
    await idp.rotate('three');
    await idp.signIn(client, provider, subject());
    expect(await isSignedIn(client)).toBe(true);
  });

  it('of 5 MB is refused, and does not hold the server (SSO-2)', async () => {
    const asking = refusalOf({ padding: 'x'.repeat(5 * 1024 * 1024) });
    expect((await server.client().get('/api/health/live')).status).toBe(200);
    expect(['sign_in_failed', 'identity_provider_unreachable']).toContain(await asking);
  });

  it('with 10,000 groups puts the person into the right ones (SSO-2)', async () => {
    const admin = await server.admin();
    const externalName = randomUUID();
    const { body: group } = await admin.post<{ id: number }>('/api/admin/groups', { name: externalName, externalName });
    const groups = [...Array.from({ length: 9_999 }, () => randomUUID()), externalName];
    const client = server.client();
    await idp.signIn(client, provider, { ...subject(), groups });
    expect(await isSignedIn(client)).toBe(true);
    const { body } = await admin.get<{ userIds: number[] }>(`/api/admin/groups/${group.id}/members`);
    expect(body.userIds).toHaveLength(1);
  });

  it('with names of other kinds makes a usable account', async () => {
    for (const claims of [
      { preferred_username: 7, name: ['a'], email: {}, picture: 'https://evil.example/a.png' },
      { preferred_username: '\u202e\u200b\0', name: '\0', email: 'no address' },
      { preferred_username: 'x'.repeat(5000), name: 'y'.repeat(5000), email: `${'z'.repeat(5000)}@example.org` },
      { preferred_username: '@', email: '@example.org' },
    ]) {
      const client = server.client();
      const answer = await idp.signIn(client, provider, { ...subject(), ...claims });
      expect([answer.status, answer.text]).toEqual([302, expect.anything()]);
      expect(await isSignedIn(client)).toBe(true);
    }
  });
});

describe('the description of a provider', () => {
  const start = () => server.client().get(`/api/auth/oidc/${provider.id}/start`);

  it.each<[string, Record<string, unknown>]>([
    ['a private address of another origin', { token_endpoint: 'https://10.0.0.1/token' }],
    ['another port of this machine', { jwks_uri: 'http://127.0.0.1:1/jwks' }],
    ['a metadata service', { userinfo_endpoint: 'https://169.254.169.254/latest' }],
    ['a private page for the browser', { authorization_endpoint: 'https://192.168.0.1/authorize' }],
    ['plain http', { end_session_endpoint: 'http://example.org/logout' }],
    ['another scheme', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no address at all', { token_endpoint: 'nowhere' }],
    ['a name that leads to this machine', { token_endpoint: 'https://localhost/token' }],
    ['another issuer', { issuer: 'https://other.example' }],
    ['no keys', { jwks_uri: undefined }],
    [
      'more values than a turn of the event loop can copy',
      { scopes_supported: Array.from({ length: 300_000 }, () => []) },
    ],
    [
      'the names of many servers',
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x${at}_endpoint`, `https://x${at}.example/`])),
    ],
  ])('is refused with %s (SSO-3)', async (_name, document) => {
    idp.document = document;
    expect(errorOf(await start()).code).toBe('identity_provider_unreachable');
    const admin = await server.admin();
    const { body } = await admin.post<IdentityProviderTestResult>('/api/admin/identity-providers/test', {
      issuer: idp.issuer,
    });
    expect(body.ok).toBe(false);
  });

  it('is read again at each sign-in, also between start and callback', async () => {
    const other = await ScriptedProvider.start();
    const client = server.client();
    const asked = await begin(client, provider);
    // The addresses of one that has moved are those that count; elsewhere on this machine they are refused.
    idp.document = { token_endpoint: `${other.issuer}/token` };
    expect(errorOf(await idp.finish(client, asked, subject())).code).toBe('identity_provider_unreachable');
    idp.document = {};
    await idp.signIn(client, provider, subject());
    expect(await isSignedIn(client)).toBe(true);
    await other.close();
  });

  it('says that the provider is down, and works once it is back', async () => {
    idp.isDown = true;
    const answer = await start();
    expect([answer.status, errorOf(answer).code]).toEqual([503, 'identity_provider_unreachable']);
    idp.isDown = false;
    expect((await start()).status).toBe(302);
    const asked = await begin(server.client(), provider);
    expect(asked.state).not.toBe('');
  });

  it('is not followed to another server by a redirect', async () => {
    const admin = await server.admin();
    const answer = await admin.post<IdentityProviderTestResult>('/api/admin/identity-providers/test', {
      issuer: `${server.url}/api`,
    });
    expect(answer.body).toMatchObject({ ok: false });
  });
});

describe('an identity provider of admins', () => {
  it('has an issuer over https, or on this machine', async () => {
    const admin = await server.admin();
    const fields = { label: 'A', ...CLIENT, provision: 'open' };
    for (const issuer of [
      'http://id.example.org',
      'ftp://id',
      'https://a:b@id.example',
      'https://id/?a=1',
      'https://169.254.169.254',
      'id',
      '',
    ]) {
      const answer = await admin.post('/api/admin/identity-providers', { ...fields, issuer });
      expect([issuer, answer.status, refusedField(answer)]).toEqual([issuer, 400, 'issuer']);
    }
  });

  it('needs the secret again for another issuer, and never shows it (SSO-4)', async () => {
    const admin = await server.admin();
    const { id } = await addProvider(server, { issuer: 'https://id.example.org' });
    const path = `/api/admin/identity-providers/${id}`;
    const refused = await admin.patch(path, { issuer: 'https://evil.example' });
    expect([refused.status, refusedField(refused)]).toEqual([400, 'clientSecret']);
    const renamed = { issuer: 'https://id.example.org', label: 'B', scopes: ['email', 'groups'] };
    expect((await admin.patch(path, renamed)).body).toMatchObject({ label: 'B', scopes: 'openid email groups' });
    expect((await admin.patch(path, { issuer: 'https://new.example', clientSecret: 'new' })).status).toBe(200);
    const listed = await admin.get('/api/admin/identity-providers');
    expect(listed.text).not.toContain(CLIENT.clientSecret);
    const audit = await admin.get('/api/admin/audit');
    expect(audit.text).not.toContain(CLIENT.clientSecret);
    expect((await admin.delete(path)).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(404);
  });
});
