/*
 * Lenient access to the fields of exports, whose formats are not specified and change. A field of another type counts as
 * absent.
 */

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The title of a conversation in the field that its program has for it. */
export const titleIn = ({ title, name, chatTitle }: Fields): string =>
  textOf(title) || textOf(name) || textOf(chatTitle);

/** A text that is not empty. */
export const nameOf = (value: unknown): string | null => textOf(value) || null;

/** The last moment of a four-digit year, ms. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31);

/** Epoch ms from ISO 8601 text, or from a number of seconds, milliseconds or nanoseconds. */
export function timeOf(value: unknown): number | null {
  const time = typeof value === 'number' ? toMilliseconds(value) : Date.parse(textOf(value));
  return Number.isFinite(time) && time > 0 && time <= MAX_TIME_MS ? Math.round(time) : null;
}

function toMilliseconds(time: number): number {
  if (time > 1e16) return time / 1e6;
  return time > 1e11 ? time : time * 1000;
}
