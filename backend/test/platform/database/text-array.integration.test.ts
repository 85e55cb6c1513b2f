import { Connection } from '../../../src/platform/database/prepared-connection.js';
import { textArray } from '../../../src/platform/database/text-array.js';
import { createEmptyDatabase, type TestDatabase } from '../../harness/postgres.js';

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createEmptyDatabase();
  connection = new Connection({ connectionString: database.url });
  await connection.connect();
});

afterAll(async () => {
  await connection.end();
  await database.drop();
});

it.each([
  ['none', []],
  ['empty ones', ['', '']],
  ['what arrays escape', ['"', '\\', '{a,b}', 'null', ' a ', 'a\nb']],
  ['letters of several bytes', ['é', '日本', '💥']],
  ['a million quotes', ['"'.repeat(1_000_000)]],
])('sends texts as they are: %s', async (_, texts) => {
  const { rows } = await connection.query<{ text: string }>(
    'select text from unnest($1::text[]) with ordinality as given (text, place) order by place',
    [textArray(texts)],
  );
  expect(rows.map(({ text }) => text)).toEqual(texts);
});
