import { type Fields, isFields } from '../../../platform/json/fields.js';
import type { Adaptation, Body, Refusal } from './adaptation.js';

/** Fields whose keys are the asker's own words. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'];

/** What lies within a field that is the asker's alone, as in `tools[0].function.parameters`. */
const WITHIN = /^(tools|messages|response_format)\W/;

/** The texts of a part of a request that a server may repeat. @param areNames whether the keys are texts of the asker */
function* ownTexts(value: unknown, areNames = false): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* ownTexts(each);
  else if (isFields(value))
    for (const [key, inner] of Object.entries(value)) {
      if (areNames) yield key;
      else if (key === 'type' || key === 'role') continue;
      yield* ownTexts(inner, !areNames && NAMED.includes(key));
    }
}

const fieldsOf = (message: unknown): string[] => (isFields(message) ? Object.keys(message) : []);

/**
 * What a server says of a request, without what it repeats of it: names of functions and of their parameters, texts. Names
 * that fields of messages have too stay.
 */
function inOwnWords({ param = '', message = '' }: Refusal, body: Body): Refusal {
  const kept = new Set(Array.isArray(body['messages']) ? (body['messages'] as Fields[]).flatMap(fieldsOf) : []);
  const texts = Object.values(body).filter((value) => typeof value === 'object');
  const repeated = new Set<string>();
  for (const text of ownTexts(texts))
    if (text.length > 1 && !kept.has(text) && (message.includes(text) || param.includes(text))) repeated.add(text);
  const without = (said: string, text: string): string =>
    said.replaceAll(new RegExp(`(?<!\\w)${text.replaceAll(/\W/g, '\\$&')}(?!\\w)`, 'g'), '');
  const longestFirst = [...repeated].sort((one, other) => other.length - one.length);
  return { param: longestFirst.reduce(without, param), message: longestFirst.reduce(without, message) };
}

/**
 * Whether a server itself asks for a change, for requests with other texts too. One that names a place within the tools or
 * messages says nothing of other fields.
 */
export function isOfServer(
  adaptation: Adaptation,
  refusal: Refusal,
  body: Body,
  changes: ReadonlySet<string>,
): boolean {
  const place = WITHIN.exec(refusal.param ?? '')?.[1];
  if (place !== undefined && adaptation.apply(body, changes)[place] === body[place]) return false;
  return adaptation.isNamed(inOwnWords(refusal, body), body, changes);
}
