import type { AuditValues } from '@tanya/contract';

const MASK = '••••••••';

/** Names of fields that hold a secret, in plain text, hashed or sealed. */
const SECRET = /password|secret|token$|header|hash$|sealed$|apikey/i;

/** Credentials within an address. */
const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** Maximum length of one value as JSON; longer ones are cut. */
const MAX_LENGTH = 2_000;

/**
 * Returns the values that a change made different, masked and cut; null when it changed nothing.
 * @param before null for a new target; then `after` is recorded whole
 * @param after null for a deleted target; then `before` is recorded whole
 */
export function auditValues(
  before: object | null,
  after: object | null,
): { before: AuditValues | null; after: AuditValues | null } | null {
  const [old, now] = [plain(before ?? {}), plain(after ?? {})];
  const isWhole = before === null || after === null;
  const names = Object.keys({ ...old, ...now }).filter(
    (name) => isWhole || JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  if (names.length === 0 && !isWhole) return null;
  const shown = (values: AuditValues) =>
    Object.fromEntries(names.map((name) => [labelOf(name), shownValue(name, values[name] ?? null)]));
  return { before: before === null ? null : shown(old), after: after === null ? null : shown(now) };
}

/** Dates become text, as in the stored JSON. */
const plain = (values: object): AuditValues => JSON.parse(JSON.stringify(values)) as AuditValues;

/** A sealed or hashed field is named after its secret. */
const labelOf = (name: string): string => name.replace(/(Sealed|Hash)$/, '');

function shownValue(name: string, value: unknown): unknown {
  if (value === null || value === '') return value;
  if (SECRET.test(name)) return MASK;
  const masked: unknown = JSON.parse(
    JSON.stringify(value, (key: string, inner: unknown) => {
      if (SECRET.test(key) && inner !== null && inner !== '') return MASK;
      return typeof inner === 'string' ? inner.replaceAll(CREDENTIALS, `//${MASK}@`) : inner;
    }),
  );
  const text = typeof masked === 'string' ? masked : JSON.stringify(masked);
  return text.length <= MAX_LENGTH ? masked : `${text.slice(0, MAX_LENGTH).toWellFormed()}…`;
}
