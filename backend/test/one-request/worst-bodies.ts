import { LIMITS } from '@tanya/contract';
import { repeated, texts } from './worst-texts.js';

/** A body and what is bad about it. It is built when it is sent, since all together would need gigabytes. */
export interface WorstBody {
  input: string;
  build: () => Buffer;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';

/** The shortest distinct names that every pattern of a name takes. */
export function distinctName(index: number): string {
  let [name, rest] = ['', index];
  do {
    name += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  } while (rest > 0);
  return name;
}

/** More entries than any bound of values admits: the rest of a body is not read after it. */
const MOST_ENTRIES = 1_000_000;

/**
 * Entries with commas between them, as many as fit.
 * @param room bytes
 */
export function entries(entry: (index: number) => string, room: number, most = MOST_ENTRIES): string {
  if (entry.length === 0) {
    // All are alike.
    const piece = `${entry(0)},`;
    return piece.repeat(Math.max(0, Math.min(Math.floor(room / piece.length), Math.floor(most)))).slice(0, -1);
  }
  const list: string[] = [];
  for (let used = 0; list.length < most;) {
    const next = entry(list.length);
    used += next.length + 1;
    if (used > room) break;
    list.push(next);
  }
  return list.join();
}

const nested = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

const DEPTHS = [31, 32, 33, 63, 64, 65, 10_000];

const LISTS: Record<string, (index: number) => string> = {
  numbers: () => '1',
  'empty objects': () => '{}',
  'empty lists': () => '[]',
  'objects of one field': () => '{"a":1}',
  'distinct names': (index) => `"${distinctName(index)}"`,
  nulls: () => 'null',
};

const OBJECTS: Record<string, (index: number) => string> = {
  'distinct keys': (index) => `"${distinctName(index)}":1`,
  'one key': () => '"a":1',
  'numeric keys': (index) => `"${index * 7_919}":1`,
};

/** Texts of 1 MB that the bodies of all routes share. */
const made = new Map<string, string>();

/** Entries in about as many bytes, made once. */
function sharedEntries(name: string, entry: (index: number) => string, room: number, most: number): string {
  const rounded = room - (room % 4_096);
  const key = `${name} ${rounded} ${most}`;
  const text = made.get(key) ?? entries(entry, rounded, most);
  if (text.length <= LIMITS.jsonBytes) made.set(key, text);
  return text;
}

/** Values of JSON that a body may have, as lists and as objects: as many as fit, or `most`. */
function manyValues(room: number, most: number, count: string): Record<string, () => string> {
  const list = Object.entries(LISTS).map(([name, entry]) => [
    `a list of ${count}${name}`,
    () => `[${sharedEntries(name, entry, room - 2, name === 'objects of one field' ? most / 2 : most)}]`,
  ]);
  const object = Object.entries(OBJECTS).map(([name, entry]) => [
    `an object of ${count}${name}`,
    () => `{${sharedEntries(name, entry, room - 2, most)}}`,
  ]);
  return Object.fromEntries([...list, ...object]) as Record<string, () => string>;
}

/**
 * Values of JSON that cost more than their bytes, as text: those that the bound of values admits, and those that only the
 * bound of bytes holds.
 * @param room bytes
 * @param values bound of values of a body; the body has a few beside these
 */
export function worstValues(room: number, values: number): Record<string, () => string> {
  const most = values - 50;
  const mostLists = Math.min(500_000, Math.floor(room / 2) - 1);
  const mostObjects = Math.min(500_000, Math.floor(room / 6) - 1);
  const deep = DEPTHS.flatMap((depth) => [
    [`${depth} objects in one another`, () => nested('{"a":', '}', depth)],
    [`${depth} lists in one another`, () => nested('[', ']', depth)],
  ]);
  const long = Object.entries(texts).map(([name, text]) => [`a text of ${name}`, () => `"${text(room - 2)}"`]);
  return {
    ...manyValues(room, most, `${values.toLocaleString('en')} `),
    ...manyValues(room, MOST_ENTRIES, ''),
    ...(Object.fromEntries([...deep, ...long]) as Record<string, () => string>),
    'as many lists in one another as fit': () => nested('[', ']', mostLists),
    'as many objects in one another as fit': () => nested('{"a":', '}', mostObjects),
    'objects of depth 30': () => `[${entries(() => nested('{"a":', '}', 29), room - 2, most / 30)}]`,
    'prototypes in one another': () => nested('{"__proto__":', '}', Math.min(10_000, Math.floor(room / 15))),
    'long distinct names': () =>
      `[${entries((index) => `"${distinctName(index).padStart(Math.floor(room / most) - 4, '_')}"`, room - 2, most)}]`,
    'an object of one huge key': () => `{"${repeated('k')(room - 6)}":1}`,
    'an object of 1,000 huge keys': () =>
      `{${entries((index) => `"${repeated('k')(room / 1_000 - 12)}${index}":1`, room - 2)}}`,
    'a number of 10,000 digits': () => '9'.repeat(Math.min(room, 10_000)),
    'a number of as many digits as fit': () => '9'.repeat(room),
    'numbers of 400 digits': () => `[${entries(() => '9'.repeat(400), room - 2)}]`,
  };
}

const build = (text: () => string) => () => Buffer.from(text());

/** The values in an unknown field. */
export function unknownFields(bytes: number, values: number): WorstBody[] {
  return Object.entries(worstValues(bytes - 8, values)).map(([name, value]) => ({
    input: `${name} in an unknown field`,
    build: build(() => `{"x":${value()}}`),
  }));
}

/** Unknown fields of the body itself. @param isWhole whether also more of them than the bound of values admits */
export function manyFields(bytes: number, values: number, isWhole: boolean): WorstBody[] {
  const within = manyValues(bytes, values - 50, `${values.toLocaleString('en')} `);
  const all = isWhole ? { ...within, ...manyValues(bytes, MOST_ENTRIES, '') } : within;
  return Object.entries(all)
    .filter(([name]) => name.startsWith('an object'))
    .map(([input, value]) => ({ input, build: build(value) }));
}

/** Bodies for a reader of bodies, which does not look at their fields. */
export function readerBodies(bytes: number, values: number): WorstBody[] {
  const alone = Object.entries(worstValues(bytes, values)).map(([input, value]) => ({ input, build: build(value) }));
  const larger = worstValues(bytes - 5, values);
  const above = ['a list of numbers', 'an object of distinct keys', 'a text of letters'].map((name) => ({
    input: `${name}, a byte above the bound`,
    build: build(() =>
      larger[name]!()
        .padEnd(bytes - 5)
        .padStart(bytes + 1),
    ),
  }));
  const noUtf8 = Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(bytes - 8, 0xff), Buffer.from('"}')]);
  const broken: Record<string, () => Buffer> = {
    'bytes that are no UTF-8': () => noUtf8,
    blanks: () => Buffer.alloc(bytes, ' '),
    'open lists': () => Buffer.alloc(bytes, '['),
    quotes: () => Buffer.alloc(bytes, '"'),
    commas: () => Buffer.alloc(bytes, ','),
    'backslashes in an open text': () => Buffer.from(`{"x":"${'\\'.repeat(bytes - 6)}`),
    zeros: () => Buffer.alloc(bytes),
  };
  return [...alone, ...above, ...Object.entries(broken).map(([input, make]) => ({ input, build: make }))];
}
