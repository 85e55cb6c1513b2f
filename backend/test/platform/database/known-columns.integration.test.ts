import pg from 'pg';
import {
  type Columns,
  KnownColumnsQuery,
  type PreparedStatement,
} from '../../../src/platform/fast-paths/known-columns.js';
import { createEmptyDatabase, type TestDatabase } from '../../harness/postgres.js';

let database: TestDatabase;
let client: pg.Client;
let columns: Columns;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  client = new pg.Client(database.url);
  columns = new Map();
  await client.connect();
});

afterEach(() => client.end());

const run = (statement: PreparedStatement): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(
      new KnownColumnsQuery(statement, columns, (error, result) => (error ? reject(error) : resolve(result))),
    );
  });

const ROWS = `select n, n::text as text, null::int as nothing, '2026-01-02 03:04:05+00'::timestamptz + n * interval '1 day' as at,
  array[n, 1] as list, jsonb_build_object('n', n) as json, 1.50::numeric as price, n::bigint as big, n > 1 as is_more
  from generate_series(1, $1::int) as n`;

it('gives the rows and fields of a plain query, at each execution', async () => {
  for (const count of [2, 0, 3]) {
    const plain = await client.query({ name: 'plain', text: ROWS, values: [count] });
    const known = await run({ name: 'known', text: ROWS, values: [count] });
    const { rows, fields, rowCount, command } = known;
    expect({ rows, fields, rowCount, command }).toEqual({
      rows: plain.rows,
      fields: plain.fields,
      rowCount: plain.rowCount,
      command: plain.command,
    });
  }
});

it('asks for the columns once', async () => {
  const wire = (client as unknown as { connection: { describe(message: object): void } }).connection;
  let asked = 0;
  const describe = wire.describe.bind(wire);
  wire.describe = (message) => {
    asked += 1;
    describe(message);
  };
  for (const count of [1, 2, 3]) await run({ name: 'known', text: ROWS, values: [count] });
  expect(asked).toBe(1);
});

it('works without rows and after an error', async () => {
  const insert = { name: 'insert', text: 'insert into kept values ($1::int)' };
  await expect(run({ ...insert, values: [1] })).rejects.toMatchObject({ code: '42P01' });
  await client.query('create temporary table kept (n int primary key)');
  expect(await run({ ...insert, values: [1] })).toMatchObject({ rowCount: 1, rows: [] });
  await expect(run({ ...insert, values: [1] })).rejects.toMatchObject({ code: '23505' });
  expect(await run({ ...insert, values: [2] })).toMatchObject({ rowCount: 1, rows: [] });
  const read = { name: 'read', text: 'select n from kept where n > $1::int order by n' };
  for (const after of [0, 1]) expect((await run({ ...read, values: [after] })).rowCount).toBe(2 - after);
});

it('fails like a plain query when the columns of a table changed', async () => {
  await client.query('create temporary table changed (n int)');
  const read = { name: 'read', text: 'select * from changed where $1::int = 1', values: [1] };
  await run(read);
  await client.query('alter table changed add column text text');
  await expect(run(read)).rejects.toMatchObject({ code: '0A000' });
});
