import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { DatabaseOwner, OWNER_LOCK } from '../../../src/platform/database/database-owner.js';
import { createEmptyDatabase, type TestDatabase } from '../../harness/postgres.js';
import { waitUntil } from '../../harness/wait-until.js';

let database: TestDatabase;
let client: pg.Client;
let lost: number;
let owner: DatabaseOwner;

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  lost = 0;
  owner = new DatabaseOwner(database.url, null, pino({ enabled: false }), () => (lost += 1));
});

afterEach(async () => {
  await owner.release();
  await client.end();
  await database.drop();
});

const lock = async () => {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [OWNER_LOCK]);
  return rows[0]!.taken;
};

it('waits for the session of a predecessor that Postgres still holds for alive', async () => {
  expect(await lock()).toBe(true);
  await expect(owner.acquire(0)).rejects.toThrow('Another Tanya process uses this database');
  const acquired = owner.acquire();
  await sleep(600);
  await client.query('select pg_advisory_unlock($1)', [OWNER_LOCK]);
  await acquired;
  expect(await lock()).toBe(false);
});

it('waits for its own session after its connection was lost', async () => {
  const { hostname, port } = new URL(database.url);
  const sessions: Socket[] = [];
  const connections: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) });
    near.on('error', () => undefined).pipe(far, { end: false });
    far.pipe(near);
    connections.push(near);
    sessions.push(far);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  owner = new DatabaseOwner(url.href, null, pino({ enabled: false }), () => (lost += 1));
  await owner.acquire();
  // Postgres does not notice.
  connections[0]!.resetAndDestroy();
  await sleep(2_500);
  expect([sessions.length > 1, lost]).toEqual([true, 0]);
  expect(await lock()).toBe(false);
  sessions[0]!.destroy();
  await sleep(1_000);
  expect(lost).toBe(0);
  expect(await lock()).toBe(false);
  await owner.release();
  for (const session of sessions) session.destroy();
  proxy.close();
});

it('gives up at once when another process took the lock after its connection was lost', async () => {
  await owner.acquire();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'tanya owner'`);
  await waitUntil('the lock is free', lock);
  const begun = performance.now();
  await waitUntil('the owner gives up', () => lost === 1);
  expect(performance.now() - begun).toBeLessThan(15_000);
});
