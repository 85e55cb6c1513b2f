import { isAbsolute } from 'node:path';
import { EnvError, readEnv } from './env.js';

const SECRET = 'q8Zr1-vT5_kM3xW9-bN7cY2-eH4uJ6sDfLg';
const PRODUCTION = {
  DATABASE_URL: 'postgres://u:p@db/tanya',
  APP_SECRET: SECRET,
  PUBLIC_URL: 'https://chat.example.org',
};

const problemsOf = (source: Parameters<typeof readEnv>[0]): string[] => {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
  return [];
};

describe('the environment', () => {
  it('may be empty: everything is embedded and heard on this machine alone', () => {
    const env = readEnv({});
    expect(env).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: null, redisUrl: null, publicUrl: null });
    expect(isAbsolute(env.dataDir)).toBe(true);
    expect(env.admin).toEqual({ username: 'admin', password: null });
  });

  it('treats blank values as absent', () => {
    expect(readEnv({ PORT: ' ', DATABASE_URL: '', REDIS_URL: ' ', TRUST_PROXY: '' })).toEqual(readEnv({}));
  });

  it('is production with a database, and heard everywhere', () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ host: '0.0.0.0', appSecret: SECRET });
  });

  it('is refused in production without a secret and an address (BOOT-3)', () => {
    const problems = problemsOf({ DATABASE_URL: PRODUCTION.DATABASE_URL });
    expect(problems).toEqual([expect.stringMatching(/^PUBLIC_URL/), expect.stringMatching(/^APP_SECRET is required/)]);
  });

  it.each([
    'short',
    'changeme-changeme-changeme-changeme',
    'x'.repeat(64),
    'your-secret-your-secret-your-secret',
    '0123456789abcdef0123456789abcdef',
  ])('refuses the secret %s (BOOT-3)', (APP_SECRET) => {
    expect(problemsOf({ ...PRODUCTION, APP_SECRET })).toEqual([expect.stringMatching(/^APP_SECRET/)]);
  });

  const wrong: [string, string][] = [
    ['PORT', 'x'],
    ['PORT', '70000'],
    ['PORT', '1.5'],
    ['DATABASE_POOL', '1'],
    ['WEB_CONCURRENCY', '0'],
    ['REDIS_URL', 'http://redis'],
    ['FILES_URL', '/tmp'],
    ['OPENAI_BASE_URL', 'ftp://x'],
    ['OPENROUTER_BASE_URL', 'not a url'],
    ['UPGRADE_URL', 'javascript:alert(1)'],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['ADMIN_PASSWORD', 'short'],
    // Nobody could log in with it.
    ['ADMIN_PASSWORD', 'x'.repeat(129)],
  ];

  it.each(wrong)('names %s when it is %s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it('tells of everything that is wrong at once', () => {
    const error = new EnvError(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: '?' }));
    expect(error.problems).toHaveLength(3);
    expect(error.message.split('\n')).toHaveLength(4);
  });

  it.each([
    ['1', 1],
    ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ['loopback', ['loopback']],
    ['192.0.2.1', ['192.0.2.1']],
  ])('reads TRUST_PROXY %s', (TRUST_PROXY, trust) => {
    expect(readEnv({ TRUST_PROXY }).trustProxy).toEqual(trust);
  });
});
