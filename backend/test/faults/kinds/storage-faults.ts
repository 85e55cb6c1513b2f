import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import type { Scenario } from '../scenario.js';

/** Bound of a refusal, ms; the server waits 3 s for a connection. */
const REFUSAL_MS = 5_000;

const postgresRestarts = (id: string, description: string, immediately: boolean): Fault => ({
  id,
  description,
  on: ['many', 'one'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    await scenario.moment(0, 500);
    await scenario.harness.options.postgres.restart(scenario.random.between(50, 1_200), immediately);
    await scenario.endAll(sends, 'complete');
  },
});

const postgresSilent: Fault = {
  id: 'F3c',
  description: 'Postgres does not respond for a while, with open connections',
  on: ['many', 'one'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    await scenario.moment(0, 500);
    scenario.harness.options.postgres.proxy.hold();
    await scenario.moment(300, 1_500);
    scenario.harness.options.postgres.proxy.restore();
    await scenario.endAll(sends, 'complete');
  },
};

const postgresCut: Fault = {
  id: 'F3d',
  description: 'every connection to Postgres is reset, again and again',
  on: ['many', 'one'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    for (let times = scenario.random.between(2, 5); times > 0; times -= 1) {
      scenario.harness.options.postgres.proxy.cut();
      await scenario.moment(20, 250);
    }
    await scenario.endAll(sends, 'complete');
  },
};

const postgresDownAtSend: Fault = {
  id: 'F4',
  description: 'Postgres is down when a message is sent',
  on: ['many', 'one'],
  run: async (scenario) => {
    const page = await scenario.page();
    scenario.harness.options.postgres.proxy.refuse();
    const began = performance.now();
    const send = await scenario.send({ page, words: 5 });
    await scenario.until(() => send.refusals.length > 0, 'a refusal', REFUSAL_MS);
    scenario.notes.push(`refused in ${Math.round(performance.now() - began)} ms`);
    for (const refusal of send.refusals)
      scenario.expect(refusal.code === 'storage_unavailable', `refused with ${refusal.code}`);
    await scenario.moment(0, 500);
    scenario.harness.options.postgres.proxy.restore();
    await send.answered;
    await scenario.end(send, 'complete');
  },
};

const terminateEverything: Fault = {
  id: 'F5e',
  description: 'pg_terminate_backend of every connection while answers begin and end',
  on: ['many', 'one'],
  run: async (scenario) => {
    const sends = [];
    for (let count = 0; count < 12; count += 1) {
      sends.push(await scenario.send({ words: scenario.random.between(1, 15) }));
      await sleep(scenario.random.between(0, 60));
      if (scenario.random.chance(0.4)) await scenario.harness.database.terminate();
    }
    await Promise.all(sends.map((send) => send.answered));
    await scenario.endAll(sends, 'complete');
  },
};

const redisAway: Fault = {
  id: 'F6',
  description: 'Redis is out of reach for a while during streams',
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    await scenario.moment(0, 400);
    scenario.harness.redisProxy!.refuse();
    await scenario.moment(300, 2_000);
    scenario.harness.redisProxy!.restore();
    await scenario.endAll(sends, 'complete');
  },
};

const redisRestarts: Fault = {
  id: 'F6b',
  description: 'Redis is killed and comes back empty during streams',
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    await scenario.moment(0, 400);
    await scenario.harness.redis!.kill();
    await scenario.moment(0, 600);
    await scenario.harness.redis!.start();
    await scenario.endAll(sends, 'complete');
  },
};

const redisSilent: Fault = {
  id: 'F6c',
  description: 'Redis does not respond for a while, with open connections',
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    await scenario.moment(0, 400);
    scenario.harness.redisProxy!.hold();
    await scenario.moment(300, 2_500);
    scenario.harness.redisProxy!.restore();
    await scenario.endAll(sends, 'complete');
  },
};

/** Uses up a guest's quota except for `left` messages. */
async function exhaustedGuest(scenario: Scenario, left: number): Promise<Awaited<ReturnType<Scenario['page']>>> {
  const guest = await scenario.harness.guest();
  const page = await scenario.page(guest);
  const first = await scenario.taken({ page, words: 2 });
  await scenario.end(first, 'complete');
  await scenario.harness.database.query(
    'update quota_account set charged = $2, version = version + 1 where owner = $1',
    [guest.owner, 100 - left],
  );
  // Keeps the ledger consistent with the account.
  await scenario.harness.database.query(
    `insert into usage_record (owner, period, cost, state, reason, settled_at) values ($1, 'ever', $2, 'charged', 'carried', now())`,
    [guest.owner, 99 - left],
  );
  await scenario.harness.deleteCounter(guest.owner);
  return page;
}

const flush: Fault = {
  id: 'F7',
  description: 'FLUSHALL during streams; an exhausted guest stays exhausted',
  on: ['many'],
  run: async (scenario) => {
    const guest = await exhaustedGuest(scenario, 0);
    const sends = await scenario.crowd();
    await scenario.moment(0, 400);
    await scenario.harness.flushRedis();
    const refused = await scenario.send({ page: guest, isSingle: true });
    await refused.answered;
    scenario.expect(
      refused.refusal?.code === 'quota_exceeded',
      `an exhausted guest got ${refused.refusal?.code ?? 'an answer'}`,
    );
    await scenario.endAll(sends, 'complete');
    const again = await scenario.taken({ page: sends[0]!.page, words: 3 });
    await scenario.end(again, 'complete');
  },
};

const quotaWithoutRedis: Fault = {
  id: 'F8',
  description: 'Redis stays away, and quotas hold',
  on: ['many'],
  run: async (scenario) => {
    const page = await exhaustedGuest(scenario, 1);
    scenario.harness.redisProxy!.refuse();
    const sends = await Promise.all(Array.from({ length: 6 }, () => scenario.send({ page, words: 3, isSingle: true })));
    await Promise.all(sends.map((send) => send.answered));
    const taken = sends.filter((send) => send.started !== null);
    scenario.expect(taken.length <= 1, `${taken.length} messages were taken where one was left`);
    for (const { refusal } of sends) {
      const isRight =
        refusal === null || ['quota_exceeded', 'storage_unavailable', 'rate_limited'].includes(refusal.code);
      scenario.expect(isRight, `refused with ${refusal?.code}`);
    }
    await scenario.moment(500, 1_500);
    scenario.harness.redisProxy!.restore();
    await scenario.endAll(taken, 'complete');
  },
};

/** Time after which an idle backend of Postgres has reported its deadlocks, ms. */
const STATISTICS_DELAY_MS = 11_000;

async function deadlockCount({ harness }: Scenario): Promise<number> {
  const [row] = await harness.database.query<{ count: number }>(
    'select deadlocks::int as count from pg_stat_database where datname = current_database()',
  );
  return row!.count;
}

const oneLeft: Fault = {
  id: 'F8b',
  description: 'many parallel sends with one message left, over two nodes, FLUSHALL among them',
  on: ['many'],
  run: async (scenario) => {
    const deadlocks = await deadlockCount(scenario);
    const first = await exhaustedGuest(scenario, 1);
    const second = await scenario.page(first.user);
    const flushing = sleep(scenario.random.between(0, 60)).then(() => scenario.harness.flushRedis());
    const sends = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        scenario.send({ page: index % 2 ? first : second, words: 3, isSingle: true }),
      ),
    );
    await Promise.all([flushing, ...sends.map((send) => send.answered)]);
    const taken = sends.filter((send) => send.started !== null);
    scenario.expect(taken.length === 1, `${taken.length} messages were taken where one was left`);
    for (const { refusal } of sends)
      scenario.expect(
        refusal === null || ['quota_exceeded', 'storage_unavailable', 'rate_limited'].includes(refusal.code),
        `refused with ${refusal?.code}`,
      );
    await scenario.endAll(taken, 'complete');
    // A crowded pool refuses with the same code as a deadlock.
    if (sends.some(({ refusal }) => refusal?.code === 'storage_unavailable')) {
      await sleep(STATISTICS_DELAY_MS);
      scenario.expect((await deadlockCount(scenario)) === deadlocks, 'sends have deadlocked');
    }
  },
};

const diskFull: Fault = {
  id: 'F38',
  description: 'the disk of Postgres is full, and has room again',
  on: ['many', 'one'],
  needsSmallDisk: true,
  run: async (scenario) => {
    const { postgres } = scenario.harness.options;
    const sends = await scenario.crowd();
    await postgres.disk.fill();
    const refused = await scenario.send({ words: 5 });
    await scenario.moment(300, 1_500);
    await postgres.disk.makeRoom();
    await refused.answered;
    for (const { code } of refused.refusals)
      scenario.expect(['storage_full', 'storage_unavailable'].includes(code), `refused with ${code}`);
    await scenario.endAll([...sends, refused], 'complete');
  },
};

export const storageFaults: Fault[] = [
  postgresRestarts('F3', 'Postgres restarts during streams', false),
  postgresRestarts('F3b', 'Postgres is killed with all its processes during streams', true),
  postgresSilent,
  postgresCut,
  postgresDownAtSend,
  terminateEverything,
  redisAway,
  redisRestarts,
  redisSilent,
  flush,
  quotaWithoutRedis,
  oneLeft,
  diskFull,
];
