import { API_LIMITS } from '@tanya/contract';
import { type AppError, invalidField } from '../platform/errors/app-error.js';
import type { Fields } from '../platform/json/fields.js';
import { JsonScan, JsonTooLarge } from '../platform/json/json-scan.js';
import { jsonPieces } from '../platform/json/json-writer.js';
import { inSlices, type Slices } from '../platform/system/slices.js';

/** Most characters and levels of some JSON. */
interface JsonBounds {
  characters: number;
  depth: number;
}

/** The bounds of fields with JSON of any form, by their paths. `*` is any index of a list. Null: their users bound them. */
export type JsonFields = Record<string, JsonBounds | null>;

/** A field with JSON and the path of its object. */
interface Taken {
  path: string[];
  field: string;
  json: object;
  bounds: JsonBounds | null;
}

/**
 * Takes fields with JSON out of a body: validation would remove properties of the names `constructor` and `prototype`,
 * which a JSON Schema may have. Other values than objects and lists stay, and validation refuses them.
 * @returns puts the fields into the validated request, unchanged @throws AppError `invalid` for one beyond its bounds
 */
export function takeJson(body: unknown, fields: JsonFields, slices: Slices): (request: object) => Promise<void> {
  const taken = Object.entries(fields).flatMap(([path, bounds]) => take(body, path.split('.'), bounds));
  return async (request) => {
    for (const { path, field, json, bounds } of taken) {
      if (bounds !== null) await requireWithin(json, bounds, [...path, field].join('.'), slices);
      const parent = path.reduce<unknown>((value, key) => (value as Fields)[key], request);
      (parent as Fields)[field] = json;
    }
  };
}

function take(body: unknown, keys: string[], bounds: JsonBounds | null): Taken[] {
  const field = keys.at(-1)!;
  return objectsAt(body, keys.slice(0, -1)).flatMap(({ path, value }) => {
    const json = value[field];
    if (typeof json !== 'object' || json === null) return [];
    // An empty object or list stays in its place, where the field is required to be one.
    value[field] = Array.isArray(json) ? [] : {};
    return [{ path, field, json, bounds }];
  });
}

/** Entries of a list that are looked at: no list of objects may have more. */
const MOST_ENTRIES = API_LIMITS.messages + 1;

function objectsAt(value: unknown, [key, ...rest]: string[], path: string[] = []): { path: string[]; value: Fields }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (key === undefined) return [{ path, value: value as Fields }];
  const keys = key !== '*' ? [key] : Array.isArray(value) ? [...value.slice(0, MOST_ENTRIES).keys()].map(String) : [];
  return keys.flatMap((each) => objectsAt((value as Fields)[each], rest, [...path, each]));
}

/** @param onPiece gets the JSON @throws AppError `invalid` naming the path */
export async function requireWithin(
  json: object,
  { characters, depth }: JsonBounds,
  path: string,
  slices: Slices,
  onPiece: (text: string) => void = () => undefined,
): Promise<void> {
  const scan = new JsonScan({ values: Infinity, depth });
  let left = characters;
  try {
    for await (const text of inSlices(jsonPieces(json), slices)) {
      left -= text.length;
      if (left < 0) throw new JsonTooLarge(characters, 'characters');
      scan.write(text);
      onPiece(text);
    }
  } catch (error) {
    if (!(error instanceof JsonTooLarge)) throw error;
    const name = path.slice(path.lastIndexOf('.') + 1);
    throw invalidField(path, `${name} must have at most ${characters} characters of JSON in ${depth} levels`);
  }
}

/** A text of a field with JSON. @throws AppError `invalid` naming it */
export function textIn(fields: Fields, name: string, most: number, param: string, least = 1): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length >= least && value.length <= most) return value;
  throw invalidField(`${param}.${name}`, `${name} must be a text of ${least} to ${most} characters`);
}

/**
 * Refuses fields that would change the answer and have no effect here.
 * @param unsupported for each of them, which of its values ask for the default
 * @throws AppError `invalid` naming the field
 */
export function refuseFields(body: Fields, unsupported: Record<string, (value: unknown) => boolean>): void {
  for (const [field, isDefault] of Object.entries(unsupported)) {
    const value = body[field];
    if (value !== undefined && value !== null && !isDefault(value)) throw unsupportedField(field);
  }
}

/** The call to which a conversation of each name belongs. */
const CALLS = { messages: 'POST /chat/completions', input: 'POST /responses' } as const;

/** Refuses a request that was meant for another call, by the name of its conversation. @throws AppError `invalid` */
export function requireConversation(body: Fields, own: keyof typeof CALLS): void {
  if (body[own] !== undefined) return;
  const other = own === 'messages' ? 'input' : 'messages';
  if (body[other] !== undefined)
    throw invalidField(own, `${own} is missing. A request with ${other} belongs to ${CALLS[other]}.`);
  if (body['prompt'] !== undefined)
    throw invalidField(own, `${own} is missing. prompt is not supported. Please send it in ${own}.`);
}

export const unsupportedField = (field: string): AppError =>
  invalidField(field, `${field} is not supported. Please remove it.`);

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
