import { isFields } from '../../../platform/json/fields.js';
import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import { repairedJson } from '../../../platform/json/repaired-json.js';
import { LIMITS } from '@tanya/contract';
import type { ExtraContent, ToolCallDelta, ToolCallEvent } from '../../provider.js';
import { MAX_EXTRA, MAX_ID, type Piece, piecesOf } from './call-piece.js';
import { FunctionNames } from './function-names.js';
import { ValueEnd } from '../../../platform/json/value-end.js';

/** Calls of one answer that are collected; further ones are ignored. */
const MAX_CALLS = 128;

/** Characters of the arguments of one call that are parsed. The pieces of longer ones are passed on all the same. */
const MAX_ARGUMENTS = 64 * 1024;

/** Characters of all that a provider adds to the calls of one answer. */
const MAX_EXTRAS = 1_000_000;

/**
 * Arguments that stand for none, until others follow: some servers begin every call with them. `[]` is the empty object of
 * PHP, `None` that of Python.
 */
const PLACEHOLDER = /^(?:null|None|undefined|""|\[\s*\]|\{\s*\})$/;
/** The beginning of one, or nothing. */
const PLACEHOLDER_START = /^(?:n|nu|nul|N|No|Non|u|un|und|unde|undef|undefi|undefin|undefine|"|\[\s*)?$/;

/** The beginning of arguments in a text of JSON, which gateways encode twice. */
const QUOTED = /^\s{0,9}"\s{0,9}\{/;

/** Marks that a server should have read as the end of a call: `<|call|>`, `</tool_call>`. */
const END_MARKS = /<(?:\|[\w:]{1,40}\||\/[\w:]{1,40})>/g;

interface Call {
  index: number | null;
  /** One character longer than `MAX_ID` for an id that is too long. */
  id: string | null;
  name: string;
  /** Up to the end of their object. */
  arguments: string;
  end: ValueEnd;
  /** Blanks or a placeholder before the arguments, or all of them while they are a text. */
  held: string;
  isQuoted: boolean;
  /** What follows the object. */
  rest: string;
  isTooLong: boolean;
  extra: ExtraContent | null;
  /** Number of the call among those with a name; null before its name. */
  position: number | null;
  /** Arguments that were not passed on: all before the name, and a high surrogate until its low one arrives. */
  pending: string;
  /** Whether the server has run the call itself: its result is in the stream. */
  isAnswered: boolean;
}

/**
 * Collects the calls of a streamed answer from their pieces. Servers differ: pieces are matched by index, else by id, else
 * they belong to the last call. A piece that names a function may begin another call all the same, see `beginsAnother`.
 */
export class ToolCallDeltas {
  private readonly calls: Call[] = [];
  private deltas: ToolCallDelta[] = [];
  private named = 0;
  private extras = 0;
  private readonly names: FunctionNames;
  private readonly offered: ReadonlySet<string>;
  private isEnding = false;

  /** @param names of the functions that the model may call */
  constructor(names: readonly string[] = []) {
    this.names = new FunctionNames(names);
    this.offered = new Set(names);
  }

  /** Adds the `tool_calls` of one delta. @returns whether there was a piece */
  push(pieces: unknown): boolean {
    const read = piecesOf(pieces, this.names);
    for (const piece of read) this.add(piece);
    return read.length > 0;
  }

  /** Takes the pieces since the last time, adjacent ones of a call as one. */
  takeDeltas(): ToolCallDelta[] {
    const deltas = this.deltas;
    this.deltas = [];
    return deltas;
  }

  /** Leaves out a call that the server has run itself: that of an id, else the last one. */
  leaveOut(id: unknown): void {
    const answered = id == null ? this.calls.at(-1) : this.calls.findLast((call) => call.id === id);
    if (answered !== undefined) answered.isAnswered = true;
  }

  /** Number of the calls with a name. */
  get count(): number {
    return this.calls.filter(isForClient).length;
  }

  /** Whether the arguments of all calls can be parsed. */
  get areWhole(): boolean {
    return this.calls.every((call) => eventOf(call).invalid === undefined);
  }

  /** Whether the arguments of a call have begun and not ended. */
  get areCut(): boolean {
    return this.calls.some((call) => !call.end.hasEnded && eventOf(call).invalid !== undefined);
  }

  /**
   * Ends the calls of a whole answer: blank arguments become an empty object, which clients can parse. A repetition of the
   * arguments is left out, as are brackets behind them; anything else makes them invalid.
   */
  finish(): void {
    this.isEnding = true;
    for (const call of this.calls) {
      if (call.position === null) this.passOn(call);
      if (call.isTooLong) continue;
      if (call.isQuoted) this.take(call, unquoted(call.held));
      call.isQuoted = false;
      if (call.arguments.trim() === '') this.take(call, '{}');
      const rest = call.rest.replaceAll(call.arguments, '').replaceAll(END_MARKS, '');
      if (/[^\s}\]]/.test(rest)) this.take(call, rest);
    }
  }

  /** The calls with a name, in the order in which they were passed on. */
  events(): ToolCallEvent[] {
    const calls = this.calls.filter(isForClient);
    return calls.sort((one, other) => (one.position ?? 0) - (other.position ?? 0)).map(eventOf);
  }

  /** Numbers of the calls that were passed on before the server said that it had run them itself. */
  get withdrawn(): number[] {
    return this.calls.flatMap(({ isAnswered, position }) => (isAnswered && position !== null ? [position] : []));
  }

  /** Whether a call waits for the end of the answer: a server may run one that it was not offered, and says so behind it. */
  private isHeld({ name }: Call): boolean {
    return !this.isEnding && this.offered.size > 0 && !this.offered.has(name);
  }

  private add(piece: Piece): void {
    const call = this.find(piece) ?? this.open(piece.index);
    if (call === null) return;
    call.id ??= piece.id;
    call.index ??= piece.index;
    // Some servers repeat the whole name with every piece.
    call.name = this.nameWith(call, piece) ?? (call.name || piece.name);
    if (piece.extra !== null) this.addExtra(call, piece.extra);
    this.extend(call, piece.args);
  }

  /** The name of a call whose beginning alone has come, with its next piece; null for a piece that does not continue it. */
  private nameWith(call: Call, { id, name }: Piece): string | null {
    const isOther = id !== null && call.id !== null && call.id !== id;
    return name === '' || isOther || !this.mayNameGoOn(call) ? null : this.names.continued(call.name, name);
  }

  /** Whether the name of a call is the beginning of another one, and nothing has followed it. */
  private mayNameGoOn({ name, position, arguments: json, held }: Call): boolean {
    return position === null && json === '' && held === '' && this.names.mayGoOn(name);
  }

  /** Too much is left out whole: a part of a signature is none. What comes before the name goes with the first piece. */
  private addExtra(call: Call, extraContent: ExtraContent): void {
    const { length } = JSON.stringify(extraContent);
    if (call.extra !== null || length > MAX_EXTRA.characters || this.extras + length > MAX_EXTRAS) return;
    this.extras += length;
    call.extra = extraContent;
    if (call.position !== null)
      this.deltas.push({ type: 'tool-call-delta', index: call.position, json: '', extraContent });
  }

  /** Adds a piece of the arguments. What follows their object is kept for the end. */
  private extend(call: Call, piece: string): void {
    if (call.isQuoted) return this.quote(call, piece);
    let added = piece;
    if (call.arguments === '') {
      // The first piece of a text may be its quotation mark, where each piece is the text so far.
      const isTextSoFar = call.held !== '' && QUOTED.test(piece) && piece.startsWith(call.held);
      const text = isTextSoFar ? piece : call.held + piece;
      const trimmed = text.trim();
      if (text.length <= MAX_ARGUMENTS && (PLACEHOLDER.test(trimmed) || PLACEHOLDER_START.test(trimmed))) {
        call.held = text;
        return this.pass(call, '');
      }
      added = PLACEHOLDER.test(call.held.trim()) ? piece : text;
      call.held = '';
      call.isQuoted = QUOTED.test(added);
      if (call.isQuoted) return this.quote(call, added);
    } else if (isTextSoFar(call.arguments, piece)) added = piece.slice(call.arguments.length);
    const length = call.isTooLong ? added.length : call.end.lengthIn(added);
    this.take(call, added.slice(0, length));
    call.rest = (call.rest + added.slice(length)).slice(0, MAX_ARGUMENTS);
  }

  /** Adds to arguments in a text, which is read at the end. One that is too long is passed on. */
  private quote(call: Call, piece: string): void {
    // Some servers send the text so far each time, or all of it again at the end. None begins within another one.
    const isTextSoFar = piece.length >= call.held.length && QUOTED.test(piece) && piece.startsWith(call.held);
    call.held = isTextSoFar ? piece : call.held + piece;
    call.isQuoted = call.held.length <= MAX_ARGUMENTS;
    if (call.isQuoted) return this.pass(call, '');
    this.take(call, call.held);
    call.held = '';
  }

  private take(call: Call, added: string): void {
    this.pass(call, added);
    call.isTooLong ||= call.arguments.length + added.length > MAX_ARGUMENTS;
    if (!call.isTooLong) call.arguments += added;
  }

  /** Passes a piece on, from the name of its call on. */
  private pass(call: Call, added: string): void {
    call.pending += added;
    if (added === '' && this.mayNameGoOn(call)) return;
    this.passOn(call);
  }

  /** Passes on what has come of a call, from its name on. */
  private passOn(call: Call): void {
    if (!isForClient(call) || this.isHeld(call)) {
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
    if (isFirst) {
      const start = { id: usableId(call), name: call.name };
      this.deltas.push({ ...delta, start, ...(call.extra !== null && { extraContent: call.extra }) });
    } else if (before?.index === call.position) before.json += json;
    else if (json !== '') this.deltas.push(delta);
  }

  /** The call that a piece continues; undefined for the first piece of another one. */
  private find(piece: Piece): Call | undefined {
    const { index, id, name } = piece;
    const ofIndex = index === null ? undefined : this.calls.findLast((call) => call.index === index);
    const ofId = id === null ? undefined : this.calls.findLast((call) => call.id === id);
    // Calls that share an index go on by their ids.
    if (ofIndex !== undefined && name === '' && ofId?.index === index) return ofId;
    if (ofIndex !== undefined) return this.beginsAnother(ofIndex, piece) ? undefined : ofIndex;
    // A new index with a name is another call, except where a server sends a whole call again under the next index.
    if (index !== null && name !== '') return ofId !== undefined && isRepetition(ofId, piece) ? ofId : undefined;
    const last = this.calls.at(-1);
    const mayGoOn = index === null || last?.index === null || goesOn(last, piece);
    const call = ofId ?? (mayGoOn ? last : undefined);
    return call === undefined || this.beginsAnother(call, piece) ? undefined : call;
  }

  private beginsAnother(call: Call, piece: Piece): boolean {
    return this.nameWith(call, piece) === null && beginsAnother(call, piece, this.offered);
  }

  private open(index: number | null): Call | null {
    if (this.calls.length === MAX_CALLS) return null;
    // The names of the calls before are whole.
    for (const before of this.calls) if (before.position === null) this.passOn(before);
    const call: Call = {
      index,
      id: null,
      name: '',
      position: null,
      arguments: '',
      end: new ValueEnd(),
      held: '',
      isQuoted: false,
      rest: '',
      isTooLong: false,
      pending: '',
      extra: null,
      isAnswered: false,
    };
    this.calls.push(call);
    return call;
  }
}

/**
 * Whether a piece begins another call than the one of its index or id. Some servers give every call the index 0, or one id;
 * others name the function, or send a new id, with every piece of one call.
 */
function beginsAnother(call: Call, piece: Piece, offered: ReadonlySet<string>): boolean {
  const { index, id, name, args } = piece;
  const isOpenObject = call.arguments !== '' && !call.end.hasEnded;
  if (isOpenObject && !args.trimStart().startsWith('{')) return false;
  const hasOtherId = id !== null && call.id !== null && call.id !== id;
  // The name may follow in a later piece.
  if (name === '') return hasOtherId && index === null && call.end.hasEnded;
  if (call.name === '') return hasOtherId;
  if (hasOtherId || (index === null && id === null)) return true;
  // What has come of its arguments may be all of them: `{}` is held, and none are empty.
  if (!call.end.hasEnded) return call.name !== name && offered.has(call.name) && offered.has(name);
  return call.name !== name || (args.trimStart().startsWith('{') && !isRepetition(call, piece));
}

/** Whether a piece can only be the rest of the open arguments of a call, as of servers that count its index up in between. */
const goesOn = (call: Call | undefined, { id, name, args }: Piece): boolean =>
  id === null && name === '' && /^\s*[^\s{]/.test(args) && Boolean(call?.arguments) && !call?.end.hasEnded;

const isRepetition = (call: Call, { name, args }: Piece): boolean =>
  call.end.hasEnded && call.name === name && call.arguments === args;

/**
 * Whether a piece repeats the arguments so far, as of servers that send them whole each time. No JSON begins twice. The lengths
 * come first: any look into the arguments copies all of them, with each piece of a long call.
 */
const isTextSoFar = (before: string, piece: string): boolean =>
  piece.length > before.length && before.startsWith('{') && piece.startsWith(before);

const isForClient = ({ name, isAnswered }: Call): boolean => name !== '' && !isAnswered;

const usableId = ({ id }: Call): string | null => (id !== null && id.length > MAX_ID ? null : id);

function eventOf(collected: Call): ToolCallEvent {
  const { name, isQuoted, held, isTooLong, extra } = collected;
  const json = isQuoted ? unquoted(held) : collected.arguments;
  const added = extra === null ? {} : { extraContent: extra };
  const call = { type: 'tool-call' as const, id: usableId(collected), name, ...added };
  if (isTooLong) return { ...call, args: {}, invalid: 'The arguments are too long.' };
  // A function without parameters is called with an empty text by some servers.
  if (json.trim() === '') return { ...call, args: {} };
  try {
    const args = objectIn(parsed(json)) ?? {};
    // Providers refuse a conversation in which other arguments come back to them.
    if (isFields(args)) return { ...call, args };
    return { ...call, args: {}, invalid: 'The arguments must be a JSON object.' };
  } catch {
    return { ...call, args: {}, invalid: 'The arguments are not valid JSON.' };
  }
}

function parsed(json: string): unknown {
  try {
    return parseWithin(json, EVENT_JSON);
  } catch {
    return parseWithin(repairedJson(FENCED.exec(json)?.[1] ?? json), EVENT_JSON);
  }
}

/** Arguments in a block of code, as small models write them. */
const FENCED = /^\s*```(?:json)?\s*(\{[^]*\})\s*```\s*$/;

/** The arguments in a text, or that text where it is cut. */
function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Some models write the JSON of their arguments into a text. */
function objectIn(args: unknown): unknown {
  if (typeof args !== 'string' || !args.trimStart().startsWith('{')) return args;
  return parsed(args);
}
