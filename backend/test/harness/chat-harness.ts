import type { Env } from '../../src/config/env.js';
import type { Timings } from '../../src/config/timings.js';
import type { HttpClient } from './http-client.js';
import { expectBalancedLedger } from './ledger.js';
import type { TestDatabase } from './postgres.js';
import { startRedis, type TestRedis } from './redis.js';
import { startUpstream, type ScriptedUpstream } from './scripted-upstream.js';
import { SocketClient } from './socket-client.js';
import { startTestApp, type TestApp } from './test-app.js';

/** The adapters of counters, generation log and bus. Their behaviour is the same. */
export const ADAPTERS = [
  ['in process', false],
  ['over Redis', true],
] as const;

/**
 * Short intervals of periodic work. Timeouts keep their production values or are longer, since a loaded machine could
 * miss short ones; a test of a timeout shortens that one alone.
 */
const TIMINGS: Partial<Timings> = {
  checkpoint: 150,
  logFlush: 50,
  nodeBeat: 1_000,
  remoteStop: 20_000,
  shutdownGrace: 400,
};

/** Intervals for tests of what happens at intervals. A server that only waits takes 4 % of a core with them. */
export const FAST_TIMINGS: Partial<Timings> = { checkpoint: 60, logFlush: 20, nodeBeat: 100 };

export interface ChatHarness extends TestApp {
  upstream: ScriptedUpstream;
  redis: TestRedis | null;
  /** Opens a socket with the browser's cookies. */
  page(browser: HttpClient): Promise<SocketClient>;
  /** Creates a member and opens a socket for it. */
  memberPage(fields?: Parameters<TestApp['member']>[0]): Promise<MemberPage>;
  /** Waits until the ledger is balanced, then closes all pages. */
  settle(): Promise<void>;
}

export interface MemberPage extends Awaited<ReturnType<TestApp['member']>> {
  page: SocketClient;
}

export interface ChatHarnessOptions {
  redis: boolean;
  env?: Partial<Env>;
  timings?: Partial<Timings>;
  database?: TestDatabase;
  cachesFiles?: boolean;
  /** Shared between several servers, and not closed with this one. */
  sharedRedis?: TestRedis;
  sharedUpstream?: ScriptedUpstream;
}

/** Starts the whole server in front of a scripted provider. */
export async function startChatHarness(options: ChatHarnessOptions): Promise<ChatHarness> {
  const upstream = options.sharedUpstream ?? (await startUpstream({ words: 20 }));
  const redis = options.sharedRedis ?? (options.redis ? await startRedis() : null);
  const server = await startTestApp({
    env: { redisUrl: redis?.url ?? null, openai: { apiKey: 'sk-scripted', baseUrl: upstream.url }, ...options.env },
    timings: { ...TIMINGS, ...options.timings },
    database: options.database,
    cachesFiles: options.cachesFiles,
  });
  const pages: SocketClient[] = [];
  const page = async (browser: HttpClient): Promise<SocketClient> => {
    const opened = await SocketClient.connect(browser);
    pages.push(opened);
    return opened;
  };
  const harness: ChatHarness = {
    ...server,
    upstream,
    redis,
    page,
    memberPage: async (fields) => {
      const member = await server.member(fields);
      return { ...member, page: await page(member.client) };
    },
    settle: async () => {
      await expectBalancedLedger(server);
      for (const opened of pages.splice(0)) await opened.close();
    },
    close: async () => {
      for (const opened of pages.splice(0)) await opened.close();
      await server.close();
      if (options.sharedRedis === undefined) await redis?.stop();
      if (options.sharedUpstream === undefined) await upstream.close();
    },
  };
  return harness;
}
