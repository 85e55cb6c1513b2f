import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';

const CHOICES = migrations.findIndex(({ name }) => name.startsWith('AnswersAsChoices'));

const TOKENS = { promptTokens: 1, completionTokens: 2, cachedTokens: null, reasoningTokens: 0, created: 3 };

let database: TestDatabase;

beforeEach(async () => (database = await createEmptyDatabase()));

afterEach(() => database.drop());

const migrated = async (known: typeof migrations): Promise<DataSource> => {
  const dataSource = await new DataSource({
    ...dataSourceOptions(database.url, []),
    migrations: known,
  }).initialize();
  await dataSource.runMigrations();
  return dataSource;
};

it.each([
  [
    'one answer',
    { text: 'a', finishReason: 'stop', reasoning: { name: 'reasoning', text: '', details: [null] } },
    [{ choice: 0, text: 'a', finishReason: 'stop', reasoning: { name: 'reasoning', text: '', details: [null] } }],
  ],
  [
    'several, of which the first failed',
    { text: '', finishReason: 'stop', lacksFirst: true, choices: [{ choice: 1, text: 'b', finishReason: 'stop' }] },
    [
      { choice: 0, text: '', finishReason: null },
      { choice: 1, text: 'b', finishReason: 'stop' },
    ],
  ],
])('answers that an earlier version stored can still be read: %s', async (_what, stored, choices) => {
  const earlier = await migrated(migrations.slice(0, CHOICES));
  const [id, nodeId] = [randomUUID(), randomUUID()];
  await earlier.query(
    `insert into generation (id, owner, client_message_id, request_hash, model_id, status, cost, period, node_id, answer)
     values ($1, 'user:1', 'key', 'hash', 'a/b', 'complete', 1, 'all', $2, $3)`,
    [id, nodeId, { ...stored, ...TOKENS }],
  );
  await earlier.destroy();
  const now = await migrated(migrations);
  const [{ answer }] = await now.query<[{ answer: unknown }]>('select answer from generation where id = $1', [id]);
  expect(answer).toEqual({ choices, ...TOKENS });
  await now.destroy();
});
