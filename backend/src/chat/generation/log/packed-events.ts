import type { GenerationEvent } from '@tanya/contract';

type Delta = Extract<GenerationEvent, { type: 'text-delta' | 'reasoning-delta' }>;

/** Neighbouring deltas of one kind as one text; `seq` is the first one's, `ends` says where in the text each of them ends. */
export type PackedDeltas = Delta & { ends: number[] };

/** An entry of a log: several deltas, or an event by itself. */
export type PackedEvent = PackedDeltas | Exclude<GenerationEvent, Delta>;

export const isPackedDeltas = (packed: PackedEvent): packed is PackedDeltas => 'ends' in packed;

export const lastSeqOf = (packed: PackedEvent): number =>
  isPackedDeltas(packed) ? packed.seq + packed.ends.length - 1 : packed.seq;

/** Adds an event to entries, to the last of them where it follows on; a log of single deltas is mostly their envelopes. */
export function packInto(entries: PackedEvent[], event: GenerationEvent): void {
  const last = entries.at(-1);
  if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') entries.push(event);
  else if (last?.type === event.type && isPackedDeltas(last) && lastSeqOf(last) + 1 === event.seq) {
    last.text += event.text;
    last.ends.push(last.text.length);
  } else entries.push({ ...event, ends: [event.text.length] });
}

/** The events after a position, each once, though entries may overlap. */
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
