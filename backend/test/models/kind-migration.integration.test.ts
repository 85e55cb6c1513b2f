import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminModel, PublicModel, UnlistedModel } from '@tanya/contract';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

const PREVIOUS = migrations.findIndex(({ name }) => name.startsWith('ModelKinds'));

/** Fields of a usage record: a program's charged call for embeddings without others. */
interface Recorded {
  model: string;
  channel?: string;
  state?: string;
  cost?: number;
  prompt?: number;
  completion?: number;
  firstToken?: number;
  days?: number;
}

const CALLS: Recorded[] = [
  { model: 'text-embedding-3-small', days: 1 },
  { model: 'openai/whisper-1', prompt: 0, days: 2 },
  { model: 'nomic-embed-text:latest', days: 3 },
  { model: 'own/painter', cost: 7, days: 3 },
  // These ids have no known word: the tokens decide.
  { model: 'own/vectors', days: 4 },
  { model: 'own/listener', prompt: 0, days: 4 },
  { model: 'own/embedder', days: 4 },
  // Other spellings of rows.
  { model: 'ACME/Embed-Premium', days: 5 },
  { model: 'acme/embed-premium:nitro', days: 6 },
  { model: ' acme/embed-off', days: 6 },
  // Deleted models for chat, and one of unclear calls.
  { model: 'gone/chat', completion: 20, firstToken: 300, days: 7 },
  { model: 'gone/embed-chat', completion: 20, firstToken: 300, days: 7 },
  { model: 'own/unclear', completion: 5, days: 8 },
  // Too old, free, or not of a program.
  { model: 'old/embedder', days: 91 },
  { model: 'failed/embedder', state: 'released' },
  { model: 'page/embedder', channel: 'web' },
  { model: 'acme/image-talker', channel: 'web', completion: 20, firstToken: 300 },
];

async function writePreviousDatabase(url: string): Promise<void> {
  const previous = new DataSource({ ...dataSourceOptions(url, []), migrations: migrations.slice(0, PREVIOUS) });
  await previous.initialize();
  await previous.runMigrations();
  await previous.query(`insert into "user" (username, username_key, password_hash) values ('Ada', 'ada', 'x')`);
  await previous.query(`insert into model (model_id, name, provider, is_enabled, is_premium, input_modalities, output_modalities) values
    ('acme/embed-premium', 'Premium', 'acme', true, true, null, null),
    ('acme/embed-off', 'Off', 'acme', false, false, null, null),
    ('acme/image-talker', 'Talker', 'acme', true, false, null, null),
    ('acme/image-chat', 'Image chat', 'acme', true, false, '{text}', '{text,image}'),
    ('acme/drawer', 'Drawer', 'acme', true, false, '{text}', '{image}'),
    ('acme/plain', 'Plain', 'acme', true, false, null, null),
    ('own/embedder', 'Embedder', 'own', true, false, null, null),
    ('gpt-image-1', 'Image', 'OpenAI', true, false, null, null)`);
  await previous.query(`update model set is_default = false where is_default`);
  await previous.query(
    `insert into model (model_id, name, provider, is_default) values ('acme/image-default', 'Default', 'acme', true)`,
  );
  for (const { model, channel, state, cost, prompt, completion, firstToken, days } of CALLS)
    await previous.query(
      `insert into usage_record (owner, period, model_id, channel, state, cost, prompt_tokens, completion_tokens, first_token_ms,
         created_at, settled_at, reason)
       values ('user:1', 'ever', $1, $2, $3, $4, $5, $6, $7, now() - $8 * interval '1 day', now() - $8 * interval '1 day', 'complete')`,
      [
        model,
        channel ?? 'api',
        state ?? 'charged',
        cost ?? 1,
        prompt ?? 9,
        completion ?? 0,
        firstToken ?? null,
        days ?? 1,
      ],
    );
  await previous.destroy();
}

describe('the models of the previous version', () => {
  let database: TestDatabase;
  let server: TestApp;
  let models: AdminModel[];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await writePreviousDatabase(database.url);
    server = await startTestApp({
      database,
      env: { dataDir: join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID()) },
    });
    models = (await (await server.admin()).get<AdminModel[]>('/api/admin/models')).body;
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const model = (id: string): AdminModel | undefined => models.find(({ modelId }) => modelId === id);

  it.each([
    ['openai/gpt-4o-mini', 'chat', false],
    ['openai/gpt-image-1', 'image', false],
    ['gpt-image-1', 'image', false],
    ['acme/drawer', 'image', false],
    ['acme/image-chat', 'chat', false],
    ['acme/image-talker', 'chat', true],
    ['acme/image-default', 'chat', true],
    ['acme/plain', 'chat', true],
    ['acme/embed-premium', 'embedding', true],
    ['own/embedder', 'embedding', true],
  ])('have a kind: %s is %s', (id, kind, isKindGuessed) => {
    expect(model(id)).toMatchObject({ kind, isKindGuessed, isInPicker: true });
  });

  it.each([
    ['text-embedding-3-small', 'embedding'],
    ['openai/whisper-1', 'transcription'],
    ['nomic-embed-text:latest', 'embedding'],
    ['own/painter', 'image'],
    ['own/vectors', 'embedding'],
    ['own/listener', 'transcription'],
  ])('gain %s, which programs called, for premium members alone and not in the picker', async (id, kind) => {
    const rules = { kind, isEnabled: true, isApiEnabled: true, isPremium: true, isInPicker: false };
    expect(model(id)).toMatchObject({ ...rules, isKindGuessed: true });
    const { body } = await server.client().get<PublicModel[]>('/api/models');
    expect(body).toContainEqual(expect.objectContaining({ modelId: id, isInPicker: false }));
  });

  it('gain nothing else', () => {
    expect(models).toHaveLength(3 + 9 + 6);
    expect(model('own/vectors')).toMatchObject({ name: 'vectors', provider: 'own' });
    expect(model('text-embedding-3-small')).toMatchObject({ name: 'text-embedding-3-small' });
  });

  it('leave the other ids that programs called to the admin', async () => {
    const admin = await server.admin();
    const { body } = await admin.get<UnlistedModel[]>('/api/admin/models/unlisted');
    expect(body.map(({ modelId, kind }) => [modelId, kind])).toEqual([
      ['ACME/Embed-Premium', 'embedding'],
      [' acme/embed-off', 'embedding'],
      ['acme/embed-premium:nitro', 'embedding'],
      ['gone/chat', 'chat'],
      ['gone/embed-chat', 'embedding'],
      ['own/unclear', 'chat'],
    ]);
    expect(body[0]).toMatchObject({ messages: 1, lastUsedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    await admin.post('/api/admin/models', { modelId: 'own/unclear', kind: 'transcription' });
    const { body: rest } = await admin.get<UnlistedModel[]>('/api/admin/models/unlisted');
    expect(rest.map(({ modelId }) => modelId)).not.toContain('own/unclear');
  });
});

describe('a new installation', () => {
  it('lists a model for each call of the public API', async () => {
    const server = await startTestApp();
    const { body } = await server.client().get<PublicModel[]>('/api/models');
    expect(body.map(({ modelId, kind, isPremium }) => [modelId, kind, isPremium])).toEqual([
      ['openai/gpt-4o', 'chat', false],
      ['openai/gpt-4o-mini', 'chat', false],
      ['openai/gpt-image-1', 'image', false],
      ['text-embedding-3-small', 'embedding', false],
      ['whisper-1', 'transcription', false],
    ]);
    await server.close();
  });
});
