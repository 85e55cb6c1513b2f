import { setTimeout as sleep } from 'node:timers/promises';
import type { Script, Step } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import { onThisMachine } from '../pace.js';
import type { Send } from '../page.js';
import type { Scenario, SendOptions } from '../scenario.js';

const STREAMS = 200;
const DRAINED = 500;

/** Pause between two words of drained answers, ms. */
const DRAINED_PACE = 250;

/** Half of the answers end within this time of the signal, ms; the grace period is slightly longer. */
const LAST_WORDS = 20_000;

/** Time until every client of a killed process has noticed the disconnect, ms. */
const NOTICED = 500;

/** Runs work in batches, so that the setup itself does not overload the server. */
async function inTurns<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < count) {
    const some = Array.from({ length: Math.min(25, count - done.length) }, (_, index) => work(done.length + index));
    done.push(...(await Promise.all(some)));
  }
  return done;
}

/** An answer that streams until `end` is called. */
function endlessAnswer(): { script: Script; end: () => void } {
  const steps: Step[] = [{ text: 'and on ' }];
  const script: Script = { steps, endless: true, pace: DRAINED_PACE };
  const end = () => {
    script.endless = false;
    steps.push({ finish: 'stop' }, { done: true });
  };
  return { script, end };
}

/** Opens every page before the first send, so that all streams run concurrently. */
async function manyStreams(scenario: Scenario, count: number, options: () => SendOptions): Promise<Send[]> {
  const pages = await inTurns(count, () => scenario.page());
  const sends = await inTurns(count, (index) => scenario.taken({ page: pages[index], ...options() }));
  await scenario.until(
    () => sends.every((send) => scenario.answerOf(send).text !== ''),
    'the first words of all',
    20_000,
  );
  return sends;
}

const countOf = (scenario: Scenario, sends: Send[], status: string): number =>
  sends.filter((send) => scenario.answerOf(send).status === status).length;

const killOneOfThree: Fault = {
  id: 'F40n',
  description: `one of three nodes behind nginx is killed during ${STREAMS} streams`,
  on: ['fleet'],
  run: async (scenario) => {
    const sends = await manyStreams(scenario, STREAMS, () => ({ words: 300, pace: 150 }));
    const node = scenario.random.pick(scenario.harness.nodes);
    await scenario.moment(0, 400);
    const before = countOf(scenario, sends, 'streaming');
    const began = performance.now();
    await node.kill();
    await scenario.until(() => sends.some((send) => !send.page.isConnected), 'the first disconnect');
    await sleep(NOTICED);
    await scenario.until(() => sends.every((send) => send.page.isConnected), 'all clients', 5_000);
    const hit = sends.filter((send) => send.page.connects > 1);
    const settled = () => hit.every((send) => scenario.answerOf(send).isClosed);
    await scenario.until(settled, 'the end of the killed node’s streams');
    scenario.notes.push(`${before} streamed`, `${hit.length} clients hit`);
    scenario.notes.push(`settled after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const slowest = Math.max(0, ...hit.map((send) => send.page.longestLoss));
    scenario.notes.push(`back within ${(slowest / 1000).toFixed(1)} s`);
    scenario.expect(slowest < onThisMachine(5_000), `a client was away for ${Math.round(slowest)} ms`);
    scenario.expect(hit.length > 0 && hit.length < STREAMS, `${hit.length} clients lost their connection`);
    await scenario.endAll(hit, 'interrupted', 'complete');
    await scenario.endAll(
      sends.filter((send) => send.page.connects === 1),
      'complete',
    );
  },
};

const rollAll: Fault = {
  id: 'F42n',
  description: `three nodes behind nginx are replaced one after another during ${STREAMS} streams`,
  on: ['fleet'],
  run: async (scenario) => {
    const sends = await manyStreams(scenario, STREAMS, () => ({ words: 200, pace: 150 }));
    for (const node of scenario.harness.nodes) {
      await node.stop();
      sends.push(await scenario.taken({ words: 10 }));
      await node.start();
      await scenario.moment(0, 300);
    }
    await scenario.endAll(sends, 'complete', 'interrupted');
    scenario.notes.push(`${countOf(scenario, sends, 'complete')} complete`);
    scenario.notes.push(`${countOf(scenario, sends, 'interrupted')} interrupted with their text`);
  },
};

const drain: Fault = {
  id: 'F39n',
  description: `SIGTERM to the only process during ${DRAINED} streams`,
  on: ['one'],
  run: async (scenario) => {
    const [node] = scenario.harness.nodes;
    const models: ReturnType<typeof endlessAnswer>[] = [];
    const sends = await manyStreams(scenario, DRAINED, () => {
      const model = endlessAnswer();
      models.push(model);
      return { script: model.script };
    });
    const before = countOf(scenario, sends, 'streaming');
    scenario.expect(before === DRAINED, `only ${before} of ${DRAINED} streamed when the signal came`);
    for (const model of models)
      if (scenario.random.chance(0.5)) setTimeout(model.end, scenario.random.between(0, LAST_WORDS)).unref();
    await node!.stop();
    const [left] = await scenario.harness.database.query<{ count: number }>(
      `select count(*)::int as count from generation where status = 'streaming'`,
    );
    scenario.expect(left!.count === 0, `I3: ${left!.count} still stream after the process has ended`);
    await node!.start();
    await scenario.endAll(sends, 'complete', 'interrupted');
    const isText = (send: Send) => /^(and on )+$/.test(scenario.answerOf(send).text);
    scenario.expect(sends.every(isText), 'I4: not what the model wrote');
    scenario.notes.push(`${before} streamed`, `${countOf(scenario, sends, 'complete')} complete`);
    scenario.notes.push(`${countOf(scenario, sends, 'interrupted')} interrupted with their text`);
  },
};

export const fleetFaults: Fault[] = [killOneOfThree, rollAll, drain];
