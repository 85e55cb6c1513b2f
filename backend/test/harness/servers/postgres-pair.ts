import { PostgresNode } from './postgres-node.js';

export const PAIR_DATABASE = 'tanya';

/** Two stopped servers with the same data. */
export async function createPair(): Promise<[first: PostgresNode, second: PostgresNode]> {
  const first = await PostgresNode.create();
  await first.start();
  await first.query(`create database ${PAIR_DATABASE}`);
  await first.stop();
  return [first, await first.copy()];
}

/** Starts a primary that waits for its standby before each commit, and the standby. */
export async function startPair(): Promise<[primary: PostgresNode, standby: PostgresNode]> {
  const [primary, standby] = await createPair();
  await primary.start();
  await standby.start({}, primary);
  await requireStandby(primary);
  return [primary, standby];
}

/** Makes every commit of a primary wait for its standby. */
export async function requireStandby(primary: PostgresNode): Promise<void> {
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query('select pg_reload_conf()');
}

/** DATABASE_URL of several servers with the same password. */
export const urlOfPair = (...nodes: { port: number; password: string }[]): string =>
  `postgres://tanya:${nodes[0]!.password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${PAIR_DATABASE}`;
