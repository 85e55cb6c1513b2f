import type { GenerationEvent } from '@tanya/contract';

type Delta = Extract<GenerationEvent, { type: 'text-delta' | 'reasoning-delta' }>;

/** Adjacent deltas that differ in text alone. `seq` is the first delta's; `ends` are the end positions of each in `text`. */
export type PackedDeltas = Delta & { ends: number[] };

/** A log entry: several deltas, or one other event. */
export type PackedEvent = PackedDeltas | Exclude<GenerationEvent, Delta>;

const isDelta = (event: GenerationEvent): event is Delta =>
  event.type === 'text-delta' || event.type === 'reasoning-delta';

const isPackedDeltas = (packed: PackedEvent): packed is PackedDeltas => 'ends' in packed;

/** The last sequence number of an entry. */
export const lastSeqOf = (packed: PackedEvent): number =>
  isPackedDeltas(packed) ? packed.seq + packed.ends.length - 1 : packed.seq;

/** Whether a delta continues an entry: the next number, and the same fields otherwise, those of later versions included. */
function continues(packed: PackedEvent | undefined, delta: Delta): packed is PackedDeltas {
  if (packed === undefined || !isPackedDeltas(packed) || lastSeqOf(packed) + 1 !== delta.seq) return false;
  const fields = Object.keys(delta);
  // `ends` is the one field that an entry has more.
  return Object.keys(packed).length === fields.length + 1 && fields.every((field) => isSame(packed, delta, field));
}

const isSame = (packed: PackedDeltas, delta: Delta, field: string): boolean =>
  field === 'seq' || field === 'text' || packed[field as keyof Delta] === delta[field as keyof Delta];

/** Adds an event to entries. Packing saves most of a log's size, which is the envelopes of single deltas. */
export function packInto(entries: PackedEvent[], event: GenerationEvent): void {
  const last = entries.at(-1);
  if (!isDelta(event)) entries.push(event);
  else if (continues(last, event)) {
    last.text += event.text;
    last.ends.push(last.text.length);
  } else entries.push({ ...event, ends: [event.text.length] });
}

/** The events after a sequence number. Entries may overlap; each event is returned once. */
export function unpackAfter(entries: readonly PackedEvent[], afterSeq: number): GenerationEvent[] {
  const events: GenerationEvent[] = [];
  let last = afterSeq;
  for (const entry of entries) {
    if (lastSeqOf(entry) <= last) continue;
    if (isPackedDeltas(entry)) {
      const { ends, ...delta } = entry;
      ends.forEach((end, index) => {
        const seq = entry.seq + index;
        if (seq > last) events.push({ ...delta, seq, text: entry.text.slice(ends[index - 1] ?? 0, end) });
      });
    } else events.push(entry);
    last = lastSeqOf(entry);
  }
  return events;
}
