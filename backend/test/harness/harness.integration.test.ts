import { Redis } from 'ioredis';
import pg from 'pg';
import { createDatabase, createEmptyDatabase } from './postgres.js';
import { startRedis } from './redis.js';

async function tables(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rowCount } = await client.query("select from information_schema.tables where table_schema = 'public'");
  await client.end();
  return rowCount ?? 0;
}

describe('the test harness', () => {
  it('creates a migrated database for each caller', async () => {
    const [one, two] = await Promise.all([createDatabase(), createDatabase()]);
    expect(one.url).not.toBe(two.url);
    expect(await tables(one.url)).toBeGreaterThan(0);
    await Promise.all([one.drop(), two.drop()]);
    await expect(tables(one.url)).rejects.toThrow('does not exist');
  });

  it('creates a database without tables', async () => {
    const database = await createEmptyDatabase();
    expect(await tables(database.url)).toBe(0);
    await database.drop();
  });

  it('restarts a killed Redis, empty, at the same address', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url);
    client.on('error', () => undefined);
    await client.set('key', 'value');
    await redis.kill();
    await redis.start();
    expect(await client.get('key')).toBeNull();
    client.disconnect();
    await redis.stop();
  });
});
