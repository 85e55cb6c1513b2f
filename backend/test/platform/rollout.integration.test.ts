import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { upgrade } from '../../src/app.upgrade.js';
import { DEFAULT_TIMINGS } from '../../src/config/timings.js';
import { serverVersion } from '../../src/config/version.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { withMigrationLock } from '../../src/platform/database/migrate.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { startTestApp } from '../harness/test-app.js';

let redis: TestRedis;
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

beforeEach(async () => {
  database = await createDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

const start = (rolloutWait = 30_000) =>
  startTestApp({ database, env: { redisUrl: redis.url }, timings: { rolloutWait } });

const beat = (version: string | null, at = `now() + interval '1 hour'`) =>
  client.query(`insert into node (id, hostname, version, beat_at) values ($1, 'other', $2, ${at})`, [
    randomUUID(),
    version,
  ]);

describe('a start beside a node of another version', () => {
  it.each([['another'], [null]])('waits for its end, with the version %j', async (version) => {
    await beat(version);
    let isStarted = false;
    const starting = start().finally(() => (isStarted = true));
    await sleep(1_500);
    expect(isStarted).toBe(false);
    await client.query('delete from node');
    const server = await starting;
    expect((await server.client().get('/api/health/ready')).status).toBe(200);
    await server.close();
  });

  it('fails after the wait and has changed nothing', async () => {
    await client.query(`delete from migrations where name = 'NodeVersions1764560000000'`);
    await client.query(
      'alter table node drop column version, add column opens_bound_secrets boolean not null default false',
    );
    await client.query(`insert into node (id, hostname, beat_at) values ($1, 'other', now() + interval '1 hour')`, [
      randomUUID(),
    ]);
    await expect(start(100)).rejects.toThrow('Nodes of another version still run after 0.1 s. Stop them');
    const { rows } = await client.query('select hostname, opens_bound_secrets from node');
    expect(rows).toEqual([{ hostname: 'other', opens_bound_secrets: false }]);
  });

  it('does not wait for one that is dead', async () => {
    await beat('another', `now() - interval '1 hour'`);
    await (await start(100)).close();
  });
});

it('nodes of one version start beside one another', async () => {
  await beat(serverVersion());
  await (await start(100)).close();
});

it('a start waits for long migrations of another node, also where idle transactions are ended', async () => {
  await client.query(`alter database "${new URL(database.url).pathname.slice(1)}"
    set idle_in_transaction_session_timeout = 300`);
  const dataSource = await new DataSource(
    dataSourceOptions(database.url, [], { statementTimeoutMs: 500 }),
  ).initialize();
  const order: string[] = [];
  const first = withMigrationLock(dataSource, () => sleep(1_500).then(() => order.push('first')));
  await sleep(200);
  await withMigrationLock(dataSource, async () => order.push('second'));
  await first;
  await dataSource.destroy();
  expect(order).toEqual(['first', 'second']);
});

it('a start that waited for the migrations of another node beats from their end on', async () => {
  const dataSource = await new DataSource(dataSourceOptions(database.url, [])).initialize();
  const node = { id: randomUUID(), hostname: 'own' };
  const options = { version: 'own', timings: DEFAULT_TIMINGS, logger: pino({ enabled: false }), isAlone: false, node };
  let starting: Promise<unknown> | undefined;
  const end = await withMigrationLock(dataSource, async (manager) => {
    starting = upgrade(dataSource, options);
    await sleep(500);
    const [{ now }] = await manager.query<[{ now: Date }]>('select clock_timestamp() as now');
    return now;
  });
  await starting;
  const { rows } = await client.query<{ beat_at: Date }>('select beat_at from node where id = $1', [node.id]);
  await dataSource.destroy();
  expect(rows[0]!.beat_at.getTime()).toBeGreaterThanOrEqual(end.getTime());
});

it.each([9999999999999, 1763600000001])('a start on the schema of a newer version fails at once (%i)', async (time) => {
  await client.query(`insert into migrations ("timestamp", name) values ($1, $2)`, [time, `Later${time}`]);
  await expect(start()).rejects.toThrow('The database has the schema of a newer version.');
});
