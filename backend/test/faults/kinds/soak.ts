import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { onThisMachine } from '../pace.js';
import type { Page, Send } from '../page/page.js';
import type { Scenario } from '../scenario.js';
import { TcpProxy } from '../tcp-proxy.js';

/** Sends of one batch, after which the invariants are verified. */
export const SOAK_BATCH = 1_000;

/** One per member: most of the time is spent waiting for recoveries, so 60 users wait concurrently. */
const WRITERS = 60;

/** Injects one random fault and undoes it. */
async function injectRandomFault(scenario: Scenario): Promise<string> {
  const { harness, random } = scenario;
  const node = random.pick(harness.nodes);
  const { postgres } = harness.options;
  const injections: Record<string, () => Promise<void>> = {
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
    'postgres cut': async () => postgres.proxy.cut(),
    terminate: () => harness.database.terminate(),
    'redis away': async () => {
      harness.redisProxy!.refuse();
      await sleep(random.between(100, 1_000));
      harness.redisProxy!.restore();
    },
    flush: () => harness.flushRedis(),
    'model cut': async () => harness.upstreamProxy.cut(),
    'front cut': async () => harness.front.cut(),
  };
  const name = random.pick(Object.keys(injections));
  // A target that is already restarting may reject the injection.
  await injections[name]!().catch(() => undefined);
  return name;
}

async function write(scenario: Scenario, page: Page, proxy: TcpProxy, count: number): Promise<Send[]> {
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
    if (random.chance(0.05)) proxy.cut();
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
  description: `${SOAK_BATCH} sends of ${WRITERS} people while things go wrong all the time`,
  on: ['many'],
  run: async (scenario) => {
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const proxy = scenario.own(await TcpProxy.open(() => [scenario.harness.front.port]));
        return { proxy, page: await scenario.page(undefined, proxy.url) };
      }),
    );
    const share = Math.ceil(SOAK_BATCH / WRITERS);
    let isOver = false;
    const writing = Promise.all(writers.map(({ page, proxy }) => write(scenario, page, proxy, share)));
    const over = writing.finally(() => (isOver = true));
    while (!isOver) {
      scenario.notes.push(await injectRandomFault(scenario));
      // A loaded machine needs longer to recover before the next fault.
      await Promise.race([over, sleep(onThisMachine(scenario.random.between(300, 3_000)))]);
    }
    const sends = (await writing).flat();
    await scenario.endAll(sends, 'complete', 'stopped', 'interrupted', 'error');
  },
};
