import { createHash } from 'node:crypto';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { Slices } from '../../platform/system/slices.js';
import { type LeftOutTool, TOOL_SERVER_LIMITS, type ToolDefinition } from '@tanya/contract';

/** Bounds of what the model and the reader get, in characters. Providers refuse longer descriptions. */
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 1_024;
/** Of one schema as JSON, in characters, and its nesting. */
export const MAX_SCHEMA = 32 * 1024;
const MAX_DEPTH = 24;

export interface NamedDefinition {
  name: string;
  definition: ToolDefinition;
  hash: string;
}

export interface ToolList {
  tools: NamedDefinition[];
  leftOut: LeftOutTool[];
}

/** The fields of an object; none of anything else. */
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Text that Postgres can store. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const cut = (text: string, max: number): string => storable(text).trim().slice(0, max).toWellFormed();

/** A copy with sorted keys and storable text; null for a value that is nested too deeply. */
function canonical(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [storable(key), canonical(field, depth + 1)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((field) => isTooDeep(field, depth + 1));
}

/** SHA-256 of a definition; the order of its keys, of required fields and of types makes no difference. */
export const hashOf = (definition: ToolDefinition): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(definition), sorted))
    .digest('hex');

/** Servers list them in the order of a set, which is another one after each start. */
const sorted = (key: string, value: unknown): unknown =>
  Array.isArray(value) && (key === 'required' || key === 'type') ? value.toSorted() : value;

/** The definition of one entry of a list, or the reason why it cannot be used. */
function definitionOf(listed: unknown): NamedDefinition | LeftOutTool {
  const { name, title, description, annotations, execution, ...rest } = fieldsOf(listed);
  // As Anthropic's API and that of OpenAI call it.
  const inputSchema = rest['inputSchema'] ?? rest['input_schema'] ?? rest['parameters'];
  if (typeof name !== 'string' || name.trim() === '') return { name: null, reason: 'no_name' };
  const leftOut = (reason: LeftOutTool['reason']): LeftOutTool => ({ name: cut(name, MAX_TITLE), reason });
  if (name.length > TOOL_SERVER_LIMITS.toolName.max || name !== storable(name)) return leftOut('unusable_name');
  // Such a server refuses every call that asks for the result itself.
  if (fieldsOf(execution)['taskSupport'] === 'required') return leftOut('task_only');
  if (isTooDeep(inputSchema)) return leftOut('too_deep');
  const schema = canonical(fieldsOf(inputSchema)) as Record<string, unknown>;
  if (JSON.stringify(schema).length > MAX_SCHEMA) return leftOut('too_large');
  const shown = textOf(title) ?? textOf(fieldsOf(annotations)['title']) ?? name;
  const definition = {
    title: cut(shown, MAX_TITLE) || cut(name, MAX_TITLE),
    description: cut(textOf(description) ?? '', MAX_DESCRIPTION),
    schema,
  };
  return { name, definition, hash: hashOf(definition) };
}

/**
 * The usable definitions of a list, each name once: of two tools with one name, the first counts. Each entry is judged
 * alone: servers list tools with wrong types, null fields and missing schemas.
 */
export async function usableTools(listed: readonly unknown[]): Promise<ToolList> {
  const slices = new Slices();
  const byName = new Map<string, NamedDefinition>();
  const leftOut: LeftOutTool[] = [];
  for (const entry of listed) {
    await slices.pause();
    const judged = definitionOf(entry);
    if ('reason' in judged) leftOut.push(judged);
    else if (byName.has(judged.name)) leftOut.push({ name: judged.name, reason: 'duplicate' });
    else if (byName.size >= TOOL_SERVER_LIMITS.tools) leftOut.push({ name: judged.name, reason: 'too_many' });
    else byName.set(judged.name, judged);
  }
  return { tools: [...byName.values()], leftOut };
}
