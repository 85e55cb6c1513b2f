import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { AuditEntry, InstallationStatus, Message, StoredFile } from '@tanya/contract';
import { ModelFiles } from '../../src/files/model-files.js';
import type { Owner } from '../../src/identity/identity.js';
import { waitForLockWait } from '../harness/lock-waits.js';
import { pdfOf } from '../files/scanned-pdf.js';
import { createEmptyDatabase } from '../harness/postgres.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { startTestApp } from '../harness/test-app.js';
import { upload } from '../harness/uploads.js';
import { PROCESSES_TIMEOUT_MS } from '../harness/wait-until.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

interface Installation {
  databaseUrl: string;
  dataDir: string;
  appSecret: string;
}

async function script(
  name: string,
  args: string[],
  installation: Installation,
  variables: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: installation.databaseUrl,
    DATA_DIR: installation.dataDir,
    APP_SECRET: installation.appSecret,
    PUBLIC_URL: 'http://127.0.0.1',
    ...variables,
  };
  const done = run(process.execPath, [join(root, 'scripts', `${name}.mjs`), ...args], { env, cwd: root });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );
}

describe('a backup', () => {
  let server: ChatHarness;
  let folder: string;
  let backup: string;
  let installation: Installation;
  let username: string;
  let password: string;
  let threadId: number;
  let fileUrl: string;
  let scanUrl: string;
  let owner: Owner;

  beforeAll(async () => {
    server = await startChatHarness({ redis: false });
    folder = await mkdtemp(join(tmpdir(), 'tanya-backup-'));
    backup = join(folder, 'backup');
    const { env } = server;
    installation = { databaseUrl: env.databaseUrl!, dataDir: env.dataDir, appSecret: env.appSecret! };
    password = 'a lamp above the door';
    const member = await server.member({ password });
    ({ username } = member);
    await member.client.post('/api/user/apikey/generate');
    const form = new FormData();
    form.set('file', new Blob(['tabs\tand\nlines \\ and ünïcödé'], { type: 'text/plain' }), 'notes.txt');
    const file = await member.client.send<StoredFile>('POST', '/api/files', { raw: form });
    fileUrl = file.body.url;
    scanUrl = (await upload(member.client, pdfOf([{ scan: 0.5 }]), 'scan.pdf')).body.url;
    owner = `user:${member.user.id}`;
    const content = JSON.stringify({ text: 'Read this', fileUrl, fileName: 'notes.txt', fileType: 'text/plain' });
    const sent = await member.client.post<{ threadId: number }>('/api/chat/message', { content });
    expect(sent.status).toBe(201);
    ({ threadId } = sent.body);
    // A database may have other settings than the one that the backup is loaded into.
    const made = await script('backup', [backup], installation, {
      PGOPTIONS: '-c timezone=Asia/Jakarta -c datestyle=SQL,DMY -c extra_float_digits=-3',
    });
    expect(made).toMatchObject({
      code: 0,
      output: expect.stringContaining('APP_SECRET opens all 1 stored keys') as string,
    });
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is what administrators see as the last one', async () => {
    const admin = await server.admin();
    const { status, body } = await admin.get<InstallationStatus>('/api/admin/installation');
    expect(status).toBe(200);
    expect(body.nodes).toMatchObject([{ isSameVersion: true }]);
    expect(body).toMatchObject({ usesRedis: false, version: expect.stringMatching(/^\S{4,8}$/) as string });
    const [entry] = (await admin.get<AuditEntry[]>('/api/admin/audit?target=backup')).body;
    expect(entry).toMatchObject({
      action: 'backup.create',
      actor: { username: 'system' },
      after: { files: expect.any(Number) as number, rows: expect.any(Number) as number },
    });
  });

  test('is verified read-only, its keys included', async () => {
    const verified = await script('restore', [backup, '--verify'], installation);
    expect(verified.output).toContain('The backup is whole');
    expect(verified.code).toBe(0);
  });

  test('reports that another APP_SECRET opens none of its keys', async () => {
    const other = { ...installation, appSecret: 'another secret that is long enough for us' };
    const verified = await script('restore', [backup, '--verify'], other);
    expect(verified.output).toContain('opens only 0 of 1 stored keys');
    expect(verified.code).toBe(1);
  });

  test('has keys that a new APP_SECRET before the old one opens', async () => {
    const appSecret = `another secret that is long enough for us,${installation.appSecret}`;
    const verified = await script('restore', [backup, '--verify'], { ...installation, appSecret });
    expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('opens all 1 stored keys') as string });
  });

  test('replaces an earlier one in its folder, but only when it is whole', async () => {
    const again = join(folder, 'again');
    await cp(backup, again, { recursive: true });
    const made = await script('backup', [again], { ...installation, dataDir: join(folder, 'without-files') });
    expect(made.code).toBe(0);
    const client = new pg.Client(installation.databaseUrl);
    await client.connect();
    await client.query(`update setting set changed = changed || '{"alertEmail":"ops@example.org"}'`);
    await client.query('begin');
    await client.query('lock table message in access exclusive mode');
    const failing = script('backup', [again], installation, { PGAPPNAME: 'tanya' });
    await waitForLockWait({ url: installation.databaseUrl }, 'pg_terminate_backend(pid)');
    expect((await failing).code).toBe(1);
    await client.query('rollback');
    const { rows: alerts } = await client.query(`select from alert where kind = 'backup_failed'`);
    expect(alerts).toHaveLength(1);
    await client.query(`update setting set changed = changed - 'alertEmail'`);
    await client.end();
    expect((await readdir(again)).sort()).toEqual(['files', 'manifest.json', 'tables']);
    expect(await readdir(join(again, 'files'))).toEqual([]);
  });

  test('takes the place of an earlier one although the exchange was interrupted', async () => {
    const halfway = join(folder, 'halfway');
    await cp(backup, join(halfway, '.new'), { recursive: true });
    await rename(join(halfway, '.new/tables'), join(halfway, 'tables'));
    await mkdir(join(halfway, 'files'));
    const verified = await script('restore', [halfway, '--verify'], installation);
    expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The backup is whole') as string });
  });

  test('is not restored over a database in use', async () => {
    const refused = await script('restore', [backup, '--replace'], installation);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('stop it first') as string });
  });

  test(
    'restores everything into an empty installation',
    async () => {
      const database = await createEmptyDatabase();
      const dataDir = join(folder, 'restored');
      const target = { ...installation, databaseUrl: database.url, dataDir };
      const restored = await script('restore', [backup], target);
      expect(restored.output).toContain('Restored');
      const again = await script('restore', [backup], target);
      expect(again).toMatchObject({ code: 1, output: expect.stringContaining('not empty') as string });
      const copy = await startTestApp({ database, env: { dataDir, appSecret: installation.appSecret } });
      const browser = copy.client();
      expect((await browser.post('/api/login', { username, password })).status).toBe(200);
      const messages = await browser.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
      expect(messages.body.map(({ status }) => status)).toEqual(['complete', 'complete']);
      expect((await browser.get(fileUrl)).text).toBe('tabs\tand\nlines \\ and ünïcödé');
      const scan = await copy.app.get(ModelFiles).read(owner, scanUrl, 1);
      expect(scan).toMatchObject({
        pieces: [{ label: 'page 1', dataUrl: expect.stringMatching(/^data:image\/jpeg/) }],
      });
      const key = await browser.get<{ apiKey: string }>('/api/user/apikey');
      expect(key.body.apiKey).toMatch(/^\S{20,}$/);
      await copy.close();
      await database.drop();
    },
    PROCESSES_TIMEOUT_MS,
  );

  test.each(['backup', 'restore', 'usage-rebuild', 'migrate'])(
    '%s does not open the embedded Postgres in place of that of docker-compose.yml',
    async (name) => {
      const dataDir = join(folder, 'trial');
      const args = name === 'backup' ? [join(folder, 'other')] : name === 'restore' ? [backup] : [];
      const compose = { DATABASE_URL: '', POSTGRES_PASSWORD: 'of the composition' };
      const refused = await script(name, args, { ...installation, dataDir }, compose);
      expect(refused).toMatchObject({
        code: 1,
        output: expect.stringContaining(`docker compose run --rm app node scripts/${name}.mjs`) as string,
      });
      expect(refused.output).not.toContain('of the composition');
      expect(existsSync(dataDir)).toBe(false);
      expect(existsSync(join(folder, 'other'))).toBe(false);
    },
  );

  describe('that cannot be loaded', () => {
    let copy: string;

    beforeEach(async () => {
      copy = join(folder, 'copy');
      await cp(backup, copy, { recursive: true });
    });

    afterEach(() => rm(copy, { recursive: true }));

    const cases: [what: string, problem: string, change: () => Promise<void>][] = [
      [
        'a damaged file',
        'damaged',
        async () => {
          const [file] = await readdir(join(copy, 'files'));
          await writeFile(join(copy, 'files', file!), 'something else');
        },
      ],
      ['a damaged table', 'damaged', () => truncate(join(copy, 'tables/user.gz'), 40)],
      ['a missing table', 'damaged', () => rm(join(copy, 'tables/user.gz'))],
      [
        'a migration that this version lacks',
        'newer version',
        async () => {
          const path = join(copy, 'manifest.json');
          const manifest = JSON.parse(await readFile(path, 'utf8')) as { migrations: string[] };
          manifest.migrations.push('Unknown1763600000001');
          await writeFile(path, JSON.stringify(manifest));
        },
      ],
    ];

    test.each(cases)('is refused before the database is emptied: %s', async (_what, problem, change) => {
      await change();
      const database = await createEmptyDatabase();
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query('create table kept ()');
      const target = { ...installation, databaseUrl: database.url, dataDir: join(folder, 'kept') };
      const refused = await script('restore', [copy, '--replace'], target);
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(problem) as string });
      await client.query('select from kept');
      await client.end();
      await database.drop();
    });

    test('has its migrations in any order, such as one that was added later with an earlier time', async () => {
      const path = join(copy, 'manifest.json');
      const manifest = JSON.parse(await readFile(path, 'utf8')) as { migrations: string[] };
      // This one changes no table.
      manifest.migrations = manifest.migrations.filter((name) => !name.startsWith('EmbeddingOrder'));
      await writeFile(path, JSON.stringify(manifest));
      const verified = await script('restore', [copy, '--verify'], installation);
      expect(verified.output).toContain('The backup is whole');
    });
  });
});
