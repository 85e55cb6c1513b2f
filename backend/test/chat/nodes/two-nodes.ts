import { Redis } from 'ioredis';
import { type ChatHarness, type ChatHarnessOptions, startChatHarness } from '../../harness/chat-harness.js';
import { HttpClient } from '../../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { type ScriptedUpstream, startUpstream } from '../../harness/scripted-upstream.js';

/** Runs until it is stopped: 200 s at least. */
export const ENDLESS = '[[words=20000 pace=10]]';

export interface TwoNodes {
  one: ChatHarness;
  two: ChatHarness;
  database: TestDatabase;
  redis: TestRedis;
  upstream: ScriptedUpstream;
  /** Starts another node over the same stores. */
  startNode(timings?: ChatHarnessOptions['timings']): Promise<ChatHarness>;
  /** Number of commands that Redis refused because their keys lie in several slots of a cluster. */
  crossSlotErrors(): Promise<number>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts two nodes in this process over one Postgres, one Redis cluster and one provider. */
export async function startTwoNodes(timings: ChatHarnessOptions['timings'] = {}): Promise<TwoNodes> {
  const database = await createDatabase();
  const redis = await startRedis({ cluster: true });
  const upstream = await startUpstream({ words: 20 });
  const startNode: TwoNodes['startNode'] = (more) =>
    startChatHarness({
      redis: true,
      database,
      sharedRedis: redis,
      sharedUpstream: upstream,
      env: { appSecret: 'one secret of all nodes of this test, long enough' },
      timings: { ...timings, ...more },
    });
  const one = await startNode();
  const two = await startNode();
  return {
    one,
    two,
    database,
    redis,
    upstream,
    startNode,
    crossSlotErrors: async () => {
      const client = new Redis(redis.url);
      const errors = await client.info('errorstats');
      client.disconnect();
      return Number(/errorstat_CROSSSLOT:count=(\d+)/.exec(errors)?.[1] ?? 0);
    },
    settle: async () => {
      await one.settle();
      await two.settle();
    },
    close: async () => {
      await one.close();
      await two.close();
      await redis.stop();
      await upstream.close();
      await database.drop();
    },
  };
}

/** The same browser at another node: same address and a copy of its cookies. */
export function at(node: ChatHarness, browser: HttpClient): HttpClient {
  return new HttpClient(node.url, browser.address, new Map(browser.cookies));
}
