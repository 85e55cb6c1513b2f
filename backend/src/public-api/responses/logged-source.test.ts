import { jest } from '@jest/globals';
import type { ResponseState } from '@tanya/contract';
import type { DetachedLog } from '../../chat/generation/detached/detached-log.js';
import { LoggedSource } from './logged-source.js';
import { RUNNING } from './response-view.js';

type LoggedEvents = Awaited<ReturnType<DetachedLog['readFrom']>>;

const BEAT_INTERVAL_MS = 15_000;

/** More than the time in which a log reaches what a client has read, ms. */
const LONG_MS = 60_000;

/** The clock, ms. */
let now: number;

beforeEach(() => {
  now = 1_700_000_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => void jest.restoreAllMocks());

/** A source whose log is read by `readFrom`. */
function sourceOf(readFrom: () => LoggedEvents = () => null, stored: () => ResponseState = () => RUNNING) {
  const beat = jest.fn();
  const log = { readFrom: async () => readFrom() } as unknown as DetachedLog;
  const state = async () => stored();
  return { source: new LoggedSource({ id: '', log, beat, beatIntervalMs: BEAT_INTERVAL_MS, state }), beat };
}

it('keeps the response running with a beat per interval', async () => {
  const { source, beat } = sourceOf();
  await source.changed();
  await source.changed();
  expect(beat).toHaveBeenCalledTimes(1);
  now += BEAT_INTERVAL_MS - 1;
  await source.changed();
  expect(beat).toHaveBeenCalledTimes(1);
  now += 1;
  await source.changed();
  expect(beat).toHaveBeenCalledTimes(2);
});

describe('a number that the log does not have', () => {
  it('is reached when the log is written', async () => {
    let reads = 0;
    const { source } = sourceOf(() => ((reads += 1) < 3 ? null : { events: [], isClosed: false }));
    expect(await source.reaches(7)).toBe(true);
    expect(reads).toBe(3);
  });

  it('is beyond the end after some time', async () => {
    const { source } = sourceOf(() => {
      now += LONG_MS;
      return null;
    });
    expect(await source.reaches(7)).toBe(false);
  });
});

it('has the error and the end of a failed response whose node died before it logged them', async () => {
  let stored = RUNNING;
  const none = { events: [], isClosed: false };
  const { source } = sourceOf(
    () => none,
    () => stored,
  );
  now += LONG_MS;
  expect(await source.readFrom(7)).toEqual(none);
  const error = { code: 'interrupted', message: 'The server restarted.' };
  stored = { ...RUNNING, status: 'failed', error };
  // The log may be behind the stored state.
  expect(await source.readFrom(7)).toEqual(none);
  now += LONG_MS;
  const { events, isClosed } = (await source.readFrom(7))!;
  expect([isClosed, events.map(({ type }) => type)]).toEqual([true, ['error', 'response.failed']]);
  expect(events.map(({ json }) => JSON.parse(json) as unknown)).toMatchObject([
    { type: 'error', sequence_number: 7, ...error },
    { type: 'response.failed', sequence_number: 8 },
  ]);
});
