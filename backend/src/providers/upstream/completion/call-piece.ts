import { API_LIMITS } from '@tanya/contract';
import { isFields } from '../../../platform/json/fields.js';
import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import { repairedJson } from '../../../platform/json/repaired-json.js';
import { storableJson } from '../../../platform/json/storable-json.js';
import type { ExtraContent } from '../../provider.js';
import { type FunctionNames, nameIn } from './function-names.js';

/** Characters of an id. A longer one is not passed on: a part of it would name another call, or none. */
export const MAX_ID = API_LIMITS.toolCallId;

export const MAX_EXTRA = API_LIMITS.extraContent;

/** A piece as it is sent. Each field may have any type. */
interface CallDelta extends CalledFunction {
  index?: unknown;
  id?: unknown;
  function?: CalledFunction | string | null;
  /** As of Gemini. */
  extra_content?: unknown;
}

/** Some servers send its fields beside the id. */
interface CalledFunction {
  name?: unknown;
  arguments?: unknown;
  /** What Llama, Anthropic and LangChain call the arguments, as gateways pass them on. */
  parameters?: unknown;
  input?: unknown;
  args?: unknown;
}

/** A piece of a call as it is read. */
export interface Piece {
  index: number | null;
  id: string | null;
  name: string;
  args: string;
  extra: ExtraContent | null;
}

/**
 * The pieces in the `tool_calls` of one delta. Some servers send one call without a list around it, some the JSON of all.
 * @param names of the functions that the model may call
 */
export function piecesOf(given: unknown, names: FunctionNames): Piece[] {
  const calls = valueIn(given);
  const list = Array.isArray(calls) ? (calls as unknown[]) : isCall(calls) ? [calls] : numbered(calls);
  const read = list.length > MOST_TEXTS ? asItIs : valueIn;
  return list
    .slice(0, MOST_PIECES)
    .map(read)
    .filter((piece): piece is CallDelta => typeof piece === 'object' && piece !== null)
    .map((piece) => pieceOf(piece, names, read));
}

/** Pieces of one delta that are read. A server sends a few, and 20,000 of them held the event loop for 100 ms. */
const MOST_PIECES = 1_000;
/** Pieces of one delta that may be texts of JSON: thousands of texts that are none would hold the event loop. */
const MOST_TEXTS = 8;
/** Characters of JSON in a text that is read: the longest arguments of all calls have fewer. */
const MAX_JSON = 256 * 1024;
/** Of one that is repaired, which takes a hundred times as long. */
const MAX_REPAIRED = 16 * 1024;

const asItIs = (value: unknown): unknown => value;

/** The object or list in a text of JSON, or of Python; any other value as it is. */
function valueIn(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_JSON || !/^\s*[[{]/.test(value)) return value;
  return parsed(value) ?? (value.length > MAX_REPAIRED ? undefined : parsed(repairedJson(value))) ?? value;
}

function parsed(json: string): unknown {
  try {
    return parseWithin(json, EVENT_JSON);
  } catch {
    return undefined;
  }
}

/** Most servers send text; some send the parsed object. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

const isCall = (value: unknown): value is CallDelta =>
  typeof value === 'object' && value !== null && ('function' in value || 'arguments' in value);

/** The entries of a list that a server in PHP sends as an object with its numbers. */
const numbered = (value: unknown): unknown[] =>
  isFields(value) && Object.keys(value).every((key) => /^\d{1,3}$/.test(key)) ? Object.values(value) : [];

/** Some gateways send the number as a text. */
function indexIn(value: unknown): number | null {
  const index = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
  return Number.isInteger(index) ? (index as number) : null;
}

function pieceOf(delta: CallDelta, names: FunctionNames, read: (value: unknown) => unknown): Piece {
  const given = read(delta.function);
  // The name alone, beside its arguments.
  const called: CalledFunction =
    typeof given === 'string' ? { ...delta, name: given } : isFields(given) ? given : delta;
  const name = names.known(nameIn(textOf(called.name)));
  return {
    index: indexIn(delta.index),
    id: textOf(delta.id).slice(0, MAX_ID + 1) || null,
    name,
    args: argumentsOf(called.arguments ?? called.parameters ?? called.input ?? called.args),
    extra: extraOf(delta.extra_content),
  };
}

function extraOf(value: unknown): ExtraContent | null {
  return isFields(value) ? ((storableJson(value, MAX_EXTRA.depth) as ExtraContent | undefined) ?? null) : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
