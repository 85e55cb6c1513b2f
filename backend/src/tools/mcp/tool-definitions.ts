import { createHash } from 'node:crypto';
import { TOOL_SERVER_LIMITS, type ToolDefinition } from '@tanya/contract';

/** Bounds of what the model and the reader get, in characters. Providers refuse longer descriptions. */
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 1_024;
/** Of one schema as JSON, in characters, and its nesting. */
const MAX_SCHEMA = 32 * 1024;
const MAX_DEPTH = 24;

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  annotations?: { title?: string };
  inputSchema: Record<string, unknown>;
}

export interface NamedDefinition {
  name: string;
  definition: ToolDefinition;
  hash: string;
}

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

/** SHA-256 of a definition; the order of its keys makes no difference. */
export const hashOf = (definition: ToolDefinition): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(definition)))
    .digest('hex');

function definitionOf({ name, title, description, annotations, inputSchema }: ListedTool): NamedDefinition | null {
  if (name.trim() === '' || name.length > TOOL_SERVER_LIMITS.toolName.max || name !== storable(name)) return null;
  if (isTooDeep(inputSchema)) return null;
  const schema = canonical(inputSchema) as Record<string, unknown>;
  if (JSON.stringify(schema).length > MAX_SCHEMA) return null;
  const definition = {
    title: cut(title ?? annotations?.title ?? name, MAX_TITLE) || cut(name, MAX_TITLE),
    description: cut(description ?? '', MAX_DESCRIPTION),
    schema,
  };
  return { name, definition, hash: hashOf(definition) };
}

/**
 * The usable definitions of a list, each name once: of two tools with one name, the first counts.
 * @returns also the number of tools that were left out
 */
export function usableTools(listed: readonly ListedTool[]): { tools: NamedDefinition[]; leftOut: number } {
  const byName = new Map<string, NamedDefinition>();
  for (const tool of listed) {
    if (byName.size >= TOOL_SERVER_LIMITS.tools) break;
    const usable = definitionOf(tool);
    if (usable !== null && !byName.has(usable.name)) byName.set(usable.name, usable);
  }
  return { tools: [...byName.values()], leftOut: listed.length - byName.size };
}
