import { TIMINGS, type Timings } from '../../../src/config/timings.js';
import type { Script } from '../../harness/scripted-answers.js';
import {
  ANSWER,
  answerTo,
  asked,
  change,
  failing,
  GONE,
  harness,
  MAIN,
  recordOf,
  SECOND,
} from '../fallbacks-harness.js';

describe('a fallback whose time is short', () => {
  const WAIT = 3_000;
  const timings = (): Timings => harness.app.get(TIMINGS);
  let usual: number;

  beforeAll(() => {
    usual = timings().fallbackWait;
    timings().fallbackWait = WAIT;
  });

  afterAll(() => {
    timings().fallbackWait = usual;
  });

  it('ends with the time that all fallbacks have together', async () => {
    harness.upstream.script(GONE, { steps: [{ stall: true }] });
    const before = performance.now();
    const message = await answerTo('hello');
    expect(message).toMatchObject({ status: 'error', modelId: MAIN, error: { code: 'provider_error' } });
    expect(performance.now() - before).toBeGreaterThan(WAIT - 100);
    expect(asked()).toEqual([MAIN, SECOND]);
    // The one that was cut off may bill its prompt.
    expect((await recordOf(message))['attempts']).toEqual([{ modelId: MAIN, reason: 'provider_error', costUsd: '0' }]);
  });

  it('may take longer for its answer than for the first part of it', async () => {
    harness.upstream.script(GONE, {
      steps: [{ text: 'He' }, { wait: WAIT + 300 }, { text: 'llo' }, { finish: 'stop' }, { done: true }],
    });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', content: 'Hello', modelId: SECOND });
  });

  it('has the time of its provider in further steps', async () => {
    const call = { id: '1', name: 'add', args: {} };
    harness.upstream.script(
      failing(402),
      {
        steps: [{ text: 'So ' }, { wait: WAIT + 300 }, { call }, { finish: 'tool_calls' }, { done: true }],
      },
      { steps: [{ wait: 200 }, ...ANSWER] },
    );
    const message = await answerTo('hello', { tools: ['add'] });
    expect(message).toMatchObject({ status: 'complete', modelId: SECOND });
    expect(asked()).toEqual([MAIN, SECOND, SECOND]);
  });

  it('leaves the asked model its time where none takes the prompt, which is halved', async () => {
    const tooLong: Script = { status: 400, body: JSON.stringify({ error: { message: 'maximum context length' } }) };
    await change(MAIN, { contextLength: 8_192, fallbacks: [SECOND] });
    await change(SECOND, { contextLength: 512 });
    harness.upstream.script(tooLong, { steps: [{ wait: WAIT + 300 }, ...ANSWER] });
    expect(await answerTo('word '.repeat(700))).toMatchObject({ status: 'complete', modelId: MAIN });
    expect(asked()).toEqual([MAIN, MAIN]);
  });
});
