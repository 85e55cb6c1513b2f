import type { LogEvent } from './generation-log.js';

/**
 * Adjacent events that differ in their number and text alone. `seq` is the first one's; `ends` are the end positions of
 * each in `text`.
 */
type PackedTexts = LogEvent & { text: string; ends: number[] };

/** A log entry: several events with text, or one other event. */
export type PackedEvent = LogEvent | PackedTexts;

const hasText = (event: LogEvent): event is LogEvent & { text: string } => typeof event.text === 'string';

const isPacked = (entry: PackedEvent): entry is PackedTexts => 'ends' in entry;

export const lastSeqOf = (entry: PackedEvent): number =>
  isPacked(entry) ? entry.seq + entry.ends.length - 1 : entry.seq;

/** Whether an event continues an entry: the next number, and the same fields otherwise, those of later versions included. */
function continues(entry: PackedEvent | undefined, event: LogEvent): entry is PackedTexts {
  if (entry === undefined || !isPacked(entry) || lastSeqOf(entry) + 1 !== event.seq) return false;
  for (const field of Object.keys(event) as (keyof LogEvent)[])
    if (field !== 'seq' && field !== 'text' && entry[field] !== event[field]) return false;
  // `ends` is the one field that an entry has more.
  return Object.keys(entry).length === Object.keys(event).length + 1;
}

/** Adds an event to entries. Packing saves most of a log's size, which is the envelopes of single deltas. */
export function packInto(entries: PackedEvent[], event: LogEvent): void {
  const last = entries.at(-1);
  if (!hasText(event)) entries.push(event);
  else if (continues(last, event)) {
    last.text += event.text;
    last.ends.push(last.text.length);
  } else entries.push({ ...event, ends: [event.text.length] });
}

/** The events after a sequence number. Entries may overlap; each event is returned once. */
export function unpackAfter(entries: readonly PackedEvent[], afterSeq: number): LogEvent[] {
  const events: LogEvent[] = [];
  let last = afterSeq;
  for (const entry of entries) {
    if (lastSeqOf(entry) <= last) continue;
    if (isPacked(entry)) {
      const { ends, ...event } = entry;
      ends.forEach((end, index) => {
        const seq = entry.seq + index;
        if (seq > last) events.push({ ...event, seq, text: entry.text.slice(ends[index - 1] ?? 0, end) });
      });
    } else events.push(entry);
    last = lastSeqOf(entry);
  }
  return events;
}
