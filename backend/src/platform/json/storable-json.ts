import { Slices, textPieces } from '../system/slices.js';

const NUL = String.fromCharCode(0);
const REPLACEMENT = '\ufffd';

/** Values that are looked at without a look at the clock. */
const SLICE_VALUES = 1_000;

/** Characters of a text that is one of them. */
const SHORT_TEXT = 4_096;

/** Removes NUL and replaces lone surrogates, which Postgres refuses. Most texts are returned unchanged. */
export function toStorableText(text: string): string {
  const withoutNul = text.includes(NUL) ? text.replaceAll(NUL, '') : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** A JSON value without NUL and lone surrogates, which `jsonb` refuses; undefined when it has more levels than `most`. */
export function storableJson(value: unknown, most: number): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (most === 0) return undefined;
  const entries = Object.entries(value).map(([key, inner]) => [toStorableText(key), storableJson(inner, most - 1)]);
  if (entries.some(([, inner]) => inner === undefined)) return undefined;
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Whether Postgres can store a text: it has no NUL and no lone surrogate. */
const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes(NUL);

/** The same for a text of any length: 30 million characters that are not Latin take 60 ms. */
export function isStorable(text: string, slices: Slices): boolean | Promise<boolean> {
  return text.length > SHORT_TEXT ? isLongStorable(text, slices) : isStorableText(text);
}

async function isLongStorable(text: string, slices: Slices): Promise<boolean> {
  for (const piece of textPieces(text)) {
    if (!isStorableText(piece)) return false;
    await slices.pause();
  }
  return true;
}

/** Replaces NUL and lone surrogates by U+FFFD in all texts and names of fields of some JSON, in place. */
export async function repairTexts(json: object): Promise<void> {
  const slices = new Slices();
  const open = [json as Record<string, unknown>];
  let seen = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const key of Array.isArray(one) ? one.keys() : Object.keys(one)) {
      const value = one[key];
      if (typeof value === 'object' && value !== null) open.push(value as Record<string, unknown>);
      else if (typeof value === 'string') {
        const storable = isStorable(value, slices);
        if (storable !== true && !(await storable)) one[key] = await repairedText(value, slices);
      }
      // The scan of a body bounds its names.
      if (typeof key === 'string' && !isStorableText(key)) {
        one[await repairedText(key, slices)] = one[key];
        delete one[key];
      }
      seen += 1;
      if (seen % SLICE_VALUES === 0) await slices.pause();
    }
  }
}

async function repairedText(text: string, slices: Slices): Promise<string> {
  const repaired: string[] = [];
  for (const piece of textPieces(text)) {
    repaired.push(piece.replaceAll(NUL, REPLACEMENT).toWellFormed());
    await slices.pause();
  }
  return repaired.join('');
}

/** The first `length` UTF-16 units of a text, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? length - 1 : length);
}
