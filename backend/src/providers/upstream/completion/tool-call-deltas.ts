import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import { API_LIMITS, LIMITS } from '@tanya/contract';
import type { ProviderEvent } from '../../provider.js';
import { ValueEnd } from './value-end.js';

/** Calls of one answer that are collected; further ones are ignored. */
const MAX_CALLS = 128;

/** Characters of the arguments of one call that are parsed. The pieces of longer ones are passed on all the same. */
const MAX_ARGUMENTS = 64 * 1024;

/** Characters of a name. */
const MAX_NAME = 200;

/** Characters of an id. A longer one is not passed on: a part of it would name another call, or none. */
const MAX_ID = API_LIMITS.toolCallId;

type ToolCallEvent = Extract<ProviderEvent, { type: 'tool-call' }>;
type ToolCallDelta = Extract<ProviderEvent, { type: 'tool-call-delta' }>;

/** A piece of a call. Each field may have any type. */
interface CallDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

/** Arguments that stand for none, until others follow: some servers begin every call with them. Also their beginnings. */
const PLACEHOLDER = /^(?:n|nu|nul|null|\{\s*\})?$/;

interface Call {
  index: number | null;
  /** One character longer than `MAX_ID` for an id that is too long. */
  id: string | null;
  name: string;
  /** Up to the end of their object. */
  arguments: string;
  end: ValueEnd;
  /** Blanks or a placeholder before the arguments. */
  held: string;
  /** What follows the object. */
  rest: string;
  isTooLong: boolean;
  /** Number of the call among those with a name; null before its name. */
  position: number | null;
  /** Arguments that were not passed on: all before the name, and a high surrogate until its low one arrives. */
  pending: string;
}

/**
 * Collects the calls of a streamed answer from their pieces. Servers differ: pieces are matched by index, else by id; a
 * piece with neither continues the last call, unless it names a function.
 */
export class ToolCallDeltas {
  private readonly calls: Call[] = [];
  private deltas: ToolCallDelta[] = [];
  private named = 0;

  /** Adds the `tool_calls` of one delta. @returns whether there was a piece */
  push(pieces: unknown): boolean {
    if (!Array.isArray(pieces)) return false;
    const readable = pieces.filter((piece): piece is CallDelta => typeof piece === 'object' && piece !== null);
    for (const piece of readable) this.add(piece);
    return readable.length > 0;
  }

  /** Takes the pieces since the last time, adjacent ones of a call as one. */
  takeDeltas(): ToolCallDelta[] {
    const deltas = this.deltas;
    this.deltas = [];
    return deltas;
  }

  /** Whether the arguments of all calls can be parsed. */
  get areWhole(): boolean {
    return this.calls.every((call) => eventOf(call).invalid === undefined);
  }

  /**
   * Ends the calls of a whole answer: blank arguments become an empty object, which clients can parse. A repetition of the
   * arguments is left out, as are brackets behind them; anything else makes them invalid.
   */
  finish(): void {
    for (const call of this.calls) {
      if (call.isTooLong) continue;
      if (call.arguments.trim() === '') this.take(call, '{}');
      const rest = call.rest.replaceAll(call.arguments, '');
      if (/[^\s}\]]/.test(rest)) this.take(call, rest);
    }
  }

  /** The calls with a name, in the order in which they began. */
  events(): ToolCallEvent[] {
    return this.calls.filter(({ name }) => name !== '').map(eventOf);
  }

  private add(piece: CallDelta): void {
    const index = Number.isInteger(piece.index) ? Number(piece.index) : null;
    const id = textOf(piece.id).slice(0, MAX_ID + 1) || null;
    const name = textOf(piece.function?.name);
    const call = this.find(index, id, name) ?? this.open(index);
    if (call === null) return;
    call.id ??= id;
    // Some servers repeat the whole name with every piece.
    if (call.name === '') call.name = name.slice(0, MAX_NAME);
    this.extend(call, argumentsOf(piece.function?.arguments));
  }

  /** Adds a piece of the arguments. What follows their object is kept for the end. */
  private extend(call: Call, piece: string): void {
    let added = piece;
    if (call.arguments === '') {
      const text = call.held + piece;
      if (text.length <= MAX_ARGUMENTS && PLACEHOLDER.test(text.trim())) {
        call.held = text;
        return this.pass(call, '');
      }
      added = call.held.includes('}') || call.held.includes('null') ? piece : text;
      call.held = '';
    } else if (isTextSoFar(call.arguments, piece)) added = piece.slice(call.arguments.length);
    const length = call.isTooLong ? added.length : call.end.lengthIn(added);
    this.take(call, added.slice(0, length));
    call.rest = (call.rest + added.slice(length)).slice(0, MAX_ARGUMENTS);
  }

  private take(call: Call, added: string): void {
    this.pass(call, added);
    call.isTooLong ||= call.arguments.length + added.length > MAX_ARGUMENTS;
    if (!call.isTooLong) call.arguments += added;
  }

  /** Passes a piece on, from the name of its call on. */
  private pass(call: Call, added: string): void {
    call.pending += added;
    if (call.name === '') {
      call.pending = call.pending.slice(0, LIMITS.answerCharacters);
      return;
    }
    const isFirst = call.position === null;
    call.position ??= this.named++;
    const lastUnit = call.pending.charCodeAt(call.pending.length - 1);
    const end = call.pending.length - (lastUnit >= 0xd800 && lastUnit <= 0xdbff ? 1 : 0);
    const json = call.pending.slice(0, end).replaceAll('\0', '').toWellFormed();
    call.pending = call.pending.slice(end);
    const delta = { type: 'tool-call-delta' as const, index: call.position, json };
    const before = this.deltas.at(-1);
    if (isFirst) this.deltas.push({ ...delta, start: { id: usableId(call), name: call.name } });
    else if (before?.index === call.position) before.json += json;
    else if (json !== '') this.deltas.push(delta);
  }

  private find(index: number | null, id: string | null, name: string): Call | undefined {
    if (index !== null) {
      const call = this.calls.findLast((each) => each.index === index);
      // Some servers give every call the index 0, but each an id of its own.
      if (call === undefined || name === '') return call;
      const hasOtherId = id !== null && call.id !== null && call.id !== id;
      const hasOtherName = call.end.hasEnded && call.name !== '' && call.name !== name;
      return hasOtherId || hasOtherName ? undefined : call;
    }
    if (id !== null) return this.calls.find((each) => each.id === id);
    return name === '' ? this.calls.at(-1) : undefined;
  }

  private open(index: number | null): Call | null {
    if (this.calls.length === MAX_CALLS) return null;
    const call: Call = {
      ...{ index, id: null, name: '', position: null },
      ...{ arguments: '', end: new ValueEnd(), held: '', rest: '', isTooLong: false, pending: '' },
    };
    this.calls.push(call);
    return call;
  }
}

/** Whether a piece repeats the arguments so far, as of servers that send them whole each time. No JSON begins twice. */
const isTextSoFar = (before: string, piece: string): boolean =>
  before.startsWith('{') && piece.length > before.length && piece.startsWith(before);

/** Most servers send text; some send the parsed object. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

const usableId = ({ id }: Call): string | null => (id !== null && id.length > MAX_ID ? null : id);

function eventOf(collected: Call): ToolCallEvent {
  const { name, arguments: json, isTooLong } = collected;
  const call = { type: 'tool-call' as const, id: usableId(collected), name };
  if (isTooLong) return { ...call, args: {}, invalid: 'The arguments are too long.' };
  // A function without parameters is called with an empty text by some servers.
  if (json.trim() === '') return { ...call, args: {} };
  try {
    return { ...call, args: parseWithin(json, EVENT_JSON) };
  } catch {
    return { ...call, args: {}, invalid: 'The arguments are not valid JSON.' };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
