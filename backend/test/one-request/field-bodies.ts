import { distinctName, entries, type WorstBody, worstValues } from './worst-bodies.js';
import type { Schema } from '../fuzz/fuzz-harness.js';
import { repeated, texts } from './worst-texts.js';

export type Schemas = Record<string, Schema>;

const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1)!] ?? {});

/** An entry that its list admits. */
function validEntry(items: Schema | undefined): (index: number) => string {
  if (items?.enum) return (index) => JSON.stringify(items.enum![index % items.enum!.length]);
  if (items?.type === 'number' || items?.type === 'integer') return (index) => String(index + 1);
  return (index) => JSON.stringify(distinctName(index));
}

const IN_ANY_FIELD = ['an object of 20,000 distinct keys'];
const IN_LIST_OR_OBJECT = 'a list of 20,000 empty objects';
const ELSEWHERE_TOO = [
  IN_LIST_OR_OBJECT,
  'objects of depth 30',
  'a list of numbers',
  'a list of empty objects',
  'an object of distinct keys',
  '10000 lists in one another',
];
const IN_TEXT_FIELD = ['escaped zeros'];

/**
 * Worst values of one field: those that any field gets, and those that only its type lets come far.
 * @param isWhole whether it gets all of them
 */
function valuesOf(schema: Schema, { bytes, values, isWhole }: FieldBounds, room: number): Record<string, () => string> {
  const anything = worstValues(room, values);
  const isComposed = schema.type === 'array' || schema.properties !== undefined;
  const chosen = [...IN_ANY_FIELD, ...(isComposed ? [IN_LIST_OR_OBJECT] : []), ...(isWhole ? ELSEWHERE_TOO : [])].map(
    (name) => name.replace('20,000', values.toLocaleString('en')),
  );
  const found = Object.fromEntries(chosen.map((name) => [name, anything[name]!]));
  if (schema.type === 'array') {
    const entry = validEntry(schema.items);
    const { maxItems = 100_000, items } = schema;
    found[`${values.toLocaleString('en')} distinct valid entries`] = () => `[${entries(entry, room - 2, values - 50)}]`;
    if (isWhole) found['distinct valid entries up to the bound of bytes'] = () => `[${entries(entry, room - 2)}]`;
    const longest = Math.min(items?.maxLength ?? 64, Math.floor(bytes / Math.min(maxItems, values)) - 4);
    const long =
      items?.type === 'string' && !items.enum
        ? (index: number) => JSON.stringify(distinctName(index).padStart(longest, '_'))
        : entry;
    for (const most of [maxItems, maxItems + 1])
      found[`${most} valid entries`] = () => `[${entries(long, room - 2, most)}]`;
  } else if (schema.type === 'string' || schema.oneOf) {
    const names = isWhole ? Object.keys(texts) : IN_TEXT_FIELD;
    for (const name of names) found[`a text of ${name}`] = () => `"${texts[name]!(room - 2)}"`;
    if (isWhole && schema.maxLength !== undefined && schema.maxLength < room) {
      found['a text as long as its bound'] = () => `"${repeated('日')(Math.min(room - 2, schema.maxLength! * 3))}"`;
      found['a text one longer than its bound'] = () => `"${repeated('a')(schema.maxLength! + 1)}"`;
    }
  } else if (isWhole && (schema.type === 'number' || schema.type === 'integer')) {
    found['a number of as many digits as fit'] = anything['a number of as many digits as fit']!;
  }
  return found;
}

export interface FieldBounds {
  bytes: number;
  /** Values of JSON. */
  values: number;
  isWhole: boolean;
}

/** Bodies of a route, each with one field at its worst, and one with all lists full. */
export function fieldBodies(
  name: string,
  schemas: Schemas,
  valid: Record<string, unknown>,
  bounds: FieldBounds,
): WorstBody[] {
  const { bytes } = bounds;
  const bodies: WorstBody[] = [];
  const visit = (schema: Schema, base: Record<string, unknown>, before: string, after: string, path: string) => {
    for (const [field, given] of Object.entries(schema.properties ?? {})) {
      const inner = resolved(given, schemas);
      const rest = JSON.stringify({ ...base, [field]: undefined }).slice(1, -1);
      const [open, close] = [`${before}{${rest}${rest === '' ? '' : ','}${JSON.stringify(field)}:`, `}${after}`];
      const room = bytes - Buffer.byteLength(open) - Buffer.byteLength(close);
      for (const [kind, value] of Object.entries(valuesOf(inner, bounds, room)))
        bodies.push({ input: `${path}${field}: ${kind}`, build: () => Buffer.from(open + value() + close) });
      if (inner.properties && path === '') visit(inner, {}, open, close, `${field}.`);
    }
  };
  const schema = schemas[name] ?? {};
  visit(schema, valid, '', '', '');
  const fields = Object.entries(schema.properties ?? {}).map(([field, given]) => ({
    field,
    inner: resolved(given, schemas),
  }));
  const lists = fields.filter(({ inner }) => inner.type === 'array');
  if (lists.length > 1) {
    bodies.push({
      input: 'all lists full of distinct entries',
      build: () => {
        const room = Math.floor((bytes - JSON.stringify(valid).length) / lists.length) - 80;
        const filled = lists.map(
          ({ field, inner }) => `${JSON.stringify(field)}:[${entries(validEntry(inner.items), room)}]`,
        );
        const others = Object.entries(valid).filter(([field]) => lists.every((list) => list.field !== field));
        return Buffer.from(
          `{${[...others.map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)}`), ...filled].join()}}`,
        );
      },
    });
  }
  return bodies;
}
