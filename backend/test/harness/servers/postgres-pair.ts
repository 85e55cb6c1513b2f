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

/** DATABASE_URL of several servers with the same password. */
export const urlOfPair = (...nodes: { port: number; password: string }[]): string =>
  `postgres://tanya:${nodes[0]!.password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${PAIR_DATABASE}`;
