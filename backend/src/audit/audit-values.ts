import type { AuditValues } from '@tanya/contract';
import { isFields } from '../platform/json/fields.js';

const MASK = '••••••••';

/** Names of fields that hold a secret, in plain text, hashed or sealed. */
const SECRET = /password|secret|token$|header|hash$|sealed$|apikey/i;

/** Credentials within an address. */
const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** Maximum length of one value as JSON; longer ones are cut. */
const MAX_LENGTH = 2_000;

/**
 * Returns the values that a change made different, masked and cut; null when it changed nothing. Of objects and lists
 * it returns the fields and entries that differ.
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
  const shown = (values: AuditValues, others: AuditValues) =>
    Object.fromEntries(
      names.map((name) => {
        const value = isWhole ? values[name] : partsOnlyIn(values[name], others[name]);
        return [labelOf(name), shownValue(name, value ?? null)];
      }),
    );
  return { before: before === null ? null : shown(old, now), after: after === null ? null : shown(now, old) };
}

/** The fields of an object and the entries of a list that the other value lacks. Other values are whole. */
function partsOnlyIn(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other)) {
    const [own, others] = [setOf(value), setOf(other)];
    const isSameSet = own.size === others.size && [...own].every((entry) => others.has(entry));
    // Then only the order or the number of equal entries differs.
    return isSameSet ? value : value.filter((entry) => !others.has(JSON.stringify(entry)));
  }
  if (!isFields(value) || !isFields(other)) return value;
  const differing = Object.keys(value).filter((name) => JSON.stringify(value[name]) !== JSON.stringify(other[name]));
  return Object.fromEntries(differing.map((name) => [name, partsOnlyIn(value[name], other[name])]));
}

const setOf = (list: unknown[]): Set<string> => new Set(list.map((entry) => JSON.stringify(entry)));

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
