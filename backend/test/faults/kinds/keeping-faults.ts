import { setTimeout as sleep } from 'node:timers/promises';
import type { DataExport, DataExportStarted } from '@tanya/contract';
import type { Fault } from '../fault.js';
import { PASSWORD } from '../fault-harness.js';
import type { TestUser } from '../page/test-user.js';
import type { Scenario } from '../scenario.js';
import type { Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';

const OLD_THREADS = 130;

const DAY_MS = 24 * 60 * 60_000;

export const DIES = ['die before', 'die after'] as const satisfies Trap['action'][];

/** Starts the nodes that a trap has killed. */
export async function restart(scenario: Scenario): Promise<void> {
  await sleep(50);
  for (const node of scenario.harness.nodes) if (!node.isUp) await node.start();
}

/** Statements of a batch of the sweep, from its lock to its commit. */
const SWEEP = [
  'for update of t skip locked',
  'insert into retention_day',
  'delete from thread',
  'update retention set',
];

/** Threads of a new member that the next sweeps delete, and one that they keep. */
async function oldThreads(scenario: Scenario) {
  const { database } = scenario.harness;
  const user = await scenario.harness.newMember();
  const kept = await scenario.taken({ user, words: 5 });
  await scenario.end(kept, 'complete');
  const counted = async () => {
    const [row] = await database.query<{ count: number }>(
      'select coalesce(sum(threads), 0)::int as count from retention_day',
    );
    return row!.count;
  };
  const before = await counted();
  await database.query(
    `insert into thread (owner, user_id, title, updated_at)
     select $1, $2::int, 'old', now() - interval '40 days' from generate_series(1, $3::int)`,
    [user.owner, user.id, OLD_THREADS],
  );
  /** Changes the rules. The connection of a node may just have been lost. */
  const change = (rules: object) =>
    scenario.until(
      () =>
        scenario.harness.asAdmin('PUT', '/api/admin/retention', rules).then(
          () => true,
          () => false,
        ),
      'a change of the rules',
    );
  const left = async () =>
    (await database.query(`select id from thread where owner = $1 and title = 'old'`, [user.owner])).length;
  return {
    kept,
    left,
    /** Sets days for which the old threads are too old; they hold after a week. */
    announce: () => change({ premium: 30 }),
    /** Lets the rules hold at once. */
    begin: async () => {
      await database.query(`update retention set effective_at = now() - interval '1 second'`);
      // The nodes read it again.
      await change({});
    },
    /** Expects that the old threads alone are deleted, and that each is counted once. */
    end: async () => {
      await scenario.until(async () => (await left()) === 0, 'the end of the sweep');
      const deleted = (await counted()) - before;
      scenario.expect(deleted === OLD_THREADS, `${deleted} of ${OLD_THREADS} deleted chats are counted`);
      const found = await database.query('select id from thread where id = $1', [kept.started!.threadId]);
      scenario.expect(found.length === 1, 'a chat of today was deleted');
      await change({ premium: null });
    },
  };
}

const SWEEP_NOW = 'update retention set swept_at = null';

const sweepKilled: Fault = {
  id: 'F52',
  description: 'kill -9 of a node in a batch of the sweep of old chats',
  on: ['many', 'one'],
  run: async (scenario) => {
    const old = await oldThreads(scenario);
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(SWEEP) };
    scenario.notes.push(`${trap.action} ${trap.sql}`);
    await old.announce();
    await old.begin();
    await springTrap(scenario, trap, () => scenario.harness.database.query(SWEEP_NOW));
    await restart(scenario);
    await old.end();
  },
};

const sweptTwice: Fault = {
  id: 'F52b',
  description: 'two nodes sweep old chats at once, and lose their connections to Postgres',
  on: ['many'],
  run: async (scenario) => {
    const { database } = scenario.harness;
    const old = await oldThreads(scenario);
    await old.announce();
    await old.begin();
    await database.query(SWEEP_NOW);
    await scenario.moment(0, 600);
    await database.terminate();
    await database.query(SWEEP_NOW);
    await old.end();
  },
};

const sweptByWrongClock: Fault = {
  id: 'F52c',
  description: "a node's clock jumps by 40 days while a shorter time of old chats is announced",
  on: ['many', 'one'],
  run: async (scenario) => {
    const { database, nodes } = scenario.harness;
    const node = scenario.random.pick(nodes);
    const old = await oldThreads(scenario);
    await old.announce();
    // Sessions expire by the clock of the node, so nobody calls it meanwhile.
    old.kept.page.close();
    await node.setClock(scenario.random.pick([-1, 1]) * 40 * DAY_MS);
    await database.query(SWEEP_NOW);
    await scenario.moment(500, 1_500);
    const left = await old.left();
    scenario.expect(left === OLD_THREADS, `${OLD_THREADS - left} chats were deleted before their time`);
    const [row] = await database.query<{ days: number }>(
      'select extract(epoch from effective_at - now()) / 86400 as days from retention',
    );
    const days = Number(row!.days);
    scenario.expect(days > 6.9 && days <= 7, `the shorter time was announced ${days} days ahead`);
    await node.setClock(0);
    await old.begin();
    await database.query(SWEEP_NOW);
    await old.end();
  },
};

/** Statements of an export, from its row to its end. */
const EXPORT = [
  'insert into data_export',
  'count\\(\\*\\)::int as threads from thread where owner',
  'progress = case when',
];

const exportKilled: Fault = {
  id: 'F53',
  description: 'kill -9 of a node during an export of everything',
  on: ['many', 'one'],
  run: async (scenario) => {
    const user = await scenario.harness.newMember();
    const send = await scenario.taken({ user, words: 40 });
    await scenario.end(send, 'complete');
    const exports = exportsOf(scenario, user);
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(EXPORT) };
    scenario.notes.push(`${trap.action} ${trap.sql}`);
    await springTrap(scenario, trap, () => exports.start().catch(() => undefined));
    await restart(scenario);
    const isEnded = async () => (await exports.list()).every(({ state }) => state !== 'running');
    await scenario.until(isEnded, 'the end of the export whose node died');
    await exports.succeed();
  },
};

const exportOnFullDisk: Fault = {
  id: 'F53b',
  description: 'the disk of the files is full during an export of everything',
  on: ['many', 'one'],
  needsSmallDisk: true,
  run: async (scenario) => {
    const { files } = scenario.harness;
    const user = await scenario.harness.newMember();
    const send = await scenario.taken({ user, words: 400, pace: 0 });
    await scenario.end(send, 'complete');
    const before = await files.count();
    const exports = exportsOf(scenario, user);
    await files.fill();
    const { status, body } = await exports.start();
    if (status === 202) {
      const isFailed = async () => (await exports.list()).some(({ id, state }) => id === body.id && state === 'failed');
      await scenario.until(isFailed, 'the failure of the export');
    }
    await files.makeRoom();
    await scenario.until(async () => (await files.count()) === before, 'the end of the part that was written');
    await exports.succeed();
  },
};

/** Exports of everything of an account. */
function exportsOf(scenario: Scenario, user: TestUser) {
  const start = async () =>
    (await scenario.call(user.browser, 'POST', '/api/user/export', { password: PASSWORD })) as {
      status: number;
      body: DataExportStarted;
    };
  const list = async () => {
    const answer = await scenario.call(user.browser, 'GET', '/api/user/exports');
    return answer.status === 200 ? (answer.body as DataExport[]) : [];
  };
  /** Expects that an export succeeds now. */
  const succeed = async () => {
    const { status, body } = await start();
    scenario.expect(status === 202, `another export got ${status}`);
    const isDone = async () => (await list()).some(({ id, state }) => id === body.id && state === 'done');
    if (!(await scenario.until(isDone, 'another export'))) return;
    const file = await scenario.call(user.browser, 'GET', `/api/user/export/${body.id}/file`);
    scenario.expect(file.status === 200, `the archive got ${file.status}`);
  };
  return { start, list, succeed };
}

export const keepingFaults: Fault[] = [sweepKilled, sweptTwice, sweptByWrongClock, exportKilled, exportOnFullDisk];
