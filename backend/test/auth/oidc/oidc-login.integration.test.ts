import { randomUUID } from 'node:crypto';
import type { AccountSession, SignInProvider, User } from '@tanya/contract';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { codeOf } from '../../harness/totp-codes.js';
import { enrolledMember } from '../totp-harness.js';
import { connect, idp, server } from './provider-server.js';
import { addProvider, begin, CLIENT } from './scripted-provider.js';

let provider: { id: number };

beforeAll(async () => {
  provider = await addProvider(server, idp);
});

const subject = () => ({ sub: randomUUID() });

async function userOf(client: HttpClient): Promise<User> {
  const answer = await client.get<User>('/api/user');
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body;
}

/** The failure of a sign-in, which leaves no session. */
async function failureOf(client: HttpClient, answer: Awaited<ReturnType<HttpClient['get']>>): Promise<unknown[]> {
  expect((await client.get('/api/user')).status).toBe(401);
  const { code, details } = errorOf(answer);
  const reason = details && 'params' in details ? details.params['reason'] : undefined;
  return [answer.status, code, ...(reason === undefined ? [] : [reason])];
}

describe('sign-in at an identity provider', () => {
  it('offers the providers to everybody', async () => {
    const { body } = await server.client().get<SignInProvider[]>('/api/auth/providers');
    expect(body).toContainEqual({ id: provider.id, label: 'Company' });
  });

  it('asks with PKCE, state and nonce, and returns to the page', async () => {
    const client = await server.guest();
    const asked = await begin(client, provider, '?returnTo=/usage%3Fdays%3D7');
    expect(Object.fromEntries(asked.query)).toMatchObject({
      client_id: CLIENT.clientId,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const person = {
      ...subject(),
      preferred_username: 'Sari@example.org',
      name: 'Sari Dewi',
      email: 'sari@example.org',
    };
    const answer = await idp.finish(client, asked, person);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/usage?days=7']);
    expect(await userOf(client)).toMatchObject({
      username: 'Sari',
      fullName: 'Sari Dewi',
      email: 'sari@example.org',
      isAdmin: false,
      isPremium: false,
    });
    const exchange = idp.requests.findLast(({ path }) => path === '/token')!;
    expect(exchange.authorization).toMatch(/^Basic /);
    expect(exchange.body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  it('knows a person by issuer and subject, and neither by name nor by address', async () => {
    const victim = await server.member({ email: 'victim@example.org' });
    const claims = { preferred_username: victim.username, email: 'victim@example.org', email_verified: true };
    const [one, again, other] = [subject(), server.client(), server.client()];
    const first = server.client();
    await idp.signIn(first, provider, { ...one, ...claims });
    const user = await userOf(first);
    expect(user.id).not.toBe(victim.user.id);
    expect(user.username).toBe(`${victim.username}-2`);
    expect(user.email).toBe('victim@example.org');
    await idp.signIn(again, provider, { ...one, preferred_username: 'renamed' });
    expect((await userOf(again)).id).toBe(user.id);
    await idp.signIn(other, provider, { ...subject(), ...claims });
    expect((await userOf(other)).id).not.toBe(user.id);
  });

  it('brings the chats of the guest along', async () => {
    const client = await server.guest();
    await server.dataSource.query(`insert into thread (owner, title) select 'guest:' || $1, 'Kept' returning id`, [
      decodeURIComponent(client.cookies.get('tanya.guest')!).split('.')[0],
    ]);
    await idp.signIn(client, provider, subject());
    const { id } = await userOf(client);
    const rows = await server.dataSource.query('select title from thread where owner = $1', [`user:${id}`]);
    expect(rows).toEqual([{ title: 'Kept' }]);
  });

  it('authenticates by a method that the provider offers', async () => {
    idp.document = { token_endpoint_auth_methods_supported: ['client_secret_jwt', 'none'] };
    await idp.signIn(server.client(), provider, subject());
    expect(idp.requests.at(-1)!.path).toMatch(/token|jwks/);
    const exchange = idp.requests.findLast(({ path }) => path === '/token')!;
    expect(exchange.body.get('client_assertion_type')).toContain('jwt-bearer');
    expect(exchange.body.get('client_secret')).toBeNull();
    idp.document = { token_endpoint_auth_methods_supported: ['tls_client_auth'] };
    const answer = await server.client().get(`/api/auth/oidc/${provider.id}/start`);
    expect(errorOf(answer).code).toBe('identity_provider_unreachable');
  });

  it('refuses to return to another site', async () => {
    const client = server.client();
    for (const address of [
      'https://evil.example/',
      '//evil.example/path',
      '/\\evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      'http://127.0.0.1:1/',
      '\t//evil.example',
    ]) {
      const answer = await client.get(`/api/auth/oidc/${provider.id}/start?returnTo=${encodeURIComponent(address)}`);
      expect([address, answer.status]).toEqual([address, 400]);
    }
  });

  it('leaves room for the other headers of a request, whatever the pages are', async () => {
    const start = (client: HttpClient, path: string) =>
      client.get(`/api/auth/oidc/${provider.id}/start?returnTo=${encodeURIComponent(path)}`);
    const client = server.client();
    expect((await start(client, `/${'ß'.repeat(1_000)}`)).status).toBe(400);
    for (let tab = 0; tab < 6; tab += 1) expect((await start(client, `/${'x'.repeat(1_999)}`)).status).toBe(302);
    expect(client.cookieHeader.length).toBeLessThan(10_000);
    expect(Math.max(...[...client.cookies.values()].map(({ length }) => length))).toBeLessThan(4_000);
    const asked = await begin(client, provider);
    await idp.finish(client, asked, subject());
    expect((await client.get('/api/user')).status).toBe(200);
  });

  describe('with state', () => {
    it('works once, in the browser that began it, and for its provider', async () => {
      const client = server.client();
      const asked = await begin(client, provider);
      const stranger = server.client();
      expect(await failureOf(stranger, await idp.finish(stranger, asked, subject()))).toEqual([
        400,
        'sign_in_failed',
        'expired',
      ]);
      const other = await addProvider(server, idp, { label: 'Other' });
      const elsewhere = { ...asked, redirectUri: asked.redirectUri.replace(/\d+\/callback/, `${other.id}/callback`) };
      expect(await failureOf(client, await idp.finish(client, elsewhere, subject()))).toContain('expired');
      const copy = client.copy();
      expect((await idp.finish(client, asked, subject())).status).toBe(302);
      expect(await failureOf(copy, await idp.finish(copy, asked, subject()))).toContain('expired');
    });

    it('lets two tabs sign in at once', async () => {
      const client = server.client();
      const [one, two] = [await begin(client, provider), await begin(client, provider)];
      const person = subject();
      expect((await idp.finish(client, one, person)).status).toBe(302);
      expect((await idp.finish(client, two, person)).status).toBe(302);
    });

    it('is refused without one, and after a cancelled sign-in', async () => {
      const client = server.client();
      const asked = await begin(client, provider);
      const path = new URL(asked.redirectUri).pathname;
      expect(await failureOf(client, await client.get(path))).toContain('expired');
      expect(await failureOf(client, await client.get(`${path}?state=a&state=b`))).toContain('expired');
      const denied = await client.get(`${path}?error=access_denied&state=${asked.state}`);
      expect(await failureOf(client, denied)).toEqual([400, 'sign_in_failed', 'cancelled']);
    });

    it('sends a browser to the login after a failure, with what the sign-in was for', async () => {
      const client = server.client();
      const answerTo = async (query: string) => {
        const path = `/api/auth/oidc/${provider.id}/callback?${query}`;
        const answer = await client.get(path, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
        return [answer.status, answer.headers.get('location')];
      };
      expect(await answerTo('state=unknown')).toEqual([302, '/login?error=sign_in_failed&reason=expired']);
      const { state } = await begin(client, provider, '?reauth=true&returnTo=/usage');
      expect(await answerTo(`error=access_denied&state=${state}`)).toEqual([
        302,
        '/login?error=sign_in_failed&reason=cancelled&purpose=reauth&returnTo=%2Fusage',
      ]);
    });
  });

  describe('with a second factor', () => {
    it('asks for the code after the provider, unless that is trusted', async () => {
      const member = await enrolledMember(server);
      const person = subject();
      await connect(member.user.id, person.sub);
      const client = await server.guest();
      const answer = await idp.signIn(client, provider, person, '?returnTo=/usage');
      expect(answer.headers.get('location')).toBe('/login?step=code&returnTo=%2Fusage');
      expect((await client.get('/api/user')).status).toBe(401);
      const wrong = await client.post('/api/auth/oidc/complete', { code: '000000' });
      expect(errorOf(wrong).code).toBe('totp_invalid');
      const stranger = await server.client().post('/api/auth/oidc/complete', { code: codeOf(member.secret) });
      expect(errorOf(stranger).code).toBe('sign_in_failed');
      const right = await client.post<User>('/api/auth/oidc/complete', { code: codeOf(member.secret) });
      expect([right.status, right.body.id]).toEqual([200, member.user.id]);
      expect((await userOf(client)).id).toBe(member.user.id);

      const trusted = await addProvider(server, idp, { trustsSecondFactor: true });
      const browser = server.client();
      await idp.signIn(browser, trusted, person);
      expect((await userOf(browser)).id).toBe(member.user.id);
    });

    it('needs the code unless acr or amr tell of two factors, where their values are named (ASVS 6.8.4)', async () => {
      idp.document = { acr_values_supported: ['bronze', 'gold'] };
      const fields = { trustsSecondFactor: true, secondFactorValues: ' gold\n mfa ' };
      const strict = await addProvider(server, idp, fields);
      expect(strict.secondFactorValues).toBe('gold  mfa');
      const member = await enrolledMember(server);
      const person = subject();
      await connect(member.user.id, person.sub);
      expect((await begin(server.client(), strict)).query.get('acr_values')).toBe('gold');
      for (const claims of [{}, { amr: ['pwd'], acr: 'bronze' }, { amr: 'pwd mfa' }, { amr: [{ mfa: true }] }]) {
        const client = server.client();
        const answer = await idp.signIn(client, strict, { ...person, ...claims });
        expect([claims, answer.headers.get('location')]).toEqual([claims, expect.stringContaining('step=code')]);
        expect((await client.get('/api/user')).status).toBe(401);
      }
      for (const claims of [{ amr: ['pwd', 'mfa'] }, { acr: 'gold' }]) {
        const client = server.client();
        await idp.signIn(client, strict, { ...person, ...claims });
        expect((await userOf(client)).id).toBe(member.user.id);
      }
      const admin = await server.admin();
      const path = `/api/admin/identity-providers/${strict.id}`;
      expect((await admin.patch(path, { secondFactorValues: 'x'.repeat(501) })).status).toBe(400);
      expect((await admin.patch(path, { secondFactorValues: ['mfa'] })).status).toBe(400);
      expect((await admin.patch(path, { secondFactorValues: '' })).body).toMatchObject({ secondFactorValues: null });
      const trusted = server.client();
      await idp.signIn(trusted, strict, person);
      expect((await userOf(trusted)).id).toBe(member.user.id);
    });

    it('must be enrolled where the site requires it, unless the provider is trusted', async () => {
      const admin = await server.admin();
      const require = (member: boolean) =>
        admin.patch('/api/admin/general-settings', { totpRequired: { admin: false, member } });
      expect((await require(true)).status).toBe(200);
      try {
        const [plain, trusting] = [server.client(), server.client()];
        await idp.signIn(plain, provider, subject());
        expect(errorOf(await plain.get('/api/chat/threads')).code).toBe('totp_enrollment_required');
        const trusted = await addProvider(server, idp, { trustsSecondFactor: true, secondFactorValues: 'mfa' });
        const person = subject();
        await idp.signIn(trusting, trusted, person);
        expect(errorOf(await trusting.get('/api/chat/threads')).code).toBe('totp_enrollment_required');
        await idp.signIn(trusting, trusted, { ...person, amr: ['mfa'] });
        expect((await trusting.get('/api/chat/threads')).status).toBe(200);
      } finally {
        await require(false);
      }
    });
  });

  describe('of people without an account', () => {
    it('waits for approval, or needs a connected account', async () => {
      const [waiting, linked] = await Promise.all([
        addProvider(server, idp, { provision: 'approval' }),
        addProvider(server, idp, { provision: 'linked-only' }),
      ]);
      const client = server.client();
      const person = { ...subject(), preferred_username: 'waiting-person' };
      expect(await failureOf(client, await idp.signIn(client, waiting, person))).toEqual([403, 'account_pending']);
      expect(await failureOf(client, await idp.signIn(client, waiting, person))).toEqual([403, 'account_pending']);
      const rows = await server.dataSource.query(`select is_approved from "user" where username = 'waiting-person'`);
      expect(rows).toEqual([{ is_approved: false }]);
      expect(await failureOf(client, await idp.signIn(client, linked, subject()))).toEqual([
        403,
        'identity_not_linked',
      ]);
    });

    it('is open whatever the registration mode is', async () => {
      const admin = await server.admin();
      await admin.patch('/api/admin/general-settings', { registrationMode: 'closed' });
      const client = server.client();
      await idp.signIn(client, provider, subject());
      expect((await userOf(client)).username).toMatch(/^user/);
      await admin.patch('/api/admin/general-settings', { registrationMode: 'open' });
    });

    it('makes one account for two sign-ins at once', async () => {
      const person = { ...subject(), preferred_username: 'hurried' };
      const clients = [server.client(), server.client()];
      await Promise.all(clients.map((client) => idp.signIn(client, provider, person)));
      const [one, two] = await Promise.all(clients.map(userOf));
      expect(one!.id).toBe(two!.id);
    });
  });

  it('refuses an account that was suspended, deleted or is a service', async () => {
    const admin = await server.admin();
    const client = server.client();
    const person = subject();
    await idp.signIn(client, provider, person);
    const { id } = await userOf(client);
    await admin.patch(`/api/admin/users/${id}`, { isSuspended: true });
    const answer = await idp.signIn(server.client(), provider, person);
    expect(errorOf(answer).code).toBe('account_suspended');
    await admin.delete(`/api/admin/users/${id}`);
    const fresh = server.client();
    await idp.signIn(fresh, provider, person);
    expect((await userOf(fresh)).id).not.toBe(id);
  });

  it('ends a session with the address of the provider', async () => {
    const client = server.client();
    await idp.signIn(client, provider, subject());
    const { status, body } = await client.post<{ url: string }>('/api/logout');
    expect(status).toBe(200);
    const url = new URL(body.url);
    expect(url.href.startsWith(`${idp.issuer}/logout?`)).toBe(true);
    expect(url.searchParams.get('client_id')).toBe(CLIENT.clientId);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/`);
    expect((await client.get('/api/user')).status).toBe(401);
    const member = await server.member();
    expect((await member.client.post('/api/logout')).text).toBe('');
  });

  it('lists the session like others', async () => {
    const client = server.client();
    await idp.signIn(client, provider, subject());
    const { body } = await client.get<AccountSession[]>('/api/user/sessions');
    expect(body).toMatchObject([{ isCurrent: true }]);
  });
});
