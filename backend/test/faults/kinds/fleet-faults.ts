import { setTimeout as sleep } from 'node:timers/promises';
import type { Script, Step } from '../../scripted-answers.js';
import type { Fault } from '../fault.js';
import { onThisMachine } from '../pace.js';
import type { Send } from '../page.js';
import type { Scene, Wish } from '../scene.js';

const STREAMS = 200;
const DRAINED = 500;

/** Between two words of those that are drained, ms. */
const DRAINED_PACE = 250;

/** Half of their models come to an end within this time of the signal, ms: the process waits a little longer for them. */
const LAST_WORDS = 20_000;

/** All whose process is gone have heard of it by then, ms. */
const NOTICED = 500;

/** Work for so many at a time, so that the beginning is not itself the fault. */
async function inTurns<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < count) {
    const some = Array.from({ length: Math.min(25, count - done.length) }, (_, index) => work(done.length + index));
    done.push(...(await Promise.all(some)));
  }
  return done;
}

/** A model that goes on until it is told to come to an end. */
function talker(): { script: Script; end: () => void } {
  const steps: Step[] = [{ text: 'and on ' }];
  const script: Script = { steps, endless: true, pace: DRAINED_PACE };
  const end = () => {
    script.endless = false;
    steps.push({ finish: 'stop' }, { done: true });
  };
  return { script, end };
}

/** Everybody is there before the first send, so that all streams run at once. Running answers that one person may have is 20. */
async function manyStreams(scene: Scene, count: number, wish: () => Wish): Promise<Send[]> {
  const pages = await inTurns(count, () => scene.page());
  const sends = await inTurns(count, (index) => scene.taken({ page: pages[index], ...wish() }));
  await scene.until(() => sends.every((send) => scene.answerOf(send).text !== ''), 'the first words of all', 20_000);
  return sends;
}

const countOf = (scene: Scene, sends: Send[], status: string): number =>
  sends.filter((send) => scene.answerOf(send).status === status).length;

const killOneOfThree: Fault = {
  id: 'F40n',
  says: `one of three nodes behind nginx is killed amid ${STREAMS} streams`,
  on: ['fleet'],
  run: async (scene) => {
    const sends = await manyStreams(scene, STREAMS, () => ({ words: 300, pace: 150 }));
    const node = scene.random.pick(scene.ground.nodes);
    await scene.moment(0, 400);
    const before = countOf(scene, sends, 'streaming');
    const began = performance.now();
    await node.kill();
    await scene.until(() => sends.some((send) => !send.page.isConnected), 'somebody who notices');
    await sleep(NOTICED);
    await scene.until(() => sends.every((send) => send.page.isConnected), 'all clients', 5_000);
    const hit = sends.filter((send) => send.page.connects > 1);
    const settled = () => hit.every((send) => scene.answerOf(send).isClosed);
    await scene.until(settled, 'the end of the killed node’s streams');
    scene.notes.push(`${before} streamed`, `${hit.length} clients hit`);
    scene.notes.push(`settled after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const slowest = Math.max(0, ...hit.map((send) => send.page.longestLoss));
    scene.notes.push(`back within ${(slowest / 1000).toFixed(1)} s`);
    scene.expect(slowest < onThisMachine(5_000), `a client was away for ${Math.round(slowest)} ms`);
    scene.expect(hit.length > 0 && hit.length < STREAMS, `${hit.length} clients lost their connection`);
    await scene.endAll(hit, 'interrupted', 'complete');
    await scene.endAll(
      sends.filter((send) => send.page.connects === 1),
      'complete',
    );
  },
};

const rollAll: Fault = {
  id: 'F42n',
  says: `three nodes behind nginx are replaced one after another amid ${STREAMS} streams`,
  on: ['fleet'],
  run: async (scene) => {
    const sends = await manyStreams(scene, STREAMS, () => ({ words: 200, pace: 150 }));
    for (const node of scene.ground.nodes) {
      await node.stop();
      sends.push(await scene.taken({ words: 10 }));
      await node.start();
      await scene.moment(0, 300);
    }
    await scene.endAll(sends, 'complete', 'interrupted');
    scene.notes.push(`${countOf(scene, sends, 'complete')} complete`);
    scene.notes.push(`${countOf(scene, sends, 'interrupted')} interrupted with their text`);
  },
};

const drain: Fault = {
  id: 'F39n',
  says: `SIGTERM to the only process amid ${DRAINED} streams`,
  on: ['one'],
  run: async (scene) => {
    const [node] = scene.ground.nodes;
    const models: ReturnType<typeof talker>[] = [];
    const sends = await manyStreams(scene, DRAINED, () => {
      const model = talker();
      models.push(model);
      return { script: model.script };
    });
    const before = countOf(scene, sends, 'streaming');
    scene.expect(before === DRAINED, `only ${before} of ${DRAINED} streamed when the signal came`);
    for (const model of models)
      if (scene.random.chance(0.5)) setTimeout(model.end, scene.random.between(0, LAST_WORDS)).unref();
    await node!.stop();
    const [left] = await scene.ground.database.query<{ count: number }>(
      `select count(*)::int as count from generation where status = 'streaming'`,
    );
    scene.expect(left!.count === 0, `I3: ${left!.count} still stream after the process has ended`);
    await node!.start();
    await scene.endAll(sends, 'complete', 'interrupted');
    const isText = (send: Send) => /^(and on )+$/.test(scene.answerOf(send).text);
    scene.expect(sends.every(isText), 'I4: not what the model wrote');
    scene.notes.push(`${before} streamed`, `${countOf(scene, sends, 'complete')} complete`);
    scene.notes.push(`${countOf(scene, sends, 'interrupted')} interrupted with their text`);
  },
};

export const fleetFaults: Fault[] = [killOneOfThree, rollAll, drain];
