import { API_LIMITS } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { isFields } from '../../platform/json/fields.js';
import { type JsonBounds, PROGRAM_JSON } from '../../platform/json/json-scan.js';
import { parseText } from '../../platform/json/json-text.js';
import type { Slices } from '../../platform/system/slices.js';
import { requireWithin } from '../json-fields.js';

/** Bounds of what the history of a request has as JSON of any form, beside schemas. */
export const HISTORY_JSON: JsonBounds = { ...PROGRAM_JSON, depth: 32 };

/**
 * The arguments of a call in a history as the JSON of an object, without which providers refuse the request. Clients also send
 * nothing for a function without parameters, null, or the object itself. The JSON of an object stays as it is; what a model
 * wrote wrongly goes back to it in an object, so that the conversation goes on.
 * @param most characters of a text
 * @throws AppError `invalid` naming the field
 */
export async function callArguments(
  given: unknown,
  param: string,
  slices: Slices,
  most: number = API_LIMITS.toolArguments,
): Promise<string> {
  if (given === null || given === undefined) return '{}';
  if (isFields(given)) return writtenArguments(given, param, slices);
  if (typeof given !== 'string' || given.length > most)
    throw invalidField(param, `arguments must be a text of up to ${API_LIMITS.toolArguments} characters`);
  const text = given.toWellFormed();
  const parsed = text.trim() === '' ? null : await parseText(text, HISTORY_JSON).catch(() => undefined);
  if (parsed === null) return '{}';
  return isFields(parsed) ? text : JSON.stringify(invalidArguments(text));
}

/** Invalid arguments as an object. It has a name that no schema has, so that a tool refuses them. */
export const invalidArguments = (text: string): object => ({ invalid_json: text });

/** The JSON of an object. @throws AppError `invalid` naming the field */
export async function writtenArguments(value: object, param: string, slices: Slices): Promise<string> {
  const bounds = { characters: API_LIMITS.toolArguments, depth: HISTORY_JSON.depth };
  let json = '';
  await requireWithin(value, bounds, param, slices, (piece) => (json += piece));
  return json;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isAny = (value: unknown): boolean => value !== undefined;

/** Kinds of parts of all APIs, with what tells a part from a value such as `{ type: 'file', name: 'a.txt' }`. */
const PARTS: Readonly<Record<string, [field: string, isOfPart: (value: unknown) => boolean]>> = {
  text: ['text', isText],
  input_text: ['text', isText],
  output_text: ['text', isText],
  refusal: ['refusal', isText],
  image_url: ['image_url', isAny],
  input_image: ['image_url', isAny],
  image: ['source', isFields],
  input_audio: ['input_audio', isFields],
  file: ['file', isFields],
  input_file: ['file_data', isText],
  document: ['source', isFields],
  search_result: ['content', Array.isArray],
  tool_reference: ['tool_name', isText],
};

function isPart(value: unknown): boolean {
  if (!isFields(value) || typeof value['type'] !== 'string' || !Object.hasOwn(PARTS, value['type'])) return false;
  const [field, isOfPart] = PARTS[value['type']]!;
  return isOfPart(value[field]);
}

/**
 * The result of a call as a text, or as a list of parts. Programs also send one part without a list, or the value that their
 * function has returned: then it is the JSON of that.
 * @throws AppError `invalid` naming the field
 */
export async function resultContent(given: unknown, param: string, slices: Slices): Promise<unknown> {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (isPart(given)) return [given];
  const isValue = isFields(given) || (Array.isArray(given) && !given.every(isPart));
  return isValue ? writtenArguments(given, param, slices) : given;
}
