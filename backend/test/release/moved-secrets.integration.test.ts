import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { AdminSettings, ApiKey, ApiKeyResponse } from '@tanya/contract';
import { DataSource } from 'typeorm';
import { ConnectionsService } from '../../src/connections/connections.service.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { sealMovedSecrets } from '../../src/platform/secrets/moved-secrets.js';
import { refuseUnbound, SEALED_COLUMNS, type SealedColumn } from '../../src/platform/secrets/sealed-columns.js';
import { SecretBox } from '../../src/platform/secrets/secret-box.js';
import { sha256Hex } from '../../src/platform/secrets/sha256.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

const newSecret = () => randomBytes(36).toString('base64url');

const [ONE, TWO, THREE] = [newSecret(), newSecret(), newSecret()];
const KEYS = { openrouter: 'sk-or-of-the-settings', openai: 'sk-openai-of-the-settings' };
const BASE_URL = 'http://127.0.0.1:9/v1';
/** The API key of the account `sari`, which its owner can read. */
const API_KEY = `tk_${randomBytes(32).toString('base64url')}`;
/** That of an account whose sealed key was lost: it is valid all the same. */
const UNREADABLE = `tk_${randomBytes(32).toString('base64url')}`;
const PREVIOUS = migrations.findIndex(({ name }) => name.startsWith('ConnectionKeys'));

/** Writes a database whose secrets are bound to the cells of the version before they moved. */
async function writePreviousDatabase(url: string): Promise<void> {
  const previous = new DataSource({ ...dataSourceOptions(url, []), migrations: migrations.slice(0, PREVIOUS) });
  await previous.initialize();
  await previous.runMigrations({ transaction: 'each' });
  const columns = await previous.query<SealedColumn[]>(SEALED_COLUMNS);
  for (const column of columns) await previous.query(refuseUnbound(column));
  const box = new SecretBox(ONE);
  const sealed = (column: string, text: string) => box.seal(text, { table: 'setting', column, row: 1 });
  await previous.query(
    `insert into setting (id, site_title, welcome_message, empty_thread_message, system_prompt, openai_base_url,
       openrouter_api_key_sealed, openai_api_key_sealed) values (1, 'Old', 'Hi', '', 'Be kind', $1, $2, $3)`,
    [BASE_URL, sealed('openrouter_api_key_sealed', KEYS.openrouter), sealed('openai_api_key_sealed', KEYS.openai)],
  );
  const user = `insert into "user" (username, username_key, password_hash, api_key_hash, api_key_sealed, is_approved)
    values ($1, $1, $2, $3, $4, true) returning id`;
  // The first account has id 1.
  const own = box.seal(API_KEY, { table: 'user', column: 'api_key_sealed', row: 1 });
  const password = await hash(PASSWORD);
  await previous.query(user, ['sari', password, sha256Hex(API_KEY), own]);
  await previous.query(user, ['budi', password, sha256Hex(UNREADABLE), null]);
  await previous.destroy();
}

describe('the secrets of a database of the version before they moved', () => {
  let database: TestDatabase;
  let dataDir: string;
  let server: TestApp | undefined;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    dataDir = join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID());
    await writePreviousDatabase(database.url);
  });

  afterEach(async () => {
    await server?.close();
    server = undefined;
    await database.drop();
  });

  async function startWith(appSecret: string): Promise<TestApp> {
    await server?.close();
    server = await startTestApp({ database, env: { appSecret, dataDir } });
    return server;
  }

  const settingsOf = async ({ admin }: TestApp) =>
    (await (await admin()).get<AdminSettings>('/api/general-settings')).body;

  async function expectAll(app: TestApp): Promise<void> {
    const connections = app.app.get(ConnectionsService);
    expect(connections.storedOf('openrouter')).toEqual({ apiKey: KEYS.openrouter, baseUrl: null, hasKey: true });
    expect(connections.storedOf('openai')).toEqual({ apiKey: KEYS.openai, baseUrl: BASE_URL, hasKey: true });
    expect(await settingsOf(app)).toMatchObject({
      openrouterApiKey: '••••••••ings',
      openaiBaseUrl: BASE_URL,
      warnings: [],
    });
    await expectKeys(app, API_KEY);
  }

  /** @param readable what the owner reads */
  async function expectKeys(app: TestApp, readable: string | null): Promise<void> {
    for (const [username, apiKey, shown] of [
      ['sari', API_KEY, readable],
      ['budi', UNREADABLE, null],
    ] as const) {
      const browser = app.client();
      expect((await browser.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
      expect((await browser.get<ApiKeyResponse>('/api/user/apikey')).body).toEqual({ hasApiKey: true, apiKey: shown });
      expect((await browser.get<ApiKey[]>('/api/user/keys')).body).toEqual([]);
      const headers = { authorization: `Bearer ${apiKey}` };
      expect((await app.client().get('/api/v1/models', { headers })).status).toBe(200);
    }
  }

  it.each([
    ['the same secret', ONE],
    ['a new secret before theirs', `${TWO},${ONE}`],
  ])('open under %s, in their new rows', async (_case, secret) => {
    const app = await startWith(secret);
    await expectAll(app);
    const [{ moved }] = await app.dataSource.query<[{ moved: string | null }]>(
      `select to_regclass('moved_secret') as moved`,
    );
    expect(moved).toBeNull();
    await expectAll(await startWith(secret));
  });

  it('are sealed once by processes that start at the same time', async () => {
    const processes = await Promise.all(
      Array.from({ length: 4 }, () => new DataSource(dataSourceOptions(database.url, [])).initialize()),
    );
    await migrate(processes[0]!);
    await Promise.all(processes.map((dataSource) => sealMovedSecrets(dataSource, new SecretBox(ONE))));
    await Promise.all(processes.map((dataSource) => dataSource.destroy()));
    await expectAll(await startWith(ONE));
  });

  it('are kept while no listed secret opens them, for a start that lists theirs', async () => {
    const lost = await startWith(TWO);
    expect((await settingsOf(lost)).warnings).toEqual([
      { code: 'key_unreadable', params: { name: 'OpenRouter' } },
      { code: 'key_unreadable', params: { name: 'OpenAI' } },
    ]);
    await expectKeys(lost, null);
    // Who sends the settings back as they were read removes no key.
    const { openrouterApiKey, openaiApiKey } = await settingsOf(lost);
    expect([openrouterApiKey, openaiApiKey]).toEqual(['••••••••', '••••••••']);
    const admin = await lost.admin();
    const { status } = await admin.patch('/api/admin/general-settings', { openrouterApiKey, openaiApiKey });
    expect(status).toBe(200);
    await startWith(THREE);
    await expectAll(await startWith(`${THREE},${TWO},${ONE}`));
    await expectAll(await startWith(THREE));
  });
});
