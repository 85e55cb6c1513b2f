import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { onThisMachine } from '../pace.js';
import type { Page, Send } from '../page.js';
import type { Scenario } from '../scenario.js';
import { TcpProxy } from '../tcp-proxy.js';

/** Sends of one batch, after which everything is looked at. */
export const SOAK_BATCH = 1_000;

/** As many as there are members: most of a batch is waiting for what a misfortune costs, so many wait together. */
const WRITERS = 60;

/** One random thing goes wrong, and is right again. */
async function misfortune(scenario: Scenario): Promise<string> {
  const { harness, random } = scenario;
  const node = random.pick(harness.nodes);
  const { postgres } = harness.options;
  const happenings: Record<string, () => Promise<void>> = {
    kill: async () => {
      await node.kill();
      await node.start();
    },
    stop: async () => {
      await node.stop();
      await node.start();
    },
    freeze: async () => {
      node.freeze();
      await sleep(random.between(200, 3_000));
      node.thaw();
    },
    block: async () => node.block(random.between(100, 800)),
    'postgres restart': () => postgres.restart(random.between(0, 800), random.chance(0.5)),
    'postgres cut': async () => postgres.line.cut(),
    terminate: () => harness.database.terminate(),
    'redis away': async () => {
      harness.redisLine!.refuse();
      await sleep(random.between(100, 1_000));
      harness.redisLine!.restore();
    },
    flush: () => harness.flushRedis(),
    'model cut': async () => harness.upstreamLine.cut(),
    'front cut': async () => harness.front.cut(),
  };
  const name = random.pick(Object.keys(happenings));
  // What is restarting already is hit again; two hands on one process are not the point.
  await happenings[name]!().catch(() => undefined);
  return name;
}

async function write(scenario: Scenario, page: Page, line: TcpProxy, count: number): Promise<Send[]> {
  const { random } = scenario;
  const sends: Send[] = [];
  let threadId: number | null = null;
  for (let sent = 0; sent < count; sent += 1) {
    const send: Send = await scenario.send({
      page,
      threadId,
      words: random.between(1, 25),
      pace: random.between(1, 12),
    });
    if (random.chance(0.05)) line.cut();
    await send.answered;
    sends.push(send);
    const generationId = send.started?.generationId;
    if (generationId !== undefined && random.chance(0.1)) await page.stop(generationId);
    await scenario.until(
      () => send.started === null || scenario.answerOf(send).isClosed,
      'the end of an answer',
      20_000,
    );
    threadId = random.chance(0.7) ? (send.started?.threadId ?? null) : null;
  }
  return sends;
}

export const soak: Fault = {
  id: 'soak',
  says: `${SOAK_BATCH} sends of ${WRITERS} people while things go wrong all the time`,
  on: ['many'],
  run: async (scenario) => {
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const line = scenario.own(await TcpProxy.open(() => [scenario.harness.front.port]));
        return { line, page: await scenario.page(undefined, line.url) };
      }),
    );
    const share = Math.ceil(SOAK_BATCH / WRITERS);
    let isOver = false;
    const writing = Promise.all(writers.map(({ page, line }) => write(scenario, page, line, share)));
    const over = writing.finally(() => (isOver = true));
    while (!isOver) {
      scenario.notes.push(await misfortune(scenario));
      // A machine that others use needs longer to get up again, and has to before it is hit the next time.
      await Promise.race([over, sleep(onThisMachine(scenario.random.between(300, 3_000)))]);
    }
    const sends = (await writing).flat();
    await scenario.endAll(sends, 'complete', 'stopped', 'interrupted', 'error');
  },
};
