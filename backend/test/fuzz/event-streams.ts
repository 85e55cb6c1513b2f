import fc from 'fast-check';

/** A stream of events that breaks off somewhere, in pieces. */
export interface EventStream<Kind> {
  pieces: Buffer[];
  /** The kinds of the events that arrived, of the last one perhaps without the line that ends it. */
  arrived: Kind[];
  /** Those that arrived with it. */
  ended: Kind[];
}

/** Events in any order and number, with each line end, cut anywhere and split into pieces. */
export const eventStreams = <Kind>(events: readonly (readonly [Kind, string])[]): fc.Arbitrary<EventStream<Kind>> =>
  fc
    .record({
      events: fc.array(fc.constantFrom(...events), { maxLength: 12 }),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: 1 }),
      splits: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
    })
    .map(({ events: all, lineEnd, cut, splits }) => {
      const frames = all.map(([, text]) => Buffer.from(`${text}\n\n`.replaceAll('\n', lineEnd)));
      const bytes = Buffer.concat(frames);
      const length = Math.floor(bytes.length * cut);
      const places = [0, ...splits.map((part) => Math.floor(part * length)).toSorted((a, b) => a - b), length];
      let end = 0;
      const ends = frames.map((frame) => (end += frame.length));
      const kindsUpTo = (most: number) => all.flatMap(([kind], at) => (ends[at]! <= most ? [kind] : []));
      return {
        pieces: places.slice(1).map((to, at) => bytes.subarray(places[at], to)),
        arrived: kindsUpTo(length + 2 * lineEnd.length),
        ended: kindsUpTo(length),
      };
    });
