import { isDeepStrictEqual } from 'node:util';
import { cutText } from '../cut-text.js';
import type { ToolResult } from '../tool.js';

/** A result as a server sends it. Nothing of it is checked before: each block is judged alone. */
export interface ServerResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A picture within a text, of which only the beginning would fit. */
const DATA_URL = /data:[\w.+-]{1,60}\/[\w.+-]{1,60};base64,[\w+/=-]{200,}/g;

/** The text of one block; pictures and sound are named, not shown: they come from another server. */
function textOf(block: unknown): string {
  const { type, text, mimeType, resource, title, name, uri } = isObject(block) ? block : {};
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : unknown(type);
    case 'image':
    case 'audio':
      return `[${type}${typeof mimeType === 'string' ? `, ${mimeType}` : ''}: not shown]`;
    case 'resource':
      return resourceText(resource);
    case 'resource_link':
      return `${[title, name].find((each) => typeof each === 'string') ?? 'file'}: ${String(uri)}`;
    default:
      return unknown(type);
  }
}

const unknown = (type: unknown): string => `[${typeof type === 'string' ? type : 'unknown content'}: not shown]`;

function resourceText(resource: unknown): string {
  const { text, uri } = isObject(resource) ? resource : {};
  return typeof text === 'string' ? text : `[file${typeof uri === 'string' ? `, ${uri}` : ''}: not shown]`;
}

/**
 * Converts the result of an MCP tool. Structured content stands below the text, unless the text is its JSON already, as
 * servers repeat it for clients that read text alone.
 */
export function callResult({ content, structuredContent, isError }: ServerResult): ToolResult {
  const blocks = (Array.isArray(content) ? content : []).map(textOf);
  const isMissing = structuredContent !== undefined && structuredContent !== null && !isSaid(structuredContent, blocks);
  const parts = isMissing ? [...blocks, JSON.stringify(structuredContent)] : blocks;
  const text = parts.join('\n\n').trim().replaceAll(DATA_URL, '[data of a file: not shown]');
  return { text: cutText(text || 'The tool gave no result.'), ...(isError === true && { isError: true }) };
}

/** Whether the texts hold the value: as JSON of it, as the value itself, or as one text for each entry of its list. */
function isSaid(value: unknown, texts: readonly string[]): boolean {
  const said = texts.map(jsonIn);
  // Servers wrap what is no object as `{ result }`.
  const values =
    isObject(value) && Object.keys(value).length === 1 && 'result' in value ? [value, value['result']] : [value];
  return values.some((each) => [...said, said].some((text) => isDeepStrictEqual(text, each)));
}

/** The value of a text that is JSON, alone, in a code block or after other words; else the text. */
function jsonIn(text: string): unknown {
  const start = text.search(/[[{]/);
  for (const candidate of [text, text.slice(start, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1)]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // Most texts are no JSON.
    }
  }
  return text.trim();
}
