import { Type } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { invalidField } from '../errors/app-error.js';
import { type Fields, isFields } from '../json/fields.js';

export type Class = abstract new () => object;

/** Unknown fields of an object that are kept to be refused by name. */
const UNKNOWN_FIELDS = 20;

/** Values of an input within fields that no rule bounds, such as the headers of a tool server. */
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

/** Values that an input may still have where no rule bounds them. */
interface Budget {
  left: number;
}

/** Takes the values of a value from the budget. @returns false, at the bound, when they do not fit */
function takes(budget: Budget, value: unknown): boolean {
  budget.left -= 1;
  if (budget.left < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((inner) => takes(budget, inner));
}

/**
 * Bounds the work that transformation and validation do for an input: class-transformer copies every value before
 * class-validator looks at the first one. A list keeps one entry more than its rule allows, and only the first unknown
 * fields are kept: enough for the rules to refuse the input as they would refuse the whole.
 * @param keepsUnknown whether the rules refuse unknown fields; else they are left out
 * @throws AppError `invalid` for a field with too many values
 */
export function withinSizes(
  value: unknown,
  type: Class,
  keepsUnknown: boolean,
  path = '',
  budget: Budget = { left: FREE_VALUES },
): unknown {
  if (!isFields(value)) return value;
  const kept = knownFields(value, type);
  for (const [name, size] of sizesOf(type)) {
    if (Object.hasOwn(kept, name))
      kept[name] = fieldWithin(kept[name], size, { keepsUnknown, path: `${path}${name}`, budget });
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

interface FieldContext {
  keepsUnknown: boolean;
  path: string;
  budget: Budget;
}

function fieldWithin(value: unknown, { most, type }: FieldSize, { keepsUnknown, path, budget }: FieldContext): unknown {
  // A list in place of an object is refused whatever it holds.
  const entries = Array.isArray(value) && (most !== null || type !== null) ? value.slice(0, (most ?? 0) + 1) : value;
  if (type !== null && Array.isArray(entries))
    return entries.map((entry, index) => withinSizes(entry, type, keepsUnknown, `${path}.${index}.`, budget));
  if (type !== null) return withinSizes(entries, type, keepsUnknown, `${path}.`, budget);
  if (Array.isArray(entries) && most !== null && entries.every((entry) => typeof entry !== 'object')) return entries;
  if (typeof entries !== 'object' || takes(budget, entries)) return entries;
  throw invalidField(path, `${path} has too many values. Please send fewer.`, 'tooManyValues');
}

/** A list of objects in an input, none of which has been looked at. */
export interface NestedList {
  field: string;
  entries: unknown[];
  /** The most entries that its rules allow. */
  most: number;
  type: new () => object;
}

/** The lists of an input whose entries are objects of a class. */
export function nestedListsOf(input: Fields, type: Class): NestedList[] {
  return [...sizesOf(type)].flatMap(([field, { most, type: entryType }]) => {
    const entries = input[field];
    if (!Array.isArray(entries) || entryType === null || most === null) return [];
    return [{ field, entries, most, type: entryType as new () => object }];
  });
}
