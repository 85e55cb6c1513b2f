import { isDeepStrictEqual } from 'node:util';
import { cutText, MAX_RESULT_BYTES } from '../cut-text.js';
import type { ToolResult } from '../tool.js';
import { type Fields, isFields } from '../../platform/json/fields.js';

/** A result as a server sends it. Nothing of it is checked before: each block is judged alone. */
export interface ServerResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
  /** As servers in Python call it. */
  is_error?: unknown;
  resultType?: unknown;
  _meta?: unknown;
}

/** A picture within a text, of which only the beginning would fit. */
const DATA_URL = /data:[\w.+-]{1,60}\/[\w.+-]{1,60};base64,[\w+/=-]{200,}/g;

const BASE64 = /^[\w+/-]+={0,2}$/;

const FILE_NOTE = '[data of a file: not shown]';

/** Characters of a block of an unknown type that is shown as its JSON. A longer one is named: it may be a file. */
const SHOWN_BLOCK = 2_000;

/** Texts that are compared with the structured content, which else stands below them. */
const MOST_COMPARED = 1_000;

/** The text of one block; pictures and sound are named, not shown: they come from another server. */
function textOf(block: unknown): string {
  if (typeof block === 'string') return block;
  if (!isFields(block))
    return Array.isArray(block) ? textsOf(block).join('\n\n') : jsonOr(block, '[unknown content: not shown]');
  const { type, text, mimeType, resource } = block;
  switch (type) {
    case 'image':
    case 'audio':
      return `[${type}${typeof mimeType === 'string' ? `, ${mimeType}` : ''}: not shown]`;
    case 'resource':
      // Some servers have its fields beside its type.
      return resourceText(isFields(resource) ? resource : block);
    case 'resource_link':
      return linkText(block);
    default:
      return typeof text === 'string' ? text : otherText(block);
  }
}

function linkText({ title, name, uri, description }: Fields): string {
  const [label] = [title, name].filter((each) => typeof each === 'string');
  const parts = [label ?? 'file', ...(typeof uri === 'string' ? [uri] : [])];
  return [parts.join(': '), ...(typeof description === 'string' ? [description] : [])].join('\n');
}

/** A text that is none, or a block of a type of its own. */
function otherText(block: Fields): string {
  const { type, text } = block;
  const name = typeof type === 'string' ? type : 'unknown content';
  return jsonOr(type === 'text' ? text : block, `[${name}: not shown]`);
}

/** The JSON of a short value that is given. */
function jsonOr(value: unknown, otherwise: string): string {
  const json = value === undefined || value === null ? '' : JSON.stringify(value);
  return json === '' || json.length > SHOWN_BLOCK ? otherwise : json;
}

function resourceText(resource: unknown): string {
  const { text, uri, blob, mimeType } = isFields(resource) ? resource : {};
  const read = typeof text === 'string' ? text : textInBlob(blob, mimeType);
  return read ?? `[file${typeof uri === 'string' ? `, ${uri}` : ''}: not shown]`;
}

/** Types of files that are text, as some servers send all files in base64. */
const TEXT_TYPE = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|javascript|sql)\b)/i;
/** Characters of base64 that are read: a result has no room for more. */
const READ_BLOB = 2 * MAX_RESULT_BYTES;

function textInBlob(blob: unknown, type: unknown): string | null {
  if (typeof blob !== 'string' || typeof type !== 'string' || !TEXT_TYPE.test(type)) return null;
  const bytes = Buffer.from(blob.slice(0, READ_BLOB), 'base64');
  try {
    // A cut may stand within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: blob.length > READ_BLOB });
    return text.includes('\0') ? null : text;
  } catch {
    // Of another encoding than UTF-8.
    return null;
  }
}

/** The texts of blocks, up to one that the bound of a result cuts. */
function textsOf(content: unknown): string[] {
  const texts: string[] = [];
  let length = 0;
  for (const block of Array.isArray(content) ? content : content === undefined || content === null ? [] : [content]) {
    if (length > MAX_RESULT_BYTES) break;
    const text = textOf(block);
    texts.push(text);
    length += text.length + 2;
  }
  return texts;
}

/** The value of a result that has no content. */
function structureOf(result: ServerResult): unknown {
  // Such as `toolResult` of the first version of the protocol.
  const { content, structuredContent, isError: _, is_error: _2, _meta, resultType: _1, ...rest } = result;
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent;
  const isOther = (content === undefined || content === null) && Object.keys(rest).length > 0;
  return isOther ? rest : undefined;
}

/**
 * Converts the result of an MCP tool. Structured content stands below the text, unless the text is its JSON already, as
 * servers repeat it for clients that read text alone.
 */
export function callResult(result: ServerResult): ToolResult {
  const isError = [result.isError, result.is_error].some((each) => each === true || each === 'true' || each === 1);
  const blocks = textsOf(result.content);
  const structure = structureOf(result);
  const isMissing = structure !== undefined && !isSaid(structure, blocks, result.content);
  const parts = isMissing ? [...blocks, JSON.stringify(structure, withoutData)] : blocks;
  const text = parts.join('\n\n').trim().replaceAll(DATA_URL, FILE_NOTE);
  const nothing = isError ? 'The tool failed and gave no reason.' : 'The tool gave no result.';
  return { text: cutText(text || nothing), ...(isError && { isError: true }) };
}

/** A value of a structure, or a note in place of a file in base64, of which only the beginning would fit. */
const withoutData = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > SHOWN_BLOCK && BASE64.test(value) ? FILE_NOTE : value;

/** Whether the blocks hold the value: as JSON of it, as the value itself, as one text for each entry of its list, or as blocks. */
function isSaid(value: unknown, texts: readonly string[], blocks: unknown): boolean {
  // Each is parsed, which takes longest where it fails.
  if (texts.length > MOST_COMPARED) return false;
  const said = texts.map(jsonIn);
  return [value, ...wrappedIn(value)].some(
    (each) =>
      isDeepStrictEqual(each, blocks) ||
      [...said, ...texts, said].some((text) => isDeepStrictEqual(trimmed(text), trimmed(each))),
  );
}

/** Names under which servers wrap what is no object. They tell nothing about it. */
const WRAPPERS: readonly string[] = ['result', 'content', 'text', 'output', 'value', 'data', 'response'];

function wrappedIn(value: unknown): unknown[] {
  const fields = isFields(value) ? Object.entries(value) : [];
  return fields.flatMap(([name, inner]) => (fields.length === 1 && WRAPPERS.includes(name) ? [inner] : []));
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

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
