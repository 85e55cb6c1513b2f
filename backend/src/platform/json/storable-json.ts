const NUL = String.fromCharCode(0);

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

/** The first `length` UTF-16 units of a text, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? length - 1 : length);
}
