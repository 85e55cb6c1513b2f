import fc from 'fast-check';

/** Values that stand where others are expected. */
const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'text',
  '\u0000\ud800',
  [],
  [[]],
  [null, 7, 'x'],
  {},
  { id: null },
  { __proto__: null, constructor: 5, toString: null },
];

const EDITS = ['replace', 'remove', 'repeat', 'reverse', 'wrap', 'swap'] as const;

interface Edit {
  edit: (typeof EDITS)[number];
  /** Which of the values in the document, from 0 to 1. */
  at: number;
  junk: unknown;
}

type Place = { parent: unknown[] | Record<string, unknown>; key: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Place['parent'];
  return Object.entries(parent).flatMap(([key, field]) => [{ parent, key }, ...placesIn(field)]);
}

function change(document: unknown, { edit, at, junk }: Edit): void {
  const places = placesIn(document);
  const place = places[Math.floor(at * places.length)];
  if (place === undefined) return;
  const { parent, key } = place;
  const fields = parent as Record<string, unknown>;
  const field = fields[key];
  if (edit === 'replace') fields[key] = structuredClone(junk);
  else if (edit === 'wrap') fields[key] = [field];
  else if (edit === 'swap') fields[key] = structuredClone(places[places.length - 1]!.parent);
  else if (edit === 'reverse' && Array.isArray(field)) field.reverse();
  else if (edit === 'repeat' && Array.isArray(field)) field.push(...(structuredClone(field) as unknown[]));
  else if (edit === 'remove') delete fields[key];
}

const edits = fc.array(
  fc.record({
    edit: fc.constantFrom(...EDITS),
    at: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    junk: fc.constantFrom(...JUNK),
  }),
  { maxLength: 4 },
);

/** The documents with values that are replaced, removed, repeated, wrapped or mixed. */
export const mutatedValue = (documents: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.tuple(fc.constantFrom(...documents, ...JUNK), edits).map(([document, changes]) => {
    const copy = [structuredClone(document)];
    for (const each of changes) change(copy, each);
    return copy[0];
  });

export interface MutatedJson {
  text: string;
  /** Whether the text is one document as it stands, of which nothing is cut or mixed. */
  isWhole: boolean;
}

/** The JSON of mutated documents: cut, with another one after it, or within blanks. */
export const mutatedJson = (documents: readonly unknown[]): fc.Arbitrary<MutatedJson> =>
  fc
    .tuple(
      mutatedValue(documents),
      fc.constantFrom('whole', 'whole', 'cut', 'twice', 'blanks', 'indented') as fc.Arbitrary<string>,
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    )
    .map(([value, form, at]) => {
      const json = JSON.stringify(value) ?? 'null';
      if (form === 'cut') return { text: json.slice(0, Math.floor(at * json.length)), isWhole: false };
      if (form === 'twice') return { text: json + json, isWhole: false };
      if (form === 'blanks') return { text: ` \r\n\t${json}\n`, isWhole: true };
      return { text: form === 'indented' ? JSON.stringify(JSON.parse(json), null, 2) : json, isWhole: true };
    });

/** `npm run fuzz` sets both. */
export const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? 39);

/** Inputs of one decoder. @param share of those of `npm run fuzz` in a run of the tests */
export const fuzzRuns = (inTests: number): number => Number(process.env['FUZZ_STREAMS'] ?? inTests);

export const FUZZ_TIMEOUT_MS = 600_000;
