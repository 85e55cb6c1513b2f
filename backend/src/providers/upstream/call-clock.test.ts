import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { PROVIDER_TIMINGS } from '../provider.js';
import { CallClock } from './call-clock.js';
import { CompletionDecoder } from './completion/completion-decoder.js';
import { readCompletion } from './read-completion.js';
import { ReadClock } from './read-clock.js';
import { UpstreamBody } from './upstream-body.js';
import { UpstreamAnswer } from './upstream-fetch.js';

const TIMEOUT_MS = 30_000;

/** Lateness that is within the precision of timers, and the least that is not, ms. */
const PRECISION_MS = 50;
const LATE_MS = 51;

/** Total lateness of the timers so far, ms. */
let blocked: number;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  blocked = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + blocked);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Lets time pass. A timer that becomes due fires late by `lateness`, ms. */
const advance = (milliseconds: number, lateness = 0): void => {
  blocked += lateness;
  jest.advanceTimersByTime(milliseconds);
};

describe('the timeout of a call', () => {
  const silence = new Error('silence');
  let clock: CallClock;

  beforeEach(() => {
    clock = new CallClock(new AbortController().signal);
    clock.arm(TIMEOUT_MS, () => silence);
  });

  const expectAbortAfterTimeout = (): void => {
    advance(TIMEOUT_MS - 1);
    expect(clock.signal.aborted).toBe(false);
    advance(1);
    expect(clock.signal.reason).toBe(silence);
  };

  it('aborts the call at its end', () => expectAbortAfterTimeout());

  it('aborts the call when its timer is no later than timers are', () => {
    advance(TIMEOUT_MS, PRECISION_MS);
    expect(clock.signal.reason).toBe(silence);
  });

  it('is extended once when its timer was delayed by a blocked event loop', () => {
    advance(TIMEOUT_MS, LATE_MS);
    expectAbortAfterTimeout();
  });

  it('is not extended twice', () => {
    advance(TIMEOUT_MS, LATE_MS);
    advance(TIMEOUT_MS, LATE_MS);
    expect(clock.signal.reason).toBe(silence);
  });

  it('can be extended again in each phase of the call', () => {
    advance(TIMEOUT_MS, LATE_MS);
    clock.arm(TIMEOUT_MS, () => silence);
    advance(TIMEOUT_MS, LATE_MS);
    expect(clock.signal.aborted).toBe(false);
    advance(TIMEOUT_MS);
    expect(clock.signal.reason).toBe(silence);
  });

  it('does not abort a call that was closed', () => {
    clock.close();
    advance(2 * TIMEOUT_MS);
    expect(clock.signal.aborted).toBe(false);
  });
});

describe('F15: an answer', () => {
  /** Reads an answer whose idle timer is late by `lateness`, and whose rest arrives after it. @returns its text */
  async function answerAfter(lateness: number): Promise<string> {
    const readClock = new ReadClock(false);
    const body = new UpstreamBody({ abort: () => undefined } as unknown as Dispatcher.DispatchController, null);
    let text = '';
    const ended = readCompletion({
      answer: new UpstreamAnswer(body, 200, { 'content-type': 'text/event-stream' }),
      decoder: new CompletionDecoder(),
      clock: new CallClock(new AbortController().signal),
      readClock,
      timings: PROVIDER_TIMINGS,
      onEvents: (events) => {
        for (const event of events) if (event.type === 'text-delta') text += event.text;
      },
    });
    const send = async (choice: object): Promise<void> => {
      body.push(Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`));
      await nextTurn();
    };
    const write = async (): Promise<void> => {
      await send({ delta: { content: 'one ' } });
      advance(PROVIDER_TIMINGS.idle, lateness);
      await send({ delta: { content: 'two' } });
      await send({ delta: {}, finish_reason: 'stop' });
      body.end(null);
    };
    await Promise.all([write(), ended]);
    return text;
  }

  it('is read to its end after the event loop was blocked for longer than the idle timeout', async () => {
    expect(await answerAfter(5 * PROVIDER_TIMINGS.idle)).toBe('one two');
  });

  it('is interrupted after a silence of the upstream', async () => {
    await expect(answerAfter(0)).rejects.toMatchObject({ code: 'timeout_idle', interrupted: true });
  });
});
