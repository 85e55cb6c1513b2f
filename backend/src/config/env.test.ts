import { isAbsolute } from 'node:path';
import { secretsIn } from './app-secret.js';
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

describe('readEnv', () => {
  it('accepts an empty environment: embedded Postgres, no Redis, loopback only', () => {
    const env = readEnv({});
    expect(env).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: null, redisUrl: null, publicUrl: null });
    expect(isAbsolute(env.dataDir)).toBe(true);
    expect(env.admin).toEqual({ username: 'admin', password: null });
  });

  it('treats blank values as absent', () => {
    expect(readEnv({ PORT: ' ', DATABASE_URL: '', REDIS_URL: ' ', TRUST_PROXY: '' })).toEqual(readEnv({}));
  });

  it('reads values in quotes, which docker run --env-file keeps', () => {
    const quoted = { PORT: '"4000"', OPENAI_API_KEY: "'sk-1'", SEARXNG_URL: '""' };
    expect(readEnv(quoted)).toEqual(readEnv({ PORT: '4000', OPENAI_API_KEY: 'sk-1' }));
  });

  it('keeps the quotes of a value that only begins and ends with one', () => {
    const oidc = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
    expect(readEnv({ ...oidc, OIDC_LABEL: '"A" or "B"' }).oidc).toMatchObject({ label: '"A" or "B"' });
  });

  it('keeps the quotes of a secret, with which earlier starts encrypted', () => {
    expect(readEnv({ ...PRODUCTION, APP_SECRET: `"${SECRET}"` }).appSecret).toBe(`"${SECRET}"`);
  });

  it('listens on all addresses in production, which DATABASE_URL means', () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ host: '0.0.0.0', appSecret: SECRET });
  });

  it('refuses production without a secret and a public URL (BOOT-3)', () => {
    expect(problemsOf({ DATABASE_URL: PRODUCTION.DATABASE_URL })).toEqual([
      'PUBLIC_URL is required with DATABASE_URL',
      'APP_SECRET is required with DATABASE_URL (32 characters or more)',
    ]);
  });

  it.each([
    ['short', 'APP_SECRET must have 32 characters or more'],
    ['password', 'APP_SECRET must have 32 characters or more'],
    ['changeme-changeme-changeme-changeme', 'APP_SECRET is a known example; make one of your own'],
    ['x'.repeat(64), 'APP_SECRET is a known example; make one of your own'],
    ['your-secret-your-secret-your-secret', 'APP_SECRET is a known example; make one of your own'],
    ['0123456789abcdef0123456789abcdef', 'APP_SECRET is a known example; make one of your own'],
    [`${SECRET},${'x'.repeat(64)}`, 'APP_SECRET is a known example; make one of your own'],
    [`changeme-changeme-changeme-changeme,${SECRET}`, 'APP_SECRET is a known example; make one of your own'],
  ])('refuses the secret %s (BOOT-3)', (APP_SECRET, problem) => {
    expect(problemsOf({ ...PRODUCTION, APP_SECRET })).toEqual([problem]);
    expect(problemsOf({ APP_SECRET })).toEqual([problem]);
  });

  it('reads a list of the current secret and earlier ones, unless a comma belongs to a passphrase', () => {
    const other = 'w7Hq2-xB6_nL4zV8-cM5aZ1-gJ3kS9pFdYt';
    const list = `${SECRET}, ${other}`;
    expect(readEnv({ ...PRODUCTION, APP_SECRET: list }).appSecret).toBe(list);
    expect(secretsIn(list)).toEqual([SECRET, other, list]);
    expect(secretsIn(`${SECRET},${other},${other}`)).toHaveLength(5);
    const passphrase = 'a passphrase of words, which is long enough';
    expect(secretsIn(passphrase)).toEqual([passphrase]);
    expect(secretsIn(`${SECRET},${passphrase}`)).toEqual([SECRET, passphrase, `${SECRET},${passphrase}`]);
  });

  it('needs a sender with SMTP_URL', () => {
    expect(problemsOf({ SMTP_URL: 'smtp://mail' })).toEqual(['SMTP_FROM is required with SMTP_URL']);
    expect(readEnv({ SMTP_FROM: 'tanya@example.org' }).smtp).toBeNull();
    const smtp = { SMTP_URL: 'smtps://u:p@mail:465', SMTP_FROM: 'Tanya <tanya@example.org>' };
    expect(readEnv(smtp).smtp).toEqual({ url: smtp.SMTP_URL, from: smtp.SMTP_FROM });
  });

  it('needs a client with OIDC_ISSUER, which is https or on this machine', () => {
    expect(problemsOf({ OIDC_ISSUER: 'https://id.example.org' })).toEqual([
      'OIDC_CLIENT_ID is required with OIDC_ISSUER',
      'OIDC_CLIENT_SECRET is required with OIDC_ISSUER',
    ]);
    const client = { OIDC_CLIENT_ID: 'tanya', OIDC_CLIENT_SECRET: 'secret' };
    expect(readEnv(client).oidc).toBeNull();
    for (const OIDC_ISSUER of ['https://id.example.org/realms/one', 'http://127.0.0.1:8080', 'http://localhost/a'])
      expect(readEnv({ ...client, OIDC_ISSUER }).oidc).toMatchObject({ issuer: OIDC_ISSUER, label: 'single sign-on' });
    const wrong = ['http://id.example.org', 'ftp://id', 'id', 'https://a:b@id', 'https://id/?a=b', 'https://id/#a'];
    for (const OIDC_ISSUER of wrong)
      expect(problemsOf({ ...client, OIDC_ISSUER })).toEqual([
        expect.stringMatching(/^OIDC_ISSUER must be an address/),
      ]);
  });

  it.each(['Tanya', 'Tanya <tanya>', 'a@b\r\nBcc: c@d', 'a@b, c@d'])('refuses %j as a sender (AU-15)', (SMTP_FROM) => {
    expect(problemsOf({ SMTP_URL: 'smtp://mail', SMTP_FROM })).toEqual([
      'SMTP_FROM must be an address such as Tanya <tanya@example.org>',
    ]);
  });

  const ALONE = 'PUBLIC_URL must be an address alone, such as https://chat.example.org, without a path or credentials';
  const PORT_RANGE = 'PORT must be a whole number from 0 to 65535';
  const NETWORKS = 'TRUST_PROXY must be a number of proxies or a list of networks such as 10.0.0.0/8,fd00::/8';
  const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS must be a list such as authorization=Bearer%20token,x-team=chat';
  const PLAIN = 'must be an address without credentials, a query or a fragment';
  const ASCII = 'must be printable ASCII, as it stands in a header';
  const ENDPOINT = 'must have an endpoint that begins with http:// or https://';
  const wrong: [name: string, value: string, problem: string][] = [
    ['PORT', 'x', PORT_RANGE],
    ['PORT', '70000', PORT_RANGE],
    ['PORT', '1.5', PORT_RANGE],
    ['PORT', '0x10', PORT_RANGE],
    ['PORT', '1e3', PORT_RANGE],
    ['DATABASE_REPLICA_URL', 'postgres://a,b/tanya', 'DATABASE_REPLICA_URL must name one server'],
    ['DATABASE_POOL', '1', 'DATABASE_POOL must be a whole number from 2 to 1000'],
    ['WEB_CONCURRENCY', '0', 'WEB_CONCURRENCY must be a whole number from 1 to 256'],
    ['WEB_CONCURRENCY', 'two', 'WEB_CONCURRENCY must be a whole number from 1 to 256'],
    ['WEB_CONCURRENCY', '2', 'WEB_CONCURRENCY above 1 needs DATABASE_URL and REDIS_URL, which the processes share'],
    ['REDIS_URL', 'http://redis', 'REDIS_URL must be a URL that begins with redis:// or rediss://'],
    ['REDIS_URL', 'redis://a:1,b:x?cluster=1', 'REDIS_URL lists an invalid port: b:x'],
    ['FILES_URL', '/tmp', 'FILES_URL must be a URL that begins with s3://'],
    ['FILES_URL', 's3://', 'FILES_URL must name a bucket, such as s3://tanya-files'],
    ['FILES_URL', 's3://tanya-files?endpoint=minio', `FILES_URL ${ENDPOINT}`],
    ['FILES_URL', 's3://tanya-files?endpoint=minio:9000', `FILES_URL ${ENDPOINT}`],
    ['OPENAI_BASE_URL', 'ftp://x', 'OPENAI_BASE_URL must be a URL that begins with http:// or https://'],
    ['OPENROUTER_BASE_URL', 'not a url', 'OPENROUTER_BASE_URL must be a URL that begins with http:// or https://'],
    ['OPENAI_BASE_URL', 'http://me:secret@models:8080/v1', `OPENAI_BASE_URL ${PLAIN}`],
    ['OPENROUTER_BASE_URL', 'https://models.example/v1?version=1', `OPENROUTER_BASE_URL ${PLAIN}`],
    ['SEARXNG_URL', 'http://search:8080/#top', `SEARXNG_URL ${PLAIN}`],
    ['OPENAI_API_KEY', 'sk-ключ', `OPENAI_API_KEY ${ASCII}`],
    ['OPENROUTER_API_KEY', 'sk-1\nsk-2', `OPENROUTER_API_KEY ${ASCII}`],
    ['METRICS_TOKEN', 'жетон', `METRICS_TOKEN ${ASCII}`],
    ['PUBLIC_URL', 'chat.example.org', 'PUBLIC_URL must be a URL that begins with http:// or https://'],
    ['PUBLIC_URL', 'https://example.org/chat', ALONE],
    ['PUBLIC_URL', 'https://example.org/?a', ALONE],
    ['PUBLIC_URL', 'https://me:secret@example.org', ALONE],
    ['UPGRADE_URL', 'javascript:alert(1)', 'UPGRADE_URL must be a URL that begins with http:// or https://'],
    ['TRUST_PROXY', 'everybody', NETWORKS],
    ['TRUST_PROXY', '10.0.0.0/33', NETWORKS],
    ['TRUST_PROXY', '-1', NETWORKS],
    ['TRUST_PROXY', '0.0.0.0/0', NETWORKS],
    ['TRUST_PROXY', '::/0', NETWORKS],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'collector:4318',
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with http:// or https://',
    ],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector/?key=1', `OTEL_EXPORTER_OTLP_ENDPOINT ${PLAIN}`],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization', HEADERS],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%ff', HEADERS],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=a%0Ab', HEADERS],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=a\tb', HEADERS],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=жетон', HEADERS],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=a%7F', HEADERS],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
    ['ADMIN_PASSWORD', 'short', 'ADMIN_PASSWORD must have 8 to 128 characters'],
    ['ADMIN_PASSWORD', 'x'.repeat(129), 'ADMIN_PASSWORD must have 8 to 128 characters'],
  ];

  it.each(wrong)('refuses %s=%s', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem]);
  });

  it('reports an invalid DATABASE_URL with what production requires', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://db' })).toEqual([
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
      'PUBLIC_URL is required with DATABASE_URL',
      'APP_SECRET is required with DATABASE_URL (32 characters or more)',
    ]);
  });

  it('traces only with a collector, every trace by default', () => {
    expect(readEnv({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing).toBeNull();
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/';
    expect(readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      serviceName: 'tanya',
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
    const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20a%3Db, x-team=chat';
    expect(readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).tracing).toMatchObject({
      headers: { authorization: 'Bearer a=b', 'x-team': 'chat' },
    });
    const basic = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic dXNlcjpwYXNz==' };
    expect(readEnv(basic).tracing).toMatchObject({ headers: { authorization: 'Basic dXNlcjpwYXNz==' } });
  });

  it('lists every problem in one error', () => {
    const error = new EnvError(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', TRUST_PROXY: '?' }));
    expect(error.problems).toHaveLength(3);
    expect(error.message.split('\n')).toHaveLength(4);
  });

  it.each([
    ['0', null],
    ['1', 1],
    ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ['loopback', ['loopback']],
    ['192.0.2.1', ['192.0.2.1']],
    ['0.0.0.0/1, 128.0.0.0/1', ['0.0.0.0/1', '128.0.0.0/1']],
  ])('parses TRUST_PROXY=%s', (TRUST_PROXY, trust) => {
    expect(readEnv({ TRUST_PROXY }).trustProxy).toEqual(trust);
  });
});
