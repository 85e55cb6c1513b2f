import type { GenerationEvent } from '@tanya/contract';
import { packInto, type PackedEvent, unpackAfter } from './packed-events.js';

const base = { generationId: 'g', threadId: 1, messageId: 2 };
const text = (seq: number, content = `piece ${seq}`): GenerationEvent => ({
  ...base,
  seq,
  type: 'text-delta',
  text: content,
});
const thought = (seq: number): GenerationEvent => ({ ...base, seq, type: 'reasoning-delta', text: `thought ${seq}` });

function pack(events: GenerationEvent[]): PackedEvent[] {
  const entries: PackedEvent[] = [];
  for (const event of events) packInto(entries, event);
  return entries;
}

it('unpacking returns every event unchanged, from any position', () => {
  const events = [thought(1), thought(2), text(3), text(4, '😀'), text(5)];
  const entries = pack(events);
  expect(entries).toHaveLength(2);
  for (let seq = 0; seq <= 5; seq += 1) expect(unpackAfter(entries, seq)).toEqual(events.slice(seq));
});

it('unpacking returns an event of overlapping entries once', () => {
  const entries = [...pack([text(1), text(2)]), ...pack([text(1), text(2), text(3)])];
  expect(unpackAfter(entries, 0)).toEqual([text(1), text(2), text(3)]);
});

it('packing starts a new entry after a gap in the sequence numbers', () => {
  expect(pack([text(1), text(3)])).toHaveLength(2);
});
