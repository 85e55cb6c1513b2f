import type { GenerationEvent, MessagePart } from '@tanya/contract';
import fc from 'fast-check';
import { delta, end, futureEvent } from './chat-fixtures';
import { applyEvent, emptyEntry, type StreamingEntry } from './generation-reducer';
import { StreamingStore } from './streaming-store';

/** `npm run fuzz` sets both. */
const { FUZZ_SEED = '39', FUZZ_STREAMS = '2000' } = (globalThis as { process?: { env: Record<string, string> } })
  .process!.env;
const SEED = Number(FUZZ_SEED);
const ANSWERS = Number(FUZZ_STREAMS);
const TIMEOUT_MS = 600_000;

const CALL: MessagePart = {
  type: 'tool',
  callId: 'c1',
  tool: 'calculate',
  title: 'Calculate',
  args: {},
  state: 'done',
  result: '4',
};

/** The events of one answer by their kinds, in order. */
function eventsOf(kinds: readonly string[]): GenerationEvent[] {
  let index = -1;
  let open: string | null = null;
  return kinds.map((kind, at) => {
    const seq = at + 1;
    if (kind === 'future') return futureEvent(seq);
    if (kind === 'part') {
      index += 1;
      open = null;
      return delta(seq, '', { type: 'part', index, part: CALL });
    }
    if (kind !== open) index += 1;
    open = kind;
    return delta(seq, `${kind}${seq} `, {
      type: kind === 'text' ? 'text-delta' : 'reasoning-delta',
      index,
    } as Partial<GenerationEvent>);
  });
}

const ANSWER = fc.record({
  kinds: fc.array(fc.constantFrom('text', 'text', 'text', 'reasoning', 'part', 'future'), {
    minLength: 1,
    maxLength: 20,
  }),
  /** Places of the events that arrive, in the order of their arrival: some are missing, some come twice. */
  arrivals: fc.array(fc.nat(), { maxLength: 60 }),
  isFinished: fc.boolean(),
});

const stateOf = ({ text, reasoning, parts }: StreamingEntry) => ({ text, reasoning, parts });

it(
  `shows an answer as it was written, in whatever order its events arrive, in ${ANSWERS} answers`,
  () => {
    fc.assert(
      fc.property(ANSWER, ({ kinds, arrivals, isFinished }) => {
        const events = eventsOf(kinds);
        const states = [emptyEntry(events[0]!)];
        for (const event of events) {
          const applied = applyEvent(states.at(-1)!, event);
          if (applied.outcome === 'applied') states.push(applied.entry);
        }
        expect(states).toHaveLength(events.length + 1);

        const store = new StreamingStore((commit) => commit());
        const id = events[0]!.generationId;
        store.open(events[0]!);
        for (const arrival of arrivals) {
          store.receive(events[arrival % events.length]!);
          const shown = store.current(id)!;
          expect(stateOf(shown)).toEqual(stateOf(states[shown.lastSeq!]!));
        }
        // A resume sends all events after the last one.
        for (const event of events.slice(store.current(id)!.lastSeq!)) store.receive(event);
        expect(stateOf(store.current(id)!)).toEqual(stateOf(states.at(-1)!));
        if (isFinished)
          expect(store.receive(end(1, 'whole'))).toMatchObject({ outcome: 'finished', message: { content: 'whole' } });
      }),
      { seed: SEED, numRuns: ANSWERS },
    );
  },
  TIMEOUT_MS,
);
