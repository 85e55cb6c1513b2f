import type { Script, Step } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import type { Send } from '../page/page.js';
import type { Scenario, SendOptions } from '../scenario.js';

const STREAMS = 500;

/** Pause between two words, ms. */
const WORD_MS = 250;

/** Half of the answers end within this time of the signal, ms; the grace period is slightly longer. */
const LAST_WORDS = 20_000;

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
  const script: Script = { steps, endless: true, pace: WORD_MS };
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

export const drainFault: Fault = {
  id: 'F39n',
  description: `SIGTERM to the only process during ${STREAMS} streams`,
  on: ['one'],
  run: async (scenario) => {
    const [node] = scenario.harness.nodes;
    const models: ReturnType<typeof endlessAnswer>[] = [];
    const sends = await manyStreams(scenario, STREAMS, () => {
      const model = endlessAnswer();
      models.push(model);
      return { script: model.script };
    });
    const before = countOf(scenario, sends, 'streaming');
    scenario.expect(before === STREAMS, `only ${before} of ${STREAMS} streamed when the signal came`);
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
