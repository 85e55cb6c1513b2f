import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as sendTo } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AuditEntry, Passkey, User } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { addPasskey, creationOptions, PasskeyDevice, passkeyLogin, requestOptions } from './passkey-device.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

const PASSKEYS = '/api/user/passkeys';
const LOGIN = '/api/login/passkey';

describe('a passkey', () => {
  it('is discoverable, verifies its person and belongs to this host', async () => {
    const { client, username } = await server.member({ fullName: 'Ayu Lestari' });
    const { body, status } = await creationOptions(client);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rp: { id: '127.0.0.1' },
      user: { name: username, displayName: 'Ayu Lestari' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    });
    const login = (await requestOptions(server.client())).body;
    expect(login).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required' });
    expect(login.allowCredentials ?? []).toEqual([]);
  });

  it('needs the password to be added and to be removed', async () => {
    const { client } = await server.member();
    expect(errorOf(await creationOptions(client, { password: 'not this one' })).code).toBe('invalid_credentials');
    expect(errorOf(await creationOptions(client, {})).code).toBe('reauthentication_required');
    const { id } = await addPasskey(client);
    expect(errorOf(await client.delete(`${PASSKEYS}/${id}`)).code).toBe('reauthentication_required');
    expect((await client.delete(`${PASSKEYS}/${id}`, { password: 'not this one' })).status).toBe(401);
    expect((await client.delete(`${PASSKEYS}/${id}`, { password: PASSWORD })).status).toBe(200);
    expect((await client.get<Passkey[]>(PASSKEYS)).body).toEqual([]);
  });

  it('takes along the other sessions that it began when it is removed (ASVS 7.4.3)', async () => {
    const { client, username } = await server.member();
    const [lost, kept] = [await addPasskey(client), await addPasskey(client)];
    const [phone, desk, laptop] = [server.client(), server.client(), server.client()];
    for (const browser of [phone, desk]) expect((await passkeyLogin(browser, lost.device)).status).toBe(200);
    expect((await passkeyLogin(laptop, kept.device)).status).toBe(200);
    // Goes on under another id, still as a session of that passkey.
    const confirmed = { userId: (await phone.get<User>('/api/user')).body.id };
    expect((await passkeyLogin(phone, kept.device, {}, confirmed)).status).toBe(200);
    const other = server.client();
    expect((await other.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    expect((await desk.delete(`${PASSKEYS}/${lost.id}`, { password: PASSWORD })).status).toBe(200);
    expect((await phone.get('/api/user')).status).toBe(401);
    for (const browser of [desk, laptop, other, client]) expect((await browser.get('/api/user')).status).toBe(200);
  });

  it('is listed with its name and its last login, to its owner alone', async () => {
    const [one, other] = [await server.member(), await server.member()];
    const { device, id } = await addPasskey(one.client, '  My\nphone ');
    await addPasskey(one.client, 'Key');
    const before = (await one.client.get<Passkey[]>(PASSKEYS)).body;
    expect(before.map(({ name, lastUsedAt }) => [name, lastUsedAt])).toEqual([
      ['Key', null],
      ['My phone', null],
    ]);
    await passkeyLogin(server.client(), device);
    expect((await one.client.get<Passkey[]>(PASSKEYS)).body[1]!.lastUsedAt).toEqual(expect.any(String));
    expect((await other.client.get<Passkey[]>(PASSKEYS)).body).toEqual([]);
    expect((await other.client.delete(`${PASSKEYS}/${id}`, { password: PASSWORD })).status).toBe(404);
    expect((await one.client.get<{ passkeys: Passkey[] }>('/api/user/export')).body.passkeys).toHaveLength(2);
  });

  it('logs in once for each challenge, also when a login is repeated at once (AU-40)', async () => {
    const { client, user } = await server.member();
    const { device } = await addPasskey(client);
    const browser = server.client();
    const { challenge, rpId } = (await requestOptions(browser)).body;
    const response = device.get({ challenge, rpId: rpId! });
    const answers = await Promise.all([1, 2, 3].map(() => server.client().post<User>(LOGIN, { response })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({ id: user.id, isTwoFactor: true });
    expect(errorOf(await server.client().post(LOGIN, { response })).code).toBe('invalid_credentials');
  });

  it('is not accepted without verification, of another site, of another key or with other texts (AU-40)', async () => {
    const { client } = await server.member();
    const { device } = await addPasskey(client);
    const stranger = new PasskeyDevice(server.url);
    Object.assign(stranger, { id: device.id });
    const attempts: [string, () => Promise<{ status: number }>][] = [
      ['without verification', () => passkeyLogin(server.client(), device, { isVerified: false })],
      ['another origin', () => passkeyLogin(server.client(), device, { origin: 'https://evil.example' })],
      ['another host', () => passkeyLogin(server.client(), device, { rpId: 'evil.example' })],
      ['another key', () => passkeyLogin(server.client(), stranger)],
      ['an unknown passkey', () => passkeyLogin(server.client(), new PasskeyDevice(server.url))],
      ['a registration', () => passkeyLogin(server.client(), device, { type: 'webauthn.create' })],
      ['an invented challenge', () => passkeyLogin(server.client(), device, { challenge: 'aaaa' })],
    ];
    for (const [name, attempt] of attempts) expect([name, (await attempt()).status]).toEqual([name, 401]);
    expect((await passkeyLogin(server.client(), device)).status).toBe(200);
  });

  it.each([
    [{}, 400],
    [{ response: null }, 400],
    [{ response: 'x' }, 400],
    [{ response: {} }, 401],
    [{ response: { id: 1, rawId: 1, type: 'public-key', response: {} } }, 401],
    [{ response: { id: 'a', rawId: 'a', type: 'public-key', response: [] } }, 401],
    [{ response: { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: 'e30' } } }, 401],
    [{ response: {}, rememberMe: 'yes' }, 400],
    [{ response: {}, isAdmin: true }, 400],
  ])('refuses malformed logins, case %#', async (body, status) => {
    expect((await server.client().post(LOGIN, body)).status).toBe(status);
  });

  it('refuses malformed registrations, and certificates, whose check would read addresses that they name (AU-41)', async () => {
    const { client } = await server.member();
    const fresh = async () => (await creationOptions(client)).body;
    const add = (response: unknown) => client.post(PASSKEYS, { name: 'x', response });
    expect((await client.post(PASSKEYS, { name: '', response: {} })).status).toBe(400);
    expect((await client.post(PASSKEYS, { name: 'x'.repeat(61), response: {} })).status).toBe(400);
    expect(refusedField(await add({}))).toBe('response');
    for (const how of [{ isVerified: false }, { origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
      const { challenge } = await fresh();
      const response = new PasskeyDevice(server.url).create({ challenge, rpId: '127.0.0.1', ...how });
      expect(refusedField(await add(response))).toBe('response');
    }
    for (const fmt of ['packed', 'android-safetynet', 'tpm', 'apple', 'fido-u2f', 'unknown']) {
      const device = new PasskeyDevice(server.url);
      device.attestation = { fmt, statement: new Map([['x5c', [Buffer.from('certificate')]]]) };
      const response = device.create({ challenge: (await fresh()).challenge, rpId: '127.0.0.1' });
      expect(refusedField(await add(response))).toBe('response');
    }
    // A browser cannot tell another id than the device has signed for, and a long one cannot be stored.
    for (const length of [32, 5_000]) {
      const device = Object.assign(new PasskeyDevice(server.url), { id: randomBytes(length) });
      const made = device.create({ challenge: (await fresh()).challenge, rpId: '127.0.0.1' });
      expect(refusedField(await add({ ...made, id: 'short', rawId: 'short' }))).toBe('response');
    }
    const { challenge } = await fresh();
    const good = new PasskeyDevice(server.url).create({ challenge, rpId: '127.0.0.1' });
    const cut = { ...good, response: { ...(good.response as object), attestationObject: 'oWNmbXQ' } };
    expect(refusedField(await add(cut))).toBe('response');
    expect((await client.get<Passkey[]>(PASSKEYS)).body).toEqual([]);
  });

  it('is not added with the challenge of another account, of a login or a second time', async () => {
    const [one, other] = [await server.member(), await server.member()];
    const add = (client: HttpClient, challenge: string, device = new PasskeyDevice(server.url)) =>
      client.post(PASSKEYS, { name: 'x', response: device.create({ challenge, rpId: '127.0.0.1' }) });
    const { challenge } = (await creationOptions(one.client)).body;
    expect((await add(other.client, challenge)).status).toBe(400);
    expect((await add(one.client, (await requestOptions(one.client)).body.challenge)).status).toBe(400);
    const device = new PasskeyDevice(server.url);
    expect((await add(one.client, challenge, device)).status).toBe(201);
    expect((await add(one.client, challenge)).status).toBe(400);
    const again = (await creationOptions(one.client)).body;
    expect(again.excludeCredentials).toMatchObject([{ transports: ['internal'] }]);
    expect(errorOf(await add(one.client, again.challenge, device)).code).toBe('conflict');
  });

  it('is no use after five minutes, and old challenges are deleted', async () => {
    const { client } = await server.member();
    const { device } = await addPasskey(client);
    const { challenge, rpId } = (await requestOptions(client)).body;
    await server.dataSource.query(`update passkey_challenge set expires_at = expires_at - interval '5 minutes'`);
    const response = device.get({ challenge, rpId: rpId! });
    expect((await server.client().post(LOGIN, { response })).status).toBe(401);
    await requestOptions(client);
    const [row] = await server.dataSource.query<[{ count: number }]>(
      'select count(*)::int as count from passkey_challenge',
    );
    expect(row.count).toBe(1);
  });

  it('whose counter runs back is refused, and the audit log says so (AU-42)', async () => {
    const { client, user } = await server.member();
    const { device } = await addPasskey(client);
    device.counter = 7;
    expect((await passkeyLogin(server.client(), device)).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      device.counter = counter;
      expect((await passkeyLogin(server.client(), device)).status).toBe(401);
    }
    device.counter = 8;
    expect((await passkeyLogin(server.client(), device)).status).toBe(200);
    const { body } = await admin.get<AuditEntry[]>(`/api/admin/audit?target=login:${user.id}&action=login.failure`);
    expect(body).toHaveLength(3);
    expect(body[0]!.after).toEqual({ way: 'passkey', result: 'failure', reason: 'passkey_counter' });
  });

  it('is bounded in number', async () => {
    const { client, user } = await server.member();
    const { challenge } = (await creationOptions(client)).body;
    await server.dataSource.query(
      `insert into passkey (user_id, name, credential_id, public_key, counter, transports)
       select $1::int, 'x', 'x' || $1::int || '-' || n, '', 0, '{}' from generate_series(1, 20) n`,
      [user.id],
    );
    expect(errorOf(await creationOptions(client)).code).toBe('conflict');
    const response = new PasskeyDevice(server.url).create({ challenge, rpId: '127.0.0.1' });
    expect(errorOf(await client.post(PASSKEYS, { name: 'x', response })).code).toBe('conflict');
  });
});

describe('the host of passkeys', () => {
  it('is that of PUBLIC_URL', async () => {
    const publicUrl = new URL('https://chat.example.org:8443');
    const site = await startTestApp({ env: { publicUrl } });
    const client = site.client();
    const { username } = await site.member();
    await client.post('/api/login', { username, password: PASSWORD });
    expect((await creationOptions(client)).body.rp.id).toBe('chat.example.org');
    const device = new PasskeyDevice('https://chat.example.org:8443');
    const { challenge } = (await creationOptions(client)).body;
    const response = device.create({ challenge, rpId: 'chat.example.org' });
    expect((await client.post(PASSKEYS, { name: 'x', response })).status).toBe(201);
    expect((await passkeyLogin(site.client(), device)).status).toBe(200);
    expect((await passkeyLogin(site.client(), device, { origin: 'https://chat.example.org' })).status).toBe(401);
    await site.close();
  });

  it('is this machine without PUBLIC_URL, and no other name that a client chooses', async () => {
    const options = async (host: string): Promise<{ status: number; rpId: unknown }> => {
      // `fetch` sends the host of the address.
      const request = sendTo(`${server.url}${LOGIN}/options`, { method: 'POST', headers: { host } }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const { rpId } = (await json(response)) as { rpId?: string };
      return { status: response.statusCode!, rpId };
    };
    expect((await options('localhost:3000')).rpId).toBe('localhost');
    expect((await options('chat.example.org')).status).toBe(404);
    expect((await options('192.168.1.7:3000')).status).toBe(404);
  });
});

it('names an account to devices by a value that tells nothing', async () => {
  const { client, user, username } = await server.member();
  const first = (await creationOptions(client)).body.user.id;
  expect((await creationOptions(client)).body.user.id).toBe(first);
  const text = Buffer.from(first, 'base64url').toString('latin1');
  expect(text).not.toContain(String(user.id));
  expect(text).not.toContain(username);
  expect(first).not.toBe(createHash('sha256').update(String(user.id)).digest('base64url'));
});
