import { Type } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { invalidField } from '../errors/app-error.js';

type Class = abstract new () => object;
export type Fields = Record<string, unknown>;

/** Unknown fields of an object that are kept to be refused by name. */
const UNKNOWN_FIELDS = 20;

/** Values within a field that no rule bounds, such as the headers of a tool server. */
const FREE_VALUES = 2_000;

/** Classes of nested objects, by the class and the name of their field. */
const nested = new Map<object, Map<string, () => Class>>();

/** A field that holds an object of a class, or a list of them. */
export const Nested =
  (type: () => Class): PropertyDecorator =>
  (target, key) => {
    Type(type)(target, key);
    const fields = nested.get(target) ?? new Map<string, () => Class>();
    nested.set(target, fields.set(String(key), type));
  };

interface FieldSize {
  /** The most entries of a list; null for a field without such a rule. */
  most: number | null;
  type: Class | null;
}

const sizesOfClass = new Map<Class, Map<string, FieldSize>>();

function typeOf(type: Class, field: string): Class | null {
  for (
    let target = type.prototype as object | null;
    target !== null;
    target = Object.getPrototypeOf(target) as object
  ) {
    const found = nested.get(target)?.get(field);
    if (found !== undefined) return found();
  }
  return null;
}

/** The fields of a class that have rules. */
function sizesOf(type: Class): Map<string, FieldSize> {
  const known = sizesOfClass.get(type);
  if (known !== undefined) return known;
  const sizes = new Map<string, FieldSize>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const field = sizes.get(rule.propertyName) ?? { most: null, type: typeOf(type, rule.propertyName) };
    if (rule.name === 'arrayMaxSize') field.most = (rule.constraints as [number])[0];
    sizes.set(rule.propertyName, field);
  }
  sizesOfClass.set(type, sizes);
  return sizes;
}

/** Whether a value has at most `most` values in it. Stops counting at the bound. */
function hasAtMost(value: unknown, most: number): boolean {
  let left = most;
  const isWithin = (inner: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof inner !== 'object' || inner === null) return true;
    return Object.values(inner).every(isWithin);
  };
  return isWithin(value);
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Bounds the work that transformation and validation do for an input: class-transformer copies every value before
 * class-validator looks at the first one. Of a list one entry more than its rule allows is kept, and of unknown fields the
 * first ones, so that the rules refuse the input as they would refuse the whole.
 * @param keepsUnknown whether the rules refuse unknown fields; else they are left out
 * @throws AppError `invalid` for a field with too many values
 */
export function withinSizes(value: unknown, type: Class, keepsUnknown: boolean, path = ''): unknown {
  if (!isFields(value)) return value;
  const kept = knownFields(value, type);
  for (const [name, size] of sizesOf(type)) {
    if (Object.hasOwn(kept, name)) kept[name] = fieldWithin(kept[name], size, keepsUnknown, `${path}${name}`);
  }
  return keepsUnknown ? { ...unknownFields(value, type), ...kept } : kept;
}

/** The fields of an object that have rules, however many others it has. */
export function knownFields(value: Fields, type: Class): Fields {
  const known: Fields = {};
  for (const name of sizesOf(type).keys()) if (Object.hasOwn(value, name)) known[name] = value[name];
  return known;
}

/** The first unknown fields without their values. */
function unknownFields(value: Fields, type: Class): Fields {
  const sizes = sizesOf(type);
  const names: string[] = [];
  // A copy of all names would cost as much as the fields that are left out.
  for (const name in value) {
    if (names.length === UNKNOWN_FIELDS) break;
    if (!sizes.has(name)) names.push(name);
  }
  return Object.fromEntries(names.map((name) => [name, null]));
}

function fieldWithin(value: unknown, { most, type }: FieldSize, keepsUnknown: boolean, path: string): unknown {
  // A list in place of an object is refused whatever it holds.
  const entries = Array.isArray(value) && (most !== null || type !== null) ? value.slice(0, (most ?? 0) + 1) : value;
  if (type !== null && Array.isArray(entries))
    return entries.map((entry, index) => withinSizes(entry, type, keepsUnknown, `${path}.${index}.`));
  if (type !== null) return withinSizes(entries, type, keepsUnknown, `${path}.`);
  if (Array.isArray(entries) && most !== null && entries.every((entry) => typeof entry !== 'object')) return entries;
  if (hasAtMost(entries, FREE_VALUES)) return entries;
  throw invalidField(path, `${path} has too many values. Please send fewer.`, 'tooManyValues');
}

/** A list of objects in an input, none of which has been looked at. */
export interface NestedList {
  field: string;
  entries: unknown[];
  type: new () => object;
}

/** The lists of objects of an input that have no more entries than their rules allow. The rules refuse the others whole. */
export function nestedListsOf(input: Fields, type: Class): NestedList[] {
  return [...sizesOf(type)].flatMap(([field, { most, type: entryType }]) => {
    const entries = input[field];
    const isList = Array.isArray(entries) && entryType !== null && most !== null && entries.length <= most;
    return isList && entries.every(isFields) ? [{ field, entries, type: entryType as new () => object }] : [];
  });
}
