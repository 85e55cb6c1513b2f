import { createConnection, createServer, type AddressInfo, type Server } from 'node:net';
import pg from 'pg';
import { Connection, PLANNED_EACH_TIME } from '../../../src/platform/database/prepared-connection.js';
import { Statements } from '../../../src/platform/database/statements.js';
import { isStorageAway } from '../../../src/platform/resilience/storage-retries.js';
import { createEmptyDatabase, type TestDatabase } from '../../harness/postgres.js';

const STATEMENT = 'select $1::int + 1 as sum';
const prepared = 'select count(*)::int as count from pg_prepared_statements where statement = $1';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

/** Runs a statement twice. @returns the number of its prepared statements in Postgres */
async function preparedThrough(url: string, statement = STATEMENT): Promise<number> {
  const connection = new Connection({ connectionString: url });
  await connection.connect();
  try {
    for (const number of [1, 2]) {
      const { rows } = await connection.query<{ sum: number }>(statement, [number]);
      expect(rows).toEqual([{ sum: number + 1 }]);
    }
    const { rows } = await connection.query<{ count: number }>({ text: prepared, values: [statement] });
    return rows[0]!.count;
  } finally {
    await connection.end();
  }
}

const openPool = (): pg.Pool => new pg.Pool({ connectionString: database.url, max: 1, Client: Connection });

/** Fake of a connection pooler: it reports a process id that is not the backend's. */
async function startPooler(target: URL): Promise<{ url: string; server: Server }> {
  const server = createServer((client) => {
    const postgres = createConnection({ host: target.hostname, port: Number(target.port) });
    client.on('data', (bytes) => postgres.write(bytes));
    postgres.on('data', (bytes: Buffer) => {
      // BackendKeyData: 'K', a length of 12, the process id, the key.
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) bytes.writeUInt32BE(7, at + 5);
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, server };
}

describe('a connection', () => {
  it('prepares a statement once', async () => {
    expect(await preparedThrough(database.url)).toBe(1);
  });

  it('does not prepare a statement that asks for a plan per execution', async () => {
    expect(await preparedThrough(database.url, `/* ${PLANNED_EACH_TIME} */ ${STATEMENT}`)).toBe(0);
  });

  it('gives up its statements when they are too many, and prepares again what it runs', async () => {
    const pool = openPool();
    const sum = async (statement: string): Promise<unknown> => (await pool.query(statement, [1])).rows;
    const statementsOf = async (): Promise<string[]> => {
      const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements');
      return rows.map(({ statement }) => statement);
    };
    try {
      const others = Array.from({ length: 501 }, (_, at) => `select $1::int + ${at} as sum`);
      expect(await sum(STATEMENT)).toEqual([{ sum: 2 }]);
      for (const [at, other] of others.entries()) expect(await sum(other)).toEqual([{ sum: at + 1 }]);
      expect((await statementsOf()).length).toBeLessThan(10);
      expect([await sum(STATEMENT), await sum(STATEMENT)]).toEqual([[{ sum: 2 }], [{ sum: 2 }]]);
      expect((await statementsOf()).filter((statement) => statement === STATEMENT)).toHaveLength(1);
    } finally {
      await pool.end();
    }
  });

  it('does not prepare statements behind a pooler', async () => {
    const { url, server } = await startPooler(new URL(database.url));
    try {
      expect(await preparedThrough(url)).toBe(0);
    } finally {
      server.close();
    }
  });

  it.each([
    ['are gone', 'deallocate all'],
    ['have other columns', 'alter table changed add column more text'],
  ])('leaves the pool when its statements %s', async (_name, change) => {
    const pool = openPool();
    const read = (): Promise<unknown[]> => new Statements(pool).run('select * from changed where n > $1::int', [0]);
    try {
      await pool.query('drop table if exists changed');
      await pool.query('create table changed (n int)');
      await read();
      await pool.query(change);
      expect(isStorageAway(await read().catch((error: unknown) => error))).toBe(true);
      expect(await read()).toEqual([]);
    } finally {
      await pool.end();
    }
  });

  it('leaves the pool with a transaction whose statement is gone', async () => {
    const pool = openPool();
    try {
      const client = await pool.connect();
      await client.query(STATEMENT, [1]);
      await client.query('deallocate all');
      await client.query('begin');
      await expect(client.query(STATEMENT, [1])).rejects.toMatchObject({ code: '26000' });
      client.release();
      expect((await pool.query(STATEMENT, [1])).rows).toEqual([{ sum: 2 }]);
    } finally {
      await pool.end();
    }
  });

  it('passes a connection error to a callback', async () => {
    const url = new URL(database.url);
    url.password = 'wrong';
    const connection = new Connection({ connectionString: url.href });
    const error = await new Promise<Error | null>((resolve) => connection.connect(resolve));
    expect(error).toBeInstanceOf(pg.DatabaseError);
  });
});
