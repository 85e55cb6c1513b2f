import { errorOf } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { deleteUsedCodes, enrol, enrolledMember } from './totp-harness.js';
import { codeOf, currentStep, wrongCode } from '../harness/totp-codes.js';

let redis: TestRedis;
let database: TestDatabase;
let near: TestApp;
let far: TestApp;

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createDatabase()]);
  const env = { redisUrl: redis.url, appSecret: 'the same on both of these nodes!' };
  near = await startTestApp({ database, env });
  far = await startTestApp({ database, env });
});

afterAll(async () => {
  await Promise.all([near.close(), far.close()]);
  await database.drop();
  await redis.stop();
});

interface Attempt {
  password?: string;
  code?: string | null;
}

const login = (username: string, { password = PASSWORD, code }: Attempt = {}, client = near.client()) =>
  client.post('/api/login', { username, password, code });

const codeFrom = async (answer: ReturnType<typeof login>) => errorOf(await answer).code;

describe('a login with a second factor', () => {
  it('asks for the code after the right password alone (AU-4, AU-16)', async () => {
    const { username, secret } = await enrolledMember(near);
    const wrong = await login(username, { password: 'not this one' });
    const unknown = await login('unknown-name', { password: 'not this one' });
    expect({ ...errorOf(wrong), requestId: '' }).toEqual({ ...errorOf(unknown), requestId: '' });
    expect(await codeFrom(login(username, { password: 'not this one', code: codeOf(secret) }))).toBe(
      'invalid_credentials',
    );
    for (const code of [undefined, null]) {
      expect(errorOf(await login(username, { code }))).toMatchObject({ code: 'totp_required', statusCode: 401 });
    }
    expect((await login(username, { code: codeOf(secret) })).status).toBe(200);
  });

  it('refuses an empty and a long code like a wrong one', async () => {
    const { username, secret } = await enrolledMember(near);
    for (const code of ['', ' ', 'x'.repeat(41), '1'.repeat(5_000)]) {
      expect(errorOf(await login(username, { code }))).toMatchObject({ code: 'totp_invalid', statusCode: 401 });
    }
    expect((await login(username, { code: codeOf(secret) })).status).toBe(200);
  });

  it('begins no session before the code (AU-16)', async () => {
    const { username } = await enrolledMember(near);
    const browser = near.client();
    await login(username, {}, browser);
    expect(browser.cookies.has('tanya.sid')).toBe(false);
    expect((await browser.get('/api/user')).status).toBe(401);
  });

  it('accepts a code once, also under concurrent logins on two nodes (AU-17)', async () => {
    const { username, secret } = await enrolledMember(near);
    const code = codeOf(secret);
    const browsers = Array.from({ length: 8 }, (_, at) => (at % 2 ? near : far).client());
    const answers = await Promise.all(browsers.map((browser) => login(username, { code }, browser)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await codeFrom(login(username, { code }))).toBe('totp_invalid');
  });

  it('refuses the code that confirmed the enrolment, and codes of earlier steps (AU-17)', async () => {
    const { username, secret } = await enrolledMember(near);
    const earlier = codeOf(secret);
    expect((await login(username, { code: codeOf(secret, 1) })).status).toBe(200);
    expect(await codeFrom(login(username, { code: earlier }))).toBe('totp_invalid');
  });

  it.each([-1, 0, 1])('accepts a clock that differs by %d steps (AU-17)', async (steps) => {
    const { username, secret, user } = await enrolledMember(near);
    // The step may change between the reading of the code and the check.
    for (let isSameStep = false; !isSameStep;) {
      await deleteUsedCodes(near, user.id);
      const step = currentStep();
      const { status } = await login(username, { code: codeOf(secret, steps) });
      isSameStep = step === currentStep();
      if (isSameStep) expect(status).toBe(200);
    }
  });

  it.each([-3, 3])('refuses a clock that differs by %d steps (AU-17)', async (steps) => {
    const { username, secret } = await enrolledMember(near);
    expect(await codeFrom(login(username, { code: codeOf(secret, steps) }))).toBe('totp_invalid');
  });

  it('accepts a recovery code once, in any case and grouping (AU-17)', async () => {
    const { username, recoveryCodes } = await enrolledMember(near);
    const [first, second] = recoveryCodes as [string, string];
    const attempts = [near, far, near, far].map((node) => login(username, { code: first }, node.client()));
    expect((await Promise.all(attempts)).filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await login(username, { code: ` ${second.toUpperCase().replaceAll('-', ' ')} ` })).status).toBe(200);
    expect(await codeFrom(login(username, { code: second }))).toBe('totp_invalid');
  });

  it('refuses the recovery codes of another account (AU-17)', async () => {
    const [one, other] = [await enrolledMember(near), await enrolledMember(near)];
    expect(await codeFrom(login(one.username, { code: other.recoveryCodes[0] }))).toBe('totp_invalid');
  });

  it.each([123456, ['123456'], {}])('refuses %j as a code', async (code) => {
    const { username } = await near.member();
    expect((await login(username, { code: code as string })).status).toBe(400);
  });

  it('counts wrong codes like wrong passwords: ten from one address (AU-5, AU-17)', async () => {
    const { username, secret } = await enrolledMember(near);
    const guess = (code: string, address: string) => login(username, { code }, far.client(address));
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await guess(wrongCode(secret), '10.8.8.8')).status).toBe(401);
    }
    expect((await guess(codeOf(secret), '10.8.8.8')).status).toBe(429);
    expect((await login(username, { password: 'x' }, near.client('10.8.8.8'))).status).toBe(429);
    expect((await guess(codeOf(secret), '10.8.8.9')).status).toBe(200);
  });

  it('limits wrong codes from all addresses together, until an admin removes the factor (AU-17)', async () => {
    const { client, username, secret, user, recoveryCodes } = await enrolledMember(near);
    const guesses = Array.from({ length: 30 }, () => wrongCode(secret));
    for (const code of guesses) expect((await login(username, { code })).status).toBe(401);
    expect((await login(username, { code: codeOf(secret) })).status).toBe(429);
    expect((await login(username, { code: 'aaaa-bbbb-cccc-dddd' })).status).toBe(401);
    expect((await login(username, { code: recoveryCodes[0] })).status).toBe(200);
    const password = `${PASSWORD} again`;
    const change = { currentPassword: PASSWORD, newPassword: password };
    expect((await client.post('/api/user/password', change)).status).toBe(200);
    expect((await login(username, { password, code: codeOf(secret) })).status).toBe(429);
    await (await near.admin()).post(`/api/admin/users/${user.id}/reset-totp`);
    await client.post('/api/user/password', { currentPassword: password, newPassword: PASSWORD });
    const again = await enrol(client);
    await deleteUsedCodes(near, user.id);
    expect((await login(username, { code: codeOf(again.secret) })).status).toBe(200);
  });

  it('does not apply to API keys', async () => {
    const { client } = await enrolledMember(near);
    const { apiKey } = (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    const models = await near.client().get('/api/v1/models', { headers: { Authorization: `Bearer ${apiKey}` } });
    expect(models.status).toBe(200);
  });
});
