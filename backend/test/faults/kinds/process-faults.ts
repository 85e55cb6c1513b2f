import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.js';
import { boundOf } from '../pace.js';
import type { Scenario } from '../scenario.js';
import { type ServerNode, STATEMENTS, type Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';

const anyNode = (scenario: Scenario): ServerNode => scenario.random.pick(scenario.harness.nodes);

/** Sends again in the same thread. */
async function sendAgain(
  scenario: Scenario,
  threadId: number | undefined,
  page: Parameters<Scenario['send']>[0] = {},
): Promise<void> {
  const next = await scenario.taken({ ...page, threadId, words: 5 });
  await scenario.end(next, 'complete');
}

const killMidStream: Fault = {
  id: 'F1',
  description: 'kill -9 of a node during streams',
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    await scenario.moment(0, 400);
    await anyNode(scenario).kill();
    await scenario.endAll(sends, 'complete', 'interrupted');
    const interrupted = sends.find((send) => scenario.answerOf(send).status === 'interrupted');
    if (interrupted) await sendAgain(scenario, interrupted.started?.threadId, { page: interrupted.page });
  },
};

const killAndSendOn: Fault = {
  id: 'F1b',
  description: 'kill -9, and a send into the same thread before the reaper ran',
  on: ['many'],
  run: async (scenario) => {
    const send = await scenario.shown({ words: 400 });
    await scenario.moment(0, 300);
    for (const node of scenario.harness.nodes) await node.kill();
    for (const node of scenario.harness.nodes) await node.start();
    const next = await scenario.taken({ threadId: send.started?.threadId, page: send.page, words: 5 });
    await scenario.end(next, 'complete');
    await scenario.end(send, 'interrupted');
  },
};

const killTheOnlyProcess: Fault = {
  id: 'F1c',
  description: 'kill -9 of the only node; its reaper runs at the next start',
  on: ['one'],
  run: async (scenario) => {
    const sends = await scenario.crowd({ words: 300 });
    await scenario.moment(0, 400);
    const [node] = scenario.harness.nodes;
    await node!.kill();
    await node!.start();
    // The first of many answers may complete before the kill.
    await scenario.endAll(sends, 'interrupted', 'complete');
    for (const send of sends.slice(0, 2)) await sendAgain(scenario, send.started?.threadId, { page: send.page });
  },
};

/** The process or its connection dies at one statement of a send, which is retried with its idempotency key. */
const trapped = (
  id: string,
  description: string,
  statement: 'admission' | 'ending',
  action: Trap['action'],
): Fault => ({
  id,
  description,
  on: ['many', 'one'],
  run: async (scenario) => {
    const words = scenario.random.between(5, 60);
    const send = await springTrap(scenario, { action, sql: STATEMENTS[statement] }, () => scenario.send({ words }));
    await sleep(50);
    for (const node of scenario.harness.nodes) if (!node.isUp) await node.start();
    await send.answered;
    // A stored orphan is interrupted; a send that was not stored is retried and completes.
    const isOrphan = statement === 'ending' ? action.startsWith('die') : action !== 'die before';
    await scenario.end(send, ...(isOrphan ? (['complete', 'interrupted'] as const) : (['complete'] as const)));
  },
});

const terminateAtTheEnd: Fault = {
  id: 'F5',
  description: 'pg_terminate_backend just before the statement that stores the end',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { nodes, database } = scenario.harness;
    const traps = [];
    for (const node of nodes) traps.push(await node.setTrap({ sql: STATEMENTS.ending, action: 'wait before' }));
    const send = await scenario.taken({ words: scenario.random.between(1, 30) });
    const backend = await Promise.race([...traps.map((each) => each.sprung), sleep(boundOf(10_000), null)]);
    scenario.expect(backend !== null, 'the trap did not spring');
    if (backend !== null) await database.terminate(backend);
    for (const node of nodes) await node.removeTrap();
    await scenario.end(send, 'complete');
  },
};

const freeze: Fault = {
  id: 'F43b',
  description: 'a node is frozen (SIGSTOP) until it counts as dead, and wakes up',
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd({ words: 400 });
    const node = anyNode(scenario);
    await scenario.moment(0, 300);
    node.freeze();
    scenario.harness.front.cut();
    const isOver = () => sends.some((send) => scenario.answerOf(send).status === 'interrupted');
    // No answer is interrupted when all of them run on the other node.
    for (const wake = performance.now() + 2.5 * scenario.harness.nodeDead; performance.now() < wake && !isOver();)
      await sleep(15);
    node.thaw();
    for (const send of sends) if (!scenario.answerOf(send).isClosed) void send.page.stop(send.started!.generationId);
    await scenario.endAll(sends, 'complete', 'interrupted', 'stopped');
  },
};

const block: Fault = {
  id: 'F43',
  description: 'the event loop of a node is blocked',
  on: ['many', 'one'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    anyNode(scenario).block(scenario.random.between(300, 1_200));
    await scenario.endAll(sends, 'complete');
  },
};

const sigterm: Fault = {
  id: 'F39',
  description: 'SIGTERM during streams',
  on: ['many', 'one'],
  run: async (scenario) => {
    const sends = await scenario.crowd({ words: scenario.random.pick([20, 400]) });
    const node = anyNode(scenario);
    await scenario.moment(0, 300);
    await node.stop();
    await node.start();
    // Answers of another node are stopped, since they are not affected.
    for (const send of sends) if (!scenario.answerOf(send).isClosed) await send.page.stop(send.started!.generationId);
    await scenario.endAll(sends, 'complete', 'interrupted', 'stopped');
  },
};

const killOneOfTwo: Fault = {
  id: 'F40',
  description: 'one of two nodes is killed; the other continues, and clients reconnect',
  on: ['many'],
  run: async (scenario) => {
    const [first, second] = scenario.harness.nodes;
    const page = await scenario.page(undefined, second!.url);
    const untouched = await scenario.shown({ page, words: 100 });
    const sends = await scenario.crowd();
    await scenario.moment(0, 300);
    await first!.kill();
    await scenario.endAll(sends, 'complete', 'interrupted');
    await scenario.end(untouched, 'complete');
    const slowest = Math.max(0, ...sends.flatMap((send) => send.page.losses));
    scenario.expect(slowest < boundOf(5_000), `a client was away for ${Math.round(slowest)} ms`);
    scenario.expect(page.connects === 1, 'a client of the other node lost its connection');
  },
};

const roll: Fault = {
  id: 'F42',
  description: 'both nodes are replaced one after another during sends',
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    for (const node of scenario.harness.nodes) {
      await scenario.moment(0, 200);
      await node.stop();
      sends.push(await scenario.taken({ words: 10 }));
      await node.start();
    }
    await scenario.endAll(sends, 'complete', 'interrupted');
  },
};

const skew: Fault = {
  id: 'F37',
  description: "a node's clock jumps by an hour during streams, and back",
  on: ['many'],
  run: async (scenario) => {
    const sends = await scenario.crowd();
    const node = anyNode(scenario);
    await node.setClock(scenario.random.pick([-1, 1]) * 3_600_000);
    const thread = await scenario.taken({ words: 5 });
    await scenario.end(thread, 'complete');
    await scenario.moment(200, 800);
    await node.setClock(0);
    await scenario.endAll(sends, 'complete');
    await sendAgain(scenario, thread.started?.threadId, { page: thread.page });
  },
};

export const processFaults: Fault[] = [
  killMidStream,
  killAndSendOn,
  killTheOnlyProcess,
  trapped('F2', 'kill -9 between the commit of a send and its ack', 'admission', 'die after'),
  trapped('F2b', 'kill -9 just before the statement that stores a send', 'admission', 'die before'),
  trapped('F2c', 'a send is committed, and the response of Postgres is lost', 'admission', 'lose answer'),
  terminateAtTheEnd,
  trapped('F5b', 'an end is committed, and the response of Postgres is lost', 'ending', 'lose answer'),
  trapped('F5c', 'kill -9 just before the statement that stores an end', 'ending', 'die before'),
  trapped('F5d', 'kill -9 between the commit of an end and its event', 'ending', 'die after'),
  skew,
  sigterm,
  killOneOfTwo,
  roll,
  block,
  freeze,
];
