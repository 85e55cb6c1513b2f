import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminSettings, ProviderConnection } from '@tanya/contract';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { sealUnbound } from '../harness/rows/unbound-seal.js';

const SECRET = 'the secret of both versions, long enough';
const KEY = 'sk-stored-by-the-previous-version';
const PREVIOUS = migrations.findIndex(({ name }) => name.startsWith('ProviderConnections'));

/** Writes the database of the version before connections: keys, base URLs and an own model. */
async function writePreviousDatabase(url: string): Promise<void> {
  const previous = new DataSource({ ...dataSourceOptions(url, []), migrations: migrations.slice(0, PREVIOUS) });
  await previous.initialize();
  await previous.runMigrations();
  await previous.query(
    `insert into setting (id, site_title, welcome_message, empty_thread_message, system_prompt,
       openrouter_api_key_sealed, openrouter_base_url, openai_base_url) values (1, 'Old', 'Hi', '', 'Be kind', $1, $2, $3)`,
    [sealUnbound(SECRET, KEY), 'http://127.0.0.1:9/or', 'http://127.0.0.1:9/oa'],
  );
  await previous.query(`insert into model (model_id, name, provider) values ('own/model', 'own: Model', 'own')`);
  await previous.destroy();
}

describe('a database with stored keys', () => {
  let database: TestDatabase;
  let server: TestApp;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await writePreviousDatabase(database.url);
    const dataDir = join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID());
    server = await startTestApp({ database, env: { appSecret: SECRET, dataDir } });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  it('has them in the first two connections and in the settings', async () => {
    const admin = await server.admin();
    const [openrouter, openai, ...others] = (await admin.get<ProviderConnection[]>('/api/admin/connections')).body;
    expect(others).toEqual([]);
    expect(openrouter).toMatchObject({
      kind: 'openrouter',
      baseUrl: 'http://127.0.0.1:9/or',
      apiKey: '••••••••sion',
      keySource: 'settings',
      enabled: true,
    });
    expect(openai).toMatchObject({ kind: 'openai', baseUrl: 'http://127.0.0.1:9/oa', hasApiKey: false });
    expect((await admin.get<AdminSettings>('/api/general-settings')).body).toMatchObject({
      siteTitle: 'Old',
      openrouterApiKey: '••••••••sion',
      openrouterBaseUrl: 'http://127.0.0.1:9/or',
      demo: false,
    });
  });

  it('keeps its models, without a connection', async () => {
    const admin = await server.admin();
    const { body } = await admin.get<object[]>('/api/admin/models');
    expect(body).toContainEqual(
      expect.objectContaining({ modelId: 'own/model', connectionId: null, pricing: null, displayName: 'Model' }),
    );
  });
});
