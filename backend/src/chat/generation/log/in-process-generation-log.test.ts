import { jest } from '@jest/globals';
import type { GenerationEvent } from '@tanya/contract';
import { InProcessGenerationLog } from './in-process-generation-log.js';

const RETENTION = 60_000;

const base = { generationId: '', threadId: 1, messageId: 2 };
const delta = (seq: number, text: string): GenerationEvent => ({ ...base, seq, type: 'text-delta', text });
const end = (seq: number): GenerationEvent => ({ ...base, seq, type: 'end' }) as GenerationEvent;

/** A log of about this number of characters. */
const events = (characters: number): GenerationEvent[] => [delta(1, 'x'.repeat(characters)), end(2)];

afterEach(() => void jest.useRealTimers());

it('deletes the logs that were closed first beyond the characters that closed logs may have', async () => {
  const log = new InProcessGenerationLog(RETENTION, 10_000);
  await log.append('running', [delta(1, 'x'.repeat(20_000))]);
  await log.append('second', [delta(1, 'x'.repeat(4_000))]);
  await log.append('first', events(4_000));
  await log.append('second', [end(2)]);
  expect(await log.lastSeq('first')).toBe(2);
  await log.append('third', events(4_000));
  expect(await log.readAfter('first', 0)).toBeNull();
  expect(await log.lastSeq('first')).toBe(0);
  expect(await log.readAfter('second', 0)).toHaveLength(2);
  expect(await log.readAfter('third', 0)).toHaveLength(2);
  expect(await log.readAfter('running', 0)).toHaveLength(1);
});

it('counts many short deltas with their overhead, and an event without text by its JSON', async () => {
  const log = new InProcessGenerationLog(RETENTION, 10_000);
  await log.append('deltas', [...Array.from({ length: 400 }, (_, index) => delta(index + 1, 'x')), end(401)]);
  expect(await log.readAfter('deltas', 0)).toBeNull();
  const message = { content: 'x'.repeat(20_000) };
  await log.append('message', [{ ...base, seq: 1, type: 'end', message } as GenerationEvent]);
  expect(await log.readAfter('message', 0)).toBeNull();
});

it('deletes the running logs that are idle longest beyond the characters that running logs may have', async () => {
  const log = new InProcessGenerationLog(RETENTION, Infinity, 10_000);
  for (const id of ['waiting', 'running', 'other']) await log.append(id, [delta(1, 'x'.repeat(3_000))]);
  await log.append('running', [delta(2, 'x'.repeat(3_000))]);
  expect(await log.readAfter('waiting', 0)).toBeNull();
  expect(await log.readAfter('running', 0)).toHaveLength(2);
  await log.append('waiting', [delta(2, 'x')]);
  expect([await log.readAfter('waiting', 0), (await log.readAfter('waiting', 1))?.length]).toEqual([null, 1]);
  await log.append('large', [delta(1, 'x'.repeat(20_000))]);
  expect(await log.lastSeq('large')).toBe(1);
});

it('frees the characters of deleted logs', async () => {
  const log = new InProcessGenerationLog(RETENTION, 10_000);
  for (let n = 1; n <= 20; n++) await log.append(String(n), events(3_000));
  const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => log.lastSeq(String(index + 1))));
  expect(kept.filter((seq) => seq > 0)).toHaveLength(3);
});

it('fences a run whose log was closed and whose events were deleted, until the retention ends', async () => {
  jest.useFakeTimers();
  const log = new InProcessGenerationLog(RETENTION, 10_000);
  await log.append('large', events(20_000));
  expect(await log.append('large', [delta(3, 'late')])).toBe('closed');
  expect(await log.readAfter('large', 0)).toBeNull();
  expect(await log.lastSeq('large')).toBe(0);
  jest.advanceTimersByTime(RETENTION);
  await log.append('other', events(1));
  expect(await log.append('large', [delta(3, 'late')])).toBe('appended');
});

it('keeps a bounded number of closed logs without events', async () => {
  const log = new InProcessGenerationLog(RETENTION, 0);
  for (let n = 1; n <= 5_001; n++) await log.append(String(n), [end(1)]);
  expect(await log.append('2', [end(2)])).toBe('closed');
  expect(await log.append('1', [end(2)])).toBe('appended');
});
