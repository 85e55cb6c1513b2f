import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { User } from '@tanya/contract';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { codeOf } from '../../harness/totp-codes.js';
import { enrolledMember } from '../totp-harness.js';
import { connect, idp, isSignedIn, server } from './provider-server.js';
import { addProvider, askedIn, begin, CLIENT, ScriptedProvider } from './scripted-provider.js';

let admin: HttpClient;
let provider: { id: number };

beforeAll(async () => {
  admin = await server.admin();
  provider = await addProvider(server, idp);
});

const subject = () => ({ sub: randomUUID() });

/** What happens to an account while its person is at the provider, and the refusal that is due. */
const MEANWHILE: [string, string, (id: number) => Promise<unknown>][] = [
  ['suspended', 'account_suspended', (id) => admin.patch(`/api/admin/users/${id}`, { isSuspended: true })],
  [
    'made to wait',
    'account_pending',
    (id) => server.dataSource.query('update "user" set is_approved = false where id = $1', [id]),
  ],
  [
    'made a service account',
    'forbidden',
    (id) => server.dataSource.query('update "user" set is_service = true where id = $1', [id]),
  ],
];

describe('an account that meanwhile', () => {
  it.each(MEANWHILE)('was %s gets no session (SSO-7)', async (_name, code, change) => {
    const { user } = await server.member();
    const { sub } = subject();
    await connect(user.id, sub);
    const client = server.client();
    const asked = await begin(client, provider);
    await change(user.id);
    expect(errorOf(await idp.finish(client, asked, { sub })).code).toBe(code);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('was deleted is not connected with the login that it asked for, nor confirmed by it (SSO-7)', async () => {
    for (const path of ['link', 'reauth']) {
      const { client, user } = await server.member();
      const asked =
        path === 'reauth'
          ? await begin(client, provider, '?reauth=true')
          : askedIn(
              (await client.post<{ url: string }>(`/api/auth/oidc/${provider.id}/link`, { password: PASSWORD })).body
                .url,
            );
      expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
      const person = { ...subject(), auth_time: Math.floor(Date.now() / 1000) };
      expect(errorOf(await idp.finish(client, asked, person)).code).toBe('sign_in_failed');
      const rows = await server.dataSource.query('select id from user_identity where subject = $1', [person.sub]);
      expect(rows).toEqual([]);
    }
  });

  it.each<[string, string, (id: number, client: HttpClient) => Promise<unknown>]>([
    ...MEANWHILE.slice(0, 1),
    ['deleted', 'sign_in_failed', (id) => admin.delete(`/api/admin/users/${id}`)],
    ['signed out everywhere', 'sign_in_failed', (_id, client) => client.post('/api/user/logout-everywhere')],
    [
      'disconnected from the login',
      'sign_in_failed',
      (id) => server.dataSource.query('delete from user_identity where user_id = $1', [id]),
    ],
  ])('was %s before the code gets no session (SSO-7)', async (_name, code, change) => {
    const member = await enrolledMember(server);
    const { sub } = subject();
    await connect(member.user.id, sub);
    const client = server.client();
    expect((await idp.signIn(client, provider, { sub })).headers.get('location')).toContain('step=code');
    await change(member.user.id, member.client);
    const answer = await client.post('/api/auth/oidc/complete', { code: codeOf(member.secret) });
    expect(errorOf(answer).code).toBe(code);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('was removed by its provider keeps no session longer by signing in there again (SSO-7)', async () => {
    const { client, user } = await server.member();
    const { sub } = subject();
    await connect(user.id, sub);
    const endOf = async () => {
      const [row] = await server.dataSource.query<[{ endsAt: number }]>(
        `select (sess ->> 'endsAt')::float8 as "endsAt" from session where (sess ->> 'userId')::int = $1`,
        [user.id],
      );
      return row.endsAt;
    };
    const before = await endOf();
    const asked = await begin(client, provider, '?reauth=true');
    expect((await idp.finish(client, asked, { sub, auth_time: Math.floor(Date.now() / 1000) })).status).toBe(302);
    expect(await endOf()).toBe(before);
  });
});

describe('a provider that meanwhile', () => {
  it('was deleted, or has another issuer, gives no session', async () => {
    const gone = await addProvider(server, idp);
    const client = server.client();
    const asked = await begin(client, gone);
    expect((await admin.delete(`/api/admin/identity-providers/${gone.id}`)).status).toBe(200);
    expect(errorOf(await idp.finish(client, asked, subject())).code).toBe('not_found');
    const other = await ScriptedProvider.start();
    const moved = await addProvider(server, idp);
    const started = await begin(client, moved);
    const change = { issuer: other.issuer, clientSecret: CLIENT.clientSecret };
    expect((await admin.patch(`/api/admin/identity-providers/${moved.id}`, change)).status).toBe(200);
    expect(errorOf(await idp.finish(client, started, subject())).code).toBe('sign_in_failed');
    expect(await isSignedIn(client)).toBe(false);
    await other.close();
  });
});

describe('an attacker', () => {
  it('gets no code of one provider sent to another: the answer names its issuer (SSO-8)', async () => {
    idp.document = { authorization_response_iss_parameter_supported: true };
    const tokens = () => idp.requests.filter(({ path }) => path === '/token').length;
    const before = tokens();
    for (const issuer of ['https://other.example', `${idp.issuer}/`, '']) {
      const client = server.client();
      const { state, redirectUri } = await begin(client, provider);
      const query = new URLSearchParams({ code: 'stolen', state, ...(issuer !== '' && { iss: issuer }) });
      const answer = await client.get(`${new URL(redirectUri).pathname}?${query.toString()}`);
      expect(errorOf(answer).code).toBe('sign_in_failed');
      expect(await isSignedIn(client)).toBe(false);
    }
    expect(tokens()).toBe(before);
  });

  it('makes no token with the client secret in place of a key (SSO-1)', async () => {
    const algorithms = ['RS256', 'HS256', 'none'];
    idp.document = { id_token_signing_alg_values_supported: algorithms };
    const secret = new TextEncoder().encode(CLIENT.clientSecret);
    idp.token = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    const client = server.client();
    expect(errorOf(await idp.signIn(client, provider, subject())).code).toBe('sign_in_failed');
    expect(await isSignedIn(client)).toBe(false);
  });

  it('gives a browser no session or guest that the attacker knows (SSO-9)', async () => {
    const attacker = await server.guest();
    await attacker.post('/api/chat/message', { content: 'hello' });
    const client = attacker.copy();
    client.cookies.set('tanya.sid', 's%3Aknown.signature');
    const before = new Map(client.cookies);
    await idp.signIn(client, provider, subject());
    expect(await isSignedIn(client)).toBe(true);
    for (const name of ['tanya.sid', 'tanya.guest']) expect(client.cookies.get(name)).not.toBe(before.get(name));
    expect(await isSignedIn(attacker)).toBe(false);
  });

  it('connects no login of another site’s page, nor one that the attacker began (SSO-9)', async () => {
    const { client, user } = await server.member();
    const foreign = await client.send('POST', `/api/auth/oidc/${provider.id}/link`, {
      body: { password: PASSWORD },
      headers: { Origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    const attacker = await server.member();
    const { body } = await attacker.client.post<{ url: string }>(`/api/auth/oidc/${provider.id}/link`, {
      password: PASSWORD,
    });
    const answer = await idp.finish(client, askedIn(body.url), subject());
    expect(errorOf(answer).code).toBe('sign_in_failed');
    expect((await client.get<unknown[]>('/api/user/identities')).body).toEqual([]);
    expect((await client.get<User>('/api/user')).body.id).toBe(user.id);
  });

  it('begins no sign-in from a page of another site: the login asks the person first (SSO-9, ASVS 7.6.2)', async () => {
    const start = `/api/auth/oidc/${provider.id}/start?returnTo=%2Fusage%3Fdays%3D7`;
    const startFrom = (client: HttpClient, site: string, query = '') =>
      client.get(`${start}${query}`, { headers: { 'Sec-Fetch-Site': site } });
    for (const site of ['cross-site', 'same-site']) {
      for (const client of [await server.guest(), (await server.member()).client]) {
        const before = new Map(client.cookies);
        for (const query of ['', '&reauth=true']) {
          const answer = await startFrom(client, site, query);
          const location = answer.headers.get('location');
          expect([site, answer.status, location]).toEqual([site, 302, '/login?returnTo=%2Fusage%3Fdays%3D7']);
        }
        expect([...client.cookies].filter(([name]) => name.includes('oidc'))).toEqual([]);
        expect(client.cookies.get('tanya.sid')).toBe(before.get('tanya.sid'));
      }
    }
    for (const site of ['same-origin', 'none']) {
      const client = server.client();
      const answer = await startFrom(client, site);
      expect(answer.headers.get('location')).toMatch(new RegExp(`^${idp.issuer}/authorize`));
      const asked = askedIn(answer.headers.get('location')!);
      expect((await idp.finish(client, asked, subject())).headers.get('location')).toBe('/usage?days=7');
    }
  });

  it('needs the verifier of the browser: each sign-in sends another one with its code (SSO-9)', async () => {
    const verifiers = [];
    for (let sign = 0; sign < 2; sign += 1) {
      const client = server.client();
      const asked = await begin(client, provider);
      expect(asked.query.get('code_challenge_method')).toBe('S256');
      await idp.finish(client, asked, subject());
      const verifier = idp.requests.findLast(({ path }) => path === '/token')!.body.get('code_verifier')!;
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
      expect(Buffer.from(digest).toString('base64url')).toBe(asked.query.get('code_challenge'));
      verifiers.push(verifier);
    }
    expect(new Set(verifiers).size).toBe(2);
  });
});
