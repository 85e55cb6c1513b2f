import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminSettings } from '@tanya/contract';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';
import { startTestApp } from '../harness/test-app.js';

const COLUMNS = migrations.findIndex(({ name }) => name.startsWith('SettingsAsValues'));

const CHANGED = {
  site_title: 'Toko "Kita"',
  free_user_message_quota: 7,
  premium_user_budget_usd: '12.500000000000',
  sharing_enabled: false,
  terms_url: 'https://terms.example/',
  starters: ['One, two', 'Three'],
  totp_required: { admin: false, member: true },
  built_in_tools: { calculate: ['free'] },
  searxng_url: 'http://127.0.0.1:9',
};

const connect = (url: string, known: typeof migrations) =>
  new DataSource({ ...dataSourceOptions(url, []), migrations: known }).initialize();

async function writeColumns(url: string): Promise<void> {
  const previous = await connect(url, migrations.slice(0, COLUMNS));
  await previous.runMigrations();
  const [names, values] = [Object.keys(CHANGED), Object.values(CHANGED)];
  await previous.query(
    `insert into setting (id, welcome_message, empty_thread_message, system_prompt, ${names.join(', ')})
     values (1, 'Hi', '', 'Be kind', ${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
  await previous.destroy();
}

describe('settings in columns', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    await writeColumns(database.url);
  });

  afterEach(() => database.drop());

  it('keep their values', async () => {
    const dataDir = join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID());
    const server = await startTestApp({ database, env: { dataDir } });
    const { body } = await (await server.admin()).get<AdminSettings>('/api/general-settings');
    expect(body).toMatchObject({
      siteTitle: CHANGED.site_title,
      welcomeMessage: 'Hi',
      emptyThreadMessage: '',
      systemPrompt: 'Be kind',
      guestMessageQuota: 3,
      freeUserMessageQuota: 7,
      freeUserBudgetUsd: null,
      premiumUserBudgetUsd: '12.5',
      sharingEnabled: false,
      termsUrl: CHANGED.terms_url,
      contactUrl: '',
      starters: CHANGED.starters,
      totpRequired: CHANGED.totp_required,
      maxSteps: { guest: 0, free: 3, premium: 10 },
      searxngUrl: CHANGED.searxng_url,
    });
    expect(body.builtInTools).toMatchObject({ calculate: ['free'], read_page: ['guest', 'free', 'premium'] });
    await server.close();
  });
});
