import { setTimeout as sleep } from 'node:timers/promises';
import type { DataExport, DataExportStarted } from '@tanya/contract';
import type { Fault } from '../fault.js';
import { PASSWORD } from '../fault-harness.js';
import type { Scenario } from '../scenario.js';
import type { Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';

const OLD_THREADS = 130;

const DIES = ['die before', 'die after'] as const satisfies Trap['action'][];

async function restart(scenario: Scenario): Promise<void> {
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

const sweepKilled: Fault = {
  id: 'F52',
  description: 'kill -9 of a node in a batch of the sweep of old chats',
  on: ['many', 'one'],
  run: async (scenario) => {
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
    await scenario.harness.asAdmin('PUT', '/api/admin/retention', { premium: 30 });
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(SWEEP) };
    scenario.notes.push(`${trap.action} ${trap.sql}`);
    await database.query(`update retention set effective_at = now() - interval '1 second'`);
    // The nodes read it again.
    await scenario.harness.asAdmin('PUT', '/api/admin/retention', {});
    await springTrap(scenario, trap, () => database.query('update retention set swept_at = null'));
    await restart(scenario);
    const left = async () =>
      (await database.query(`select id from thread where owner = $1 and title = 'old'`, [user.owner])).length;
    await scenario.until(async () => (await left()) === 0, 'the end of the sweep');
    const deleted = (await counted()) - before;
    scenario.expect(deleted === OLD_THREADS, `${deleted} of ${OLD_THREADS} deleted chats are counted`);
    const found = await database.query('select id from thread where id = $1', [kept.started!.threadId]);
    scenario.expect(found.length === 1, 'a chat of today was deleted');
    await scenario.harness.asAdmin('PUT', '/api/admin/retention', { premium: null });
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
    const start = async () =>
      (await scenario.call(user.browser, 'POST', '/api/user/export', { password: PASSWORD })) as {
        status: number;
        body: DataExportStarted;
      };
    const list = async () => {
      const answer = await scenario.call(user.browser, 'GET', '/api/user/exports');
      return answer.status === 200 ? (answer.body as DataExport[]) : [];
    };
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(EXPORT) };
    scenario.notes.push(`${trap.action} ${trap.sql}`);
    await springTrap(scenario, trap, () => start().catch(() => undefined));
    await restart(scenario);
    const isEnded = async () => (await list()).every(({ state }) => state !== 'running');
    await scenario.until(isEnded, 'the end of the export whose node died');
    const { status, body } = await start();
    scenario.expect(status === 202, `another export got ${status}`);
    const isDone = async () => (await list()).some(({ id, state }) => id === body.id && state === 'done');
    if (!(await scenario.until(isDone, 'another export'))) return;
    const file = await scenario.call(user.browser, 'GET', `/api/user/export/${body.id}/file`);
    scenario.expect(file.status === 200, `the archive got ${file.status}`);
  },
};

export const keepingFaults: Fault[] = [sweepKilled, exportKilled];
