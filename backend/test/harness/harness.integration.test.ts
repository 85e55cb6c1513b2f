import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freePort } from './free-port.js';
import { createDatabase, createEmptyDatabase } from './postgres.js';
import { startRedis } from './redis.js';

async function tables(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rowCount } = await client.query("select from information_schema.tables where table_schema = 'public'");
  await client.end();
  return rowCount ?? 0;
}

const program = `
  const { freePort } = await import(${JSON.stringify(new URL('free-port.ts', import.meta.url).href)});
  console.log(JSON.stringify([await freePort(), await freePort(), await freePort()]));
`;

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

  it('has ports that no other process gets', async () => {
    const own = await Promise.all([freePort(), freePort()]);
    const hooks = fileURLToPath(new URL('../../../scripts/testing/typescript.mjs', import.meta.url));
    const options = ['--no-warnings', '--import', hooks, '--input-type', 'module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    const others = JSON.parse(stdout) as number[];
    const rangeOf = (port: number): number => Math.floor(port / 500);
    expect(new Set(own.map(rangeOf)).size).toBe(1);
    expect(new Set(others.map(rangeOf)).size).toBe(1);
    expect(rangeOf(others[0]!)).not.toBe(rangeOf(own[0]));
    expect(new Set([...own, ...others]).size).toBe(5);
  });
});
