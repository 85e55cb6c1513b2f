import { API_LIMITS, ERRORS } from '@tanya/contract';
import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { ReadsJson } from '../identity/reads-json.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { knownFields, type NestedList, nestedListsOf, withinSizes } from '../platform/http/input-sizes.js';
import { type Fields, isFields } from '../platform/json/fields.js';
import { PROGRAM_JSON } from '../platform/json/json-scan.js';
import { repairTexts } from '../platform/json/storable-json.js';
import { Slices } from '../platform/system/slices.js';
import { type JsonFields, takeJson } from './json-fields.js';

/**
 * Reads the JSON that programs send: pictures as data URLs, and long histories. Text that cannot be stored is repaired, since
 * programs pass on what they read from files.
 * @param bytes of the largest body
 */
export const ReadsProgramJson = (bytes: number = API_LIMITS.jsonBytes): MethodDecorator =>
  ReadsJson({ bytes, ...PROGRAM_JSON }, repairTexts);

type Class<T extends object> = new () => T;

function firstError(errors: ValidationError[]): AppError {
  let [first] = errors;
  const path: string[] = [];
  for (; first !== undefined; first = first.children?.[0]) {
    path.push(first.property);
    if (first.constraints !== undefined) break;
  }
  return invalidField(path.join('.'), Object.values(first?.constraints ?? {})[0] ?? ERRORS.invalid.sentence);
}

/** Ignores unknown fields, which OpenAI's clients send. Other routes refuse them. */
const pipe = new ValidationPipe({
  whitelist: true,
  transform: true,
  stopAtFirstError: true,
  exceptionFactory: firstError,
});

/**
 * @param json fields with JSON of any form, which the request gets unchanged
 * @throws AppError `invalid` naming the first wrong field
 */
export async function validBody<T extends object>(body: unknown, type: Class<T>, json: JsonFields = {}): Promise<T> {
  const slices = new Slices();
  const putJson = takeJson(body, json, slices);
  const request = await transformed(isFields(body) ? knownFields(body, type) : {}, type, slices);
  await putJson(request);
  return request;
}

/** Validates the entries of long lists one by one, in slices. */
async function transformed<T extends object>(body: Fields, type: Class<T>, slices: Slices): Promise<T> {
  const lists = nestedListsOf(body, type);
  for (const list of lists) requireObjects(list);
  const beginnings = Object.fromEntries(lists.map(({ field, entries }) => [field, entries.slice(0, 1)]));
  const request = await transform({ ...body, ...beginnings }, type);
  for (const { field, entries, type: entryType } of lists) {
    const valid = (request as Fields)[field] as object[];
    for (const [index, entry] of entries.entries()) {
      if (index === 0) continue;
      await slices.pause();
      valid.push(await transform(entry, entryType, `${field}.${index}.`));
    }
  }
  return request;
}

/** Refuses a list as its rules would, without transforming its entries before. */
function requireObjects({ field, entries, most }: NestedList): void {
  if (entries.length > most) throw invalidField(field, `${field} must contain no more than ${most} elements`);
  if (!entries.every(isFields)) throw invalidField(field, `each value in ${field} must be an object`);
}

async function transform<T extends object>(value: unknown, type: Class<T>, prefix = ''): Promise<T> {
  try {
    const input = withinSizes(value, type, false, prefix);
    return (await pipe.transform(input, { type: 'body', metatype: type })) as T;
  } catch (error) {
    if (!(error instanceof AppError) || prefix === '') throw error;
    const { field, message } = error.details![0]!;
    throw field.startsWith(prefix) ? error : invalidField(prefix + field, message);
  }
}
