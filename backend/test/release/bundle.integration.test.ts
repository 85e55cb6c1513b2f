import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HttpClient } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { ProductProcess } from '../harness/servers/product-process.js';
import { type S3Server, startS3 } from '../harness/servers/s3-server.js';
import { ADMIN, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { upload } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';
import { type Collector, startCollector } from '../platform/observability/collector.js';

const backend = join(import.meta.dirname, '../..');
const bundle = join(backend, 'dist/bundle');

/** Imports the files in a separate process. @returns the CommonJS files that Node loaded from outside the bundle */
async function load(files: string[]): Promise<string[]> {
  const script = `
    for (const file of ${JSON.stringify(files)}) await import(file);
    console.log(JSON.stringify(Object.keys(process.getBuiltinModule('node:module')._cache)));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: backend,
  });
  return JSON.parse(stdout) as string[];
}

describe('the bundle of the server', () => {
  it('loads no dependency from node_modules that it contains', async () => {
    const { dependencies } = JSON.parse(readFileSync(join(backend, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const loaded = await load([join(bundle, 'app.js')]);
    const packages = loaded.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '');
    const twice = new Set(packages.filter((name) => name in dependencies));
    const external = ['@node-rs/argon2', 'class-transformer', 'connect-pg-simple', 'ioredis', 'pg', 'pino'];
    for (const name of [...external, 'reflect-metadata', 'sharp']) twice.delete(name);
    expect([...twice]).toEqual([]);
  });

  it('has no file that fails to load', async () => {
    const { files } = JSON.parse(readFileSync(join(bundle, 'build.json'), 'utf8')) as { files: string[] };
    expect(files).toContain('app.js');
    const imported = files.filter((file) => file !== 'main.js').map((file) => join(bundle, file));
    await expect(load(imported)).resolves.toBeDefined();
  });
});

it('names what its start fails for, and leaves no embedded Postgres running', async () => {
  const DATA_DIR = join(process.env.TANYA_TEST_FOLDER!, randomUUID());
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const output = await ProductProcess.failedStart({ DATA_DIR, PORT: String(port) });
  taken.close();
  expect(output).toContain(`PORT ${port} of HOST 127.0.0.1 is in use by another program.`);
  const cluster = join(DATA_DIR, 'postgres/data');
  expect(existsSync(cluster)).toBe(true);
  // Postgres removes it when it stops.
  expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
});

describe('a server from the bundle', () => {
  let database: TestDatabase;
  let fromSources: TestApp;
  let product: ProductProcess;
  let mail: MailServer;
  let s3: S3Server;
  let collector: Collector;

  beforeAll(async () => {
    [database, mail, s3, collector] = await Promise.all([
      createDatabase(),
      MailServer.start(),
      startS3(),
      startCollector(),
    ]);
    fromSources = await startTestApp();
    product = await ProductProcess.start({
      DATABASE_URL: database.url,
      SMTP_URL: mail.url,
      SMTP_FROM: 'Tanya <tanya@example.org>',
      FILES_URL: `s3://bucket?region=eu-west-1&endpoint=${s3.url}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
  });

  afterAll(async () => {
    await product.stop();
    await fromSources.close();
    await Promise.all([mail.close(), s3.close(), collector.close()]);
    await database.drop();
  });

  it('describes its API as the sources do', async () => {
    const [bundled, expected] = [new HttpClient(product.url, '10.0.0.1'), fromSources.client()];
    expect((await bundled.get('/api/docs-json')).body).toEqual((await expected.get('/api/docs-json')).body);
  });

  it('sends mail, stores files in a bucket and exports traces', async () => {
    const client = new HttpClient(product.url, '10.0.0.1');
    expect((await client.post('/api/login', ADMIN)).status).toBe(200);
    const ofDemo = s3.objects.size;
    expect((await upload(client, 'some words', 'words.txt', 'text/plain')).status).toBe(201);
    expect(s3.objects.size).toBe(ofDemo + 1);
    const user = { username: 'ayu', password: PASSWORD, email: 'ayu@example.com' };
    expect((await client.post('/api/admin/users', user)).status).toBe(201);
    expect((await client.post('/api/password-reset', { email: 'ayu@example.com' })).status).toBe(200);
    expect((await mail.mailTo('ayu@example.com')).text).toContain('/reset-password?token=');
    await waitUntil('a trace', () => collector.spans.length > 0);
  });
});
