import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { JsonSchema } from './tool.js';
import { isFields } from '../platform/json/fields.js';

/** Maximum length of a call's arguments as JSON. */
const MAX_ARGUMENTS = 32 * 1024;

export type ParsedArguments = { args: Record<string, unknown> } | { problem: string };

/** Text that Postgres can store. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

/** JSON of a value; null for values without one, and for those that are nested too deeply. */
function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

/**
 * Checks the arguments of a call, which a model wrote. Models send null for arguments that they leave out, so a null counts
 * as absent.
 * @returns a copy, or a problem to report to the model
 */
export function parseArguments(schema: JsonSchema, given: unknown): ParsedArguments {
  const json = toJson(given ?? {});
  if (json === null) return { problem: 'The arguments are not valid JSON.' };
  if (json.length > MAX_ARGUMENTS) return { problem: `The arguments have more than ${MAX_ARGUMENTS} characters.` };
  const copy: unknown = JSON.parse(json, (_, value: unknown) => storable(value));
  if (!isFields(copy)) return { problem: 'The arguments must be a JSON object.' };
  const args = Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== null));
  const { valid, errors } = new Validator(schema, '2020-12').validate(args);
  return valid ? { args } : { problem: problemOf(errors) };
}

/**
 * The innermost error names the field; the others repeat that its parents do not match. People read it too, in the details
 * of a failed call.
 */
function problemOf(errors: readonly OutputUnit[]): string {
  const { instanceLocation = '#', keyword = '', error = 'they do not match the schema.' } = errors.at(-1) ?? {};
  const field = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
  // A schema that allows no other fields.
  if (keyword === 'false') return `The arguments are not valid: there is no field ${field}.`.slice(0, 500);
  return `The arguments are not valid: ${field && `${field}: `}${error}`.slice(0, 500);
}
