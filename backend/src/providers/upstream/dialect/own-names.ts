import { type Fields, isFields } from '../../../platform/json/fields.js';
import type { Adaptation, Body, Refusal } from './adaptation.js';

/** Fields whose keys are the asker's own words. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'];

/** What lies within a field that is the asker's alone, as in `tools[0].function.parameters`. */
const WITHIN = /^(tools|messages|response_format)\W/;

/** Values of a request that are looked through, and texts of it that a refusal may repeat: more would hold the event loop. */
const MAX_VALUES = 10_000;
const MAX_REPEATED = 200;

/**
 * The texts of a request that a server repeats, names of functions and of their parameters too; null for a request, or a
 * refusal, with too many.
 */
function repeatedTexts(body: Body, isRepeated: (text: string) => boolean): string[] | null {
  const repeated = new Set<string>();
  // Each with whether its keys are texts of the asker.
  const open: [value: unknown, areNames: boolean][] = [
    [Object.values(body).filter((value) => typeof value === 'object'), false],
  ];
  for (let seen = 0; open.length > 0; seen++) {
    const [value, areNames] = open.pop()!;
    if (typeof value === 'string' && isRepeated(value)) repeated.add(value);
    const keys = isFields(value) ? Object.keys(value) : [];
    const size = Array.isArray(value) ? value.length : keys.length;
    if (seen + open.length + size > MAX_VALUES || repeated.size > MAX_REPEATED) return null;
    if (Array.isArray(value)) for (const each of value) open.push([each, false]);
    for (const key of keys) {
      if (areNames && isRepeated(key)) repeated.add(key);
      if (!areNames && (key === 'type' || key === 'role')) continue;
      open.push([(value as Fields)[key], !areNames && NAMED.includes(key)]);
    }
  }
  return [...repeated];
}

const fieldsOf = (message: unknown): string[] => (isFields(message) ? Object.keys(message) : []);

/**
 * What a server says of a request, without what it repeats of it. Names that fields of messages have too stay.
 * @returns null where it may be the request that speaks
 */
export function inOwnWords({ param = '', message = '' }: Refusal, body: Body): Refusal | null {
  const isRepeated = (text: string): boolean => text.length > 1 && (message.includes(text) || param.includes(text));
  const repeated = repeatedTexts(body, isRepeated);
  if (repeated === null) return null;
  const kept = new Set(Array.isArray(body['messages']) ? (body['messages'] as Fields[]).flatMap(fieldsOf) : []);
  const without = (said: string, text: string): string =>
    said.replaceAll(new RegExp(`(?<!\\w)${text.replaceAll(/\W/g, '\\$&')}(?!\\w)`, 'g'), '');
  const longestFirst = repeated.filter((text) => !kept.has(text)).sort((one, other) => other.length - one.length);
  return { param: longestFirst.reduce(without, param), message: longestFirst.reduce(without, message) };
}

/**
 * Whether a server itself asks for a change, for requests with other texts too. One that names a place within the tools or
 * messages says nothing of other fields.
 * @param own the refusal in the server's own words
 */
export function isOfServer(
  adaptation: Adaptation,
  refusal: Refusal,
  own: Refusal | null,
  body: Body,
  changes: ReadonlySet<string>,
): boolean {
  const place = WITHIN.exec(refusal.param ?? '')?.[1];
  if (place !== undefined && adaptation.apply(body, changes)[place] === body[place]) return false;
  return own !== null && adaptation.isNamed(own, body, changes);
}
