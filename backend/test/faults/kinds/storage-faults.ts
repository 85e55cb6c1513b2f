import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import type { Scene } from '../scene.js';

/** A send that is refused must be so at once: the connection is waited for 3 s at most. */
const REFUSAL = 5_000;

const postgresRestarts = (id: string, says: string, brutally: boolean): Fault => ({
  id,
  says,
  on: ['many', 'one'],
  run: async (scene) => {
    const sends = await scene.crowd();
    await scene.moment(0, 500);
    await scene.ground.options.postgres.restart(scene.random.between(50, 1_200), brutally);
    await scene.endAll(sends, 'complete');
  },
});

const postgresSilent: Fault = {
  id: 'F3c',
  says: 'Postgres says nothing for a while, its connections open',
  on: ['many', 'one'],
  run: async (scene) => {
    const sends = await scene.crowd();
    await scene.moment(0, 500);
    scene.ground.options.postgres.line.hold();
    await scene.moment(300, 1_500);
    scene.ground.options.postgres.line.restore();
    await scene.endAll(sends, 'complete');
  },
};

const postgresCut: Fault = {
  id: 'F3d',
  says: 'every connection to Postgres is reset, again and again',
  on: ['many', 'one'],
  run: async (scene) => {
    const sends = await scene.crowd();
    for (let times = scene.random.between(2, 5); times > 0; times -= 1) {
      scene.ground.options.postgres.line.cut();
      await scene.moment(20, 250);
    }
    await scene.endAll(sends, 'complete');
  },
};

const postgresDownAtSend: Fault = {
  id: 'F4',
  says: 'Postgres is down when a message is sent',
  on: ['many', 'one'],
  run: async (scene) => {
    const page = await scene.page();
    scene.ground.options.postgres.line.refuse();
    const began = performance.now();
    const send = await scene.send({ page, words: 5 });
    await scene.until(() => send.refusals.length > 0, 'a refusal', REFUSAL);
    scene.notes.push(`refused in ${Math.round(performance.now() - began)} ms`);
    for (const refusal of send.refusals)
      scene.expect(refusal.code === 'storage_unavailable', `refused with ${refusal.code}`);
    await scene.moment(0, 500);
    scene.ground.options.postgres.line.restore();
    await send.answered;
    await scene.end(send, 'complete');
  },
};

const terminateEverything: Fault = {
  id: 'F5e',
  says: 'pg_terminate_backend of every connection while answers begin and end',
  on: ['many', 'one'],
  run: async (scene) => {
    const sends = [];
    for (let count = 0; count < 12; count += 1) {
      sends.push(await scene.send({ words: scene.random.between(1, 15) }));
      await sleep(scene.random.between(0, 60));
      if (scene.random.chance(0.4)) await scene.ground.database.terminate();
    }
    await Promise.all(sends.map((send) => send.answered));
    await scene.endAll(sends, 'complete');
  },
};

const redisAway: Fault = {
  id: 'F6',
  says: 'Redis is out of reach for a while amid streams',
  on: ['many'],
  run: async (scene) => {
    const sends = await scene.crowd();
    await scene.moment(0, 400);
    scene.ground.redisLine!.refuse();
    await scene.moment(300, 2_000);
    scene.ground.redisLine!.restore();
    await scene.endAll(sends, 'complete');
  },
};

const redisRestarts: Fault = {
  id: 'F6b',
  says: 'Redis is killed and comes back empty amid streams',
  on: ['many'],
  run: async (scene) => {
    const sends = await scene.crowd();
    await scene.moment(0, 400);
    await scene.ground.redis!.kill();
    await scene.moment(0, 600);
    await scene.ground.redis!.start();
    await scene.endAll(sends, 'complete');
  },
};

const redisSilent: Fault = {
  id: 'F6c',
  says: 'Redis says nothing for a while, its connections open',
  on: ['many'],
  run: async (scene) => {
    const sends = await scene.crowd();
    await scene.moment(0, 400);
    scene.ground.redisLine!.hold();
    await scene.moment(300, 2_500);
    scene.ground.redisLine!.restore();
    await scene.endAll(sends, 'complete');
  },
};

/** Uses up a guest's whole quota, so that one message more is one too many. */
async function exhaustedGuest(scene: Scene, left: number): Promise<Awaited<ReturnType<Scene['page']>>> {
  const guest = await scene.ground.guest();
  const page = await scene.page(guest);
  const first = await scene.taken({ page, words: 2 });
  await scene.end(first, 'complete');
  await scene.ground.database.query('update quota_account set charged = $2, version = version + 1 where owner = $1', [
    guest.owner,
    100 - left,
  ]);
  // The account and its ledger agree, as they would after so many messages.
  await scene.ground.database.query(
    `insert into usage_record (owner, period, cost, state, reason, settled_at) values ($1, 'ever', $2, 'charged', 'carried', now())`,
    [guest.owner, 99 - left],
  );
  await scene.ground.forgetCounter(guest.owner);
  return page;
}

const flush: Fault = {
  id: 'F7',
  says: 'FLUSHALL amid streams; a guest with nothing left still has nothing left',
  on: ['many'],
  run: async (scene) => {
    const guest = await exhaustedGuest(scene, 0);
    const sends = await scene.crowd();
    await scene.moment(0, 400);
    await scene.ground.flushRedis();
    const refused = await scene.send({ page: guest, isSingle: true });
    await refused.answered;
    scene.expect(
      refused.refusal?.code === 'quota_exceeded',
      `an exhausted guest got ${refused.refusal?.code ?? 'an answer'}`,
    );
    await scene.endAll(sends, 'complete');
    const again = await scene.taken({ page: sends[0]!.page, words: 3 });
    await scene.end(again, 'complete');
  },
};

const quotaWithoutRedis: Fault = {
  id: 'F8',
  says: 'Redis stays away, and quotas hold',
  on: ['many'],
  run: async (scene) => {
    const page = await exhaustedGuest(scene, 1);
    scene.ground.redisLine!.refuse();
    const sends = await Promise.all(Array.from({ length: 6 }, () => scene.send({ page, words: 3, isSingle: true })));
    await Promise.all(sends.map((send) => send.answered));
    const taken = sends.filter((send) => send.started !== null);
    scene.expect(taken.length <= 1, `${taken.length} messages were taken where one was left`);
    for (const { refusal } of sends) {
      const isRight =
        refusal === null || ['quota_exceeded', 'storage_unavailable', 'rate_limited'].includes(refusal.code);
      scene.expect(isRight, `refused with ${refusal?.code}`);
    }
    await scene.moment(500, 1_500);
    scene.ground.redisLine!.restore();
    await scene.endAll(taken, 'complete');
  },
};

const oneLeft: Fault = {
  id: 'F8b',
  says: 'many parallel sends with one message left, over two nodes, FLUSHALL among them',
  on: ['many'],
  run: async (scene) => {
    const first = await exhaustedGuest(scene, 1);
    const second = await scene.page(first.person);
    const flushing = sleep(scene.random.between(0, 60)).then(() => scene.ground.flushRedis());
    const sends = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        scene.send({ page: index % 2 ? first : second, words: 3, isSingle: true }),
      ),
    );
    await Promise.all([flushing, ...sends.map((send) => send.answered)]);
    const taken = sends.filter((send) => send.started !== null);
    scene.expect(taken.length === 1, `${taken.length} messages were taken where one was left`);
    for (const { refusal } of sends)
      scene.expect(
        refusal === null || ['quota_exceeded', 'rate_limited'].includes(refusal.code),
        `refused with ${refusal?.code}`,
      );
    await scene.endAll(taken, 'complete');
  },
};

const diskFull: Fault = {
  id: 'F38',
  says: 'the disk of Postgres is full, and has room again',
  on: ['many', 'one'],
  needsSmallDisk: true,
  run: async (scene) => {
    const { postgres } = scene.ground.options;
    const sends = await scene.crowd();
    await postgres.disk.fill();
    const refused = await scene.send({ words: 5 });
    await scene.moment(300, 1_500);
    await postgres.disk.makeRoom();
    await refused.answered;
    for (const { code } of refused.refusals)
      scene.expect(['storage_full', 'storage_unavailable'].includes(code), `refused with ${code}`);
    await scene.endAll([...sends, refused], 'complete');
  },
};

export const storageFaults: Fault[] = [
  postgresRestarts('F3', 'Postgres restarts amid streams', false),
  postgresRestarts('F3b', 'Postgres is killed with all its processes amid streams', true),
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
