import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultHarness } from '../fault-harness.js';
import type { Page, Send } from '../page/page.js';
import type { Scenario } from '../scenario.js';
import type { Fault } from '../fault.js';

const IDLE = 400;
const ANSWERS = 400;
const AT_ONCE = 100;
const WORDS = 300;
const PACE = 20;

/** Delay after which an idle backend has reported its statistics, ms. */
const STATISTICS_DELAY = 11_000;

interface Meter {
  cpu: number;
  rss: number;
  heap: number;
  redisCommands: number;
  redisMessages: number;
  redisBytes: number;
  transactions: number;
  wal: number;
  database: number;
}

async function read(harness: FaultHarness): Promise<Meter> {
  const stats = await Promise.all(harness.nodes.map((node) => node.stats()));
  const sum = (name: 'cpu' | 'rss' | 'heap') => stats.reduce((total, each) => total + each[name], 0);
  const [row] = await harness.database.query<Pick<Meter, 'transactions' | 'wal' | 'database'>>(
    `select (xact_commit + xact_rollback)::int as transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
            pg_database_size(current_database())::float8 as database
     from pg_stat_database where datname = current_database()`,
  );
  const info = harness.redis === null ? '' : await harness.withRedis((redis) => redis.info('everything'));
  const field = (name: string) => Number(new RegExp(`^${name}(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return {
    cpu: sum('cpu'),
    rss: sum('rss'),
    heap: sum('heap'),
    redisCommands: field('total_commands_processed:'),
    redisMessages: field('cmdstat_spublish:calls='),
    redisBytes: field('used_memory:'),
    ...row!,
  };
}

async function writeAll(scenario: Scenario, pages: Page[]): Promise<Send[]> {
  const sends: Send[] = [];
  for (let round = 0; round < ANSWERS / AT_ONCE; round += 1) {
    const batch = await Promise.all(
      pages.slice(0, AT_ONCE).map((page) => scenario.send({ page, words: WORDS, pace: PACE })),
    );
    await Promise.all(batch.map((send) => send.answered));
    await scenario.until(() => batch.every((send) => scenario.answerOf(send).isClosed), 'the end of all', 60_000);
    await scenario.endAll(batch, 'complete');
    sends.push(...batch);
  }
  return sends;
}

/** Not a fault: measures the cost of idle sockets and answers for docs/scaling.md. */
export const costs: Fault = {
  id: 'costs',
  description: `${IDLE} idle sockets, and ${ANSWERS} answers of ${WORDS} words`,
  on: ['many'],
  run: async (scenario) => {
    const { harness } = scenario;
    const round = (value: number) => Math.round(value * 100) / 100;
    await sleep(2_000);
    const empty = await read(harness);
    const pages = await Promise.all(Array.from({ length: IDLE }, () => scenario.page()));
    await sleep(STATISTICS_DELAY);
    const idle = await read(harness);
    scenario.notes.push(`${round((idle.rss - empty.rss) / IDLE / 1024)} KB of memory an idle socket`);
    scenario.notes.push(`${round((idle.redisBytes - empty.redisBytes) / IDLE / 1024)} KB of Redis an idle socket`);
    await sleep(STATISTICS_DELAY);
    const before = await read(harness);
    const perSecond = (name: keyof Meter) => ((before[name] - idle[name]) / STATISTICS_DELAY) * 1000;
    scenario.notes.push(
      `at rest ${round(perSecond('redisCommands'))} Redis commands and ${round(perSecond('transactions'))} transactions a second`,
    );
    const began = performance.now();
    await writeAll(scenario, pages);
    await sleep(STATISTICS_DELAY);
    const after = await read(harness);
    const seconds = (performance.now() - began) / 1000;
    const each = (name: keyof Meter) => (after[name] - before[name]) / ANSWERS;
    const eachAboveRest = (name: keyof Meter) => each(name) - (perSecond(name) * seconds) / ANSWERS;
    scenario.notes.push(`${round((eachAboveRest('cpu') / WORDS) * 1e6)} CPU seconds a million words`);
    scenario.notes.push(
      `an answer: ${round(eachAboveRest('redisCommands'))} Redis commands, ${round(each('redisMessages'))} of them to other processes`,
    );
    scenario.notes.push(`${round(eachAboveRest('transactions'))} transactions`);
    scenario.notes.push(`${round(each('wal') / 1024)} KB of WAL`, `${round(each('database') / 1024)} KB of database`);
    scenario.notes.push(`${round(each('redisBytes') / 1024)} KB of Redis until its log is dropped`);
  },
};
