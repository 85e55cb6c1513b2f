import { isFields } from '../../platform/json/fields.js';
/** Nesting of the arguments. */
const MAX_DEPTH = 8;

interface Schema {
  type?: unknown;
  enum?: unknown;
  const?: unknown;
  properties?: unknown;
  required?: unknown;
}

/**
 * Arguments that follow a JSON Schema as far as its simple keywords go: the required fields alone, texts hold the question.
 * The demo has no model that could choose better ones.
 */
export function demoArguments(schema: unknown, text: string): Record<string, unknown> {
  return objectOf(isSchema(schema) ? schema : {}, text, 0);
}

function valueOf(schema: unknown, text: string, depth: number): unknown {
  if (!isSchema(schema)) return text;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0] as unknown;
  switch (Array.isArray(schema.type) ? (schema.type[0] as unknown) : schema.type) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [];
    case 'object':
      return objectOf(schema, text, depth);
    default:
      return text;
  }
}

function objectOf({ properties, required }: Schema, text: string, depth: number): Record<string, unknown> {
  if (depth === MAX_DEPTH || !isFields(properties) || !Array.isArray(required)) return {};
  const names = required.filter((name): name is string => typeof name === 'string' && Object.hasOwn(properties, name));
  return Object.fromEntries(names.map((name) => [name, valueOf(properties[name], text, depth + 1)]));
}

const isSchema = (value: unknown): value is Schema => isFields(value);
