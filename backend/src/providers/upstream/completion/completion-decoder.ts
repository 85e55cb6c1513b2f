import { StringDecoder } from 'node:string_decoder';
import type { EventSourceMessage } from 'eventsource-parser';
import { LIMITS } from '@tanya/contract';
import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import { repairedJson } from '../../../platform/json/repaired-json.js';
import type { ChoiceEvent, ProviderEvent, ProviderRequest, ProviderUsage } from '../../provider.js';
import { answerBrokeOff, ProviderError } from '../../provider-error.js';
import { type Choice, ChoiceDecoder, type ChoiceOptions, isOfTool } from './choice-decoder.js';
import { CountedChoices } from './counted-choices.js';
import { type Chunk, chunkIn } from './chunk.js';
import { closeCutJson, ESCAPE_LENGTH } from './cut-json.js';
import { EventLimit } from './event-limit.js';
import { createEventParser } from '../../../platform/net/event-parser.js';
import { LineEnds } from '../../../platform/net/line-ends.js';
import { RepeatedChunk } from './repeated-chunk.js';
import { errorIn, errorWithin, isErrorPage, maySayError, saysError } from '../dialect/error-shape.js';
import { laterUsage, usageOf } from '../reported-usage.js';
import { failureOfEvent } from '../upstream-failure.js';

/** Longest event; an event that exceeds this without an end fails the answer. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Characters of an event that are parsed; the rest is cut. Parsing blocks the event loop for all answers of this
 * process. The limit allows the longest answer, reasoning of the same length and 50,000 characters around them.
 */
const READ_CHARACTERS = 2 * LIMITS.answerCharacters + 50_000;

/** A shorter event has too few values to matter, and most events are shorter. */
const SHORT_EVENT = 4_096;

/** Longer events are not repaired. */
const REPAIRED_CHARACTERS = 64 * 1024;

/** Events of one read that are repaired, each in up to 20 µs. A read of 64 kB of a real answer has fewer. */
const MOST_REPAIRS = 1_000;

/** Lines of one event that are read, and those of them that are no JSON: each of these takes as long as ten others. */
const MOST_LINES = 20_000;
const MOST_UNREAD_LINES = 1_000;

/**
 * Events of an answer that are no JSON. After the first of these numbers, their errors have no stack; after the second, others
 * are skipped unread, as reading one takes 10 µs; with the third the answer fails.
 */
const FEW_UNREAD = 100;
const MOST_UNREAD = 500;
const MOST_SKIPPED = 20_000;

/** Events in one list, each of which takes 5 µs: they are read in one turn. */
const MOST_LISTED = 5_000;

const BYTE_ORDER_MARK = 0xfeff;
/** Before each value of a JSON text sequence. No JSON has it within a text. */
const RECORD = '\x1e';

export interface CompletionOptions extends ChoiceOptions {
  /** Number of answers that were asked for; others are ignored. One by default. */
  choices?: number;
  /** Tokens that the answer may have. */
  maxTokens?: number;
}

const NESTED = /^(?:\s*data:)+/;
/** Between two events in one line. Within a text of JSON a quotation mark has a backslash before it. */
const GLUED = /\}\s*(?:data:\s*)?(?=\{"|\[DONE\])/g;
/** A piece of an answer in a chunk that cannot be read: the answer has a hole. */
const LOST_PIECE = /"(content|reasoning_content|reasoning|text|arguments)"\s*:\s*"[^"]/;
const DONE = /^\s*"?\[DONE\]"?\s*$/i;

/** The decoder of the answer to a request. */
export const decoderFor = ({ sampling, maxTokens, tools = [] }: Omit<ProviderRequest, 'model' | 'messages'>) =>
  new CompletionDecoder({
    choices: sampling?.n,
    readsLogprobs: sampling?.logprobs,
    maxTokens,
    toolNames: tools.map(({ name }) => name),
    stops: [sampling?.stop ?? []].flat(),
  });

/**
 * Decodes the bytes of a streamed chat completion into events. Chunks may be cut anywhere: inside a code point, a line
 * or a surrogate pair. Unreadable events are skipped, as proxies insert some. An answer without any readable event or
 * without an end is an error. eventsource-parser reads the frames; this class adds limits and the meaning of the JSON.
 *
 * `failure` is set instead of thrown, because the events before it are still to be delivered.
 */
export class CompletionDecoder {
  /** The error that ended the answer. */
  failure: ProviderError | null = null;
  /** True after [DONE] or a complete JSON body: later bytes are ignored. */
  done = false;

  private readonly bytes = new StringDecoder('utf8');
  /** Runs before the parser, whose time is quadratic in the length of a chunk with CR line ends. */
  private readonly lineEnds = new LineEnds();
  private readonly limit = new EventLimit(READ_CHARACTERS);
  private readonly parser = createEventParser({
    onEvent: (event) => this.readEvent(event),
    onError: ({ field, value, line }) => this.readOddLine(field, value, line),
  });
  private started = false;
  /** True while an event that was cut is parsed. */
  private isCut = false;
  /** Number of events, or lines, that are no JSON. */
  private unread = 0;
  /** Number of events of this read that needed repair. */
  private repairs = 0;
  private readonly repeated = new RepeatedChunk();
  /** Number of the choice that is read, the first one of the answer. */
  private choiceIndex: unknown = null;
  private readonly counted = new CountedChoices();
  private usage: ProviderUsage | null = null;
  /** The error within the last event, or its words: the reason for an answer without an end. */
  private hidden: unknown = null;
  private readonly first: ChoiceDecoder;
  private readonly others = new Map<number, ChoiceDecoder>();

  private readonly choices: number;
  private readonly maxTokens: number;

  constructor(private readonly options: CompletionOptions = {}) {
    this.choices = options.choices ?? 1;
    this.maxTokens = options.maxTokens ?? Infinity;
    this.first = new ChoiceDecoder(options);
  }

  /** True after the first text, reasoning or piece of a call. */
  get answered(): boolean {
    return this.deltas > 0;
  }

  /** Number of deltas with text, reasoning or a piece of a call. Some pieces of calls are held, see `ToolCallDeltas`. */
  get deltas(): number {
    if (this.others.size === 0) return this.first.deltas;
    return this.all.reduce((sum, { deltas }) => sum + deltas, 0);
  }

  /** Number of those with pieces of calls. */
  get callDeltas(): number {
    if (this.others.size === 0) return this.first.callDeltas;
    return this.all.reduce((sum, { callDeltas }) => sum + callDeltas, 0);
  }

  /** True after a finish reason, of each choice; only usage may follow. */
  get finished(): boolean {
    if (this.choices === 1) return this.first.isFinished;
    return this.others.size === this.choices - 1 && this.all.every(({ isFinished }) => isFinished);
  }

  private get all(): ChoiceDecoder[] {
    return [this.first, ...this.others.values()];
  }

  /** Decodes a chunk and returns the events that it completed. */
  push(chunk: Buffer): ProviderEvent[] {
    this.repairs = 0;
    this.feed(this.bytes.write(chunk));
    return this.take();
  }

  /** Decodes a completion in one JSON body, as sent by servers that ignore `stream`. */
  pushJson(json: string): ProviderEvent[] {
    this.isCut = json.length > READ_CHARACTERS * ESCAPE_LENGTH;
    this.readEvent({
      data: json.slice(json.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0, READ_CHARACTERS * ESCAPE_LENGTH),
    });
    this.done = true;
    return this.take();
  }

  /** Returns the last events with `finish` at the end. Sets `failure` if the answer has no proper end. */
  end(): ProviderEvent[] {
    if (!this.done) this.feed(`${this.bytes.end()}\n\n`);
    if (!this.first.isFinished) for (const choice of this.counted.rest()) this.first.read(choice);
    if (this.hidden !== null && !this.first.isFinished) this.failure ??= failureOfEvent(this.hidden);
    const ends = this.all.map((choice) => choice.end(choice === this.first ? this.failure : null, this.done));
    if (this.choices === 1 || this.failure !== null || !ends.includes(null)) this.failure = ends[0] ?? this.failure;
    // A provider bills failures too.
    if (this.usage) this.first.add({ type: 'usage', ...this.usage });
    if (this.failure) return this.take();
    if (this.choices === 1 && (this.usage?.completionTokens ?? 0) >= this.maxTokens) this.first.reachLimit();
    this.all.forEach((choice, at) => choice.finish(ends[at] ?? null));
    return this.take();
  }

  private feed(text: string): void {
    if (this.failure || this.done || text === '') return;
    const input = this.started || text.charCodeAt(0) !== BYTE_ORDER_MARK ? text : text.slice(1);
    this.started = true;
    const events = input.includes(RECORD) ? input.replaceAll(RECORD, '') : input;
    this.parser.feed(this.limit.pass(this.lineEnds.pass(events)));
    if (this.limit.justCut) {
      this.isCut = true;
      this.parser.feed('\n\n');
      this.isCut = false;
    }
    if (this.limit.length > MAX_EVENT_CHARACTERS) this.failure ??= new ProviderError('provider_error');
  }

  private take(): ProviderEvent[] {
    const batch = this.first.take();
    for (const [choice, other] of this.others)
      for (const event of other.take()) batch.push({ type: 'choice', choice, event: event as ChoiceEvent });
    return batch;
  }

  private readEvent({ data, event }: Pick<EventSourceMessage, 'data' | 'event'>): void {
    if (this.done) return this.readLateUsage(data);
    if (this.failure) return;
    const isError = event !== undefined && /error/i.test(event);
    if (data.length < 20 && DONE.test(data) && !isError) {
      this.done = true;
      return;
    }
    const text = event === undefined && !this.isCut ? this.repeated.textOf(data) : null;
    if (text !== null) {
      this.hidden = null;
      return this.first.append('text-delta', text);
    }
    if (this.unread >= MOST_UNREAD && !isError && !this.isCut && !mayMatter(data)) return this.passOver();
    const chunk = this.parse(this.isCut ? closeCutJson(data) : data);
    if (isError) return this.fail(errorIn(chunk) ?? chunk ?? data);
    if (chunk === null) return this.readUnparsed(data);
    if (Array.isArray(chunk)) this.readList(chunk);
    else this.readParsed(chunk, data);
  }

  /** Some servers send all events as one list. */
  private readList(list: readonly unknown[]): void {
    for (const each of list.slice(0, MOST_LISTED)) this.readParsed(chunkIn(each) ?? {}, '');
    if (list.length > MOST_LISTED) this.failure ??= new ProviderError('provider_error');
  }

  /** @param data of the event, empty for one of several in a list */
  private readParsed(chunk: Chunk, data: string): void {
    if (this.failure) return;
    const error = errorIn(chunk);
    if (error !== null) return this.fail(error);
    this.readChunk(chunk);
    const onlyText = data === '' ? null : this.onlyTextOf(chunk);
    if (onlyText !== null) this.repeated.remember(data, onlyText, (other) => this.onlyTextOf(this.parse(other) ?? {}));
  }

  /** Some gateways report the usage right after [DONE]. */
  private readLateUsage(data: string): void {
    if (this.usage !== null || this.failure !== null || !data.includes('"usage"')) return;
    const chunk = this.parse(data);
    this.usage = chunk === null ? null : usageOf(chunk, null);
  }

  /**
   * An event that is not JSON: an error in words, or several lines or events in one. Anything else is skipped, except a piece
   * of the answer.
   */
  private readUnparsed(data: string): void {
    if (this.isCut) return;
    if (saysError(data)) return this.fail(data);
    if (isErrorPage(data)) return this.failByPage();
    // Frameworks add the field to text that has it already.
    if (NESTED.test(data)) return this.readEvent({ data: data.replace(NESTED, '') });
    const apart = data.replaceAll(GLUED, '}\n');
    // Some servers end their events by one line end.
    if (!apart.includes('\n')) {
      this.passOver();
      this.hide(data);
      if (data.includes('"choices"') && LOST_PIECE.test(data)) this.failure ??= answerBrokeOff();
      return;
    }
    const mostUnread = this.unread + MOST_UNREAD_LINES;
    for (const line of apart.split('\n', MOST_LINES))
      if (this.unread < mostUnread && line.trim() !== '') this.readEvent({ data: line });
  }

  private parse(data: string): Chunk | null {
    // The stacks of thousands of syntax errors take longer than all the rest.
    const { stackTraceLimit } = Error;
    if (this.unread + this.repairs > FEW_UNREAD) Error.stackTraceLimit = 0;
    try {
      return chunkIn(data.length > SHORT_EVENT ? parseWithin(data, EVENT_JSON) : JSON.parse(data));
    } catch {
      if (data.length > REPAIRED_CHARACTERS || this.repairs >= MOST_REPAIRS) return null;
      this.repairs += 1;
      return repaired(data);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** Counts an event that cannot be read. */
  private passOver(): void {
    this.unread += 1;
    if (this.unread > MOST_SKIPPED && !this.finished) this.failure ??= new ProviderError('provider_error');
  }

  /** A line that is no field of an event: an error of llama.cpp, the page of a proxy, or JSON without the field `data`. */
  private readOddLine(field: string | undefined, value: string | undefined, line: string | undefined): void {
    const text = line?.trim() ?? '';
    if (field === 'error') this.fail(this.parse(value ?? '') ?? value);
    else if (isErrorPage(text)) this.failByPage();
    else if (/^(\{|data:)/.test(text)) this.readEvent({ data: text });
    else this.hide(text);
  }

  /** Keeps words that may be an error. They count where the answer has no end. */
  private hide(words: string): void {
    if (maySayError(words)) this.hidden = words.replace(/^"|"$/g, '');
  }

  private failByPage(): void {
    this.failure ??= new ProviderError('provider_error', { fault: 'html' });
  }

  private fail(error: unknown): void {
    if (!this.done) this.failure ??= failureOfEvent(error);
  }

  private readChunk(chunk: Chunk): void {
    const choice = this.choiceOf(chunk);
    const usage = usageOf(chunk, choice);
    if (usage !== null) this.usage = laterUsage(this.usage, usage);
    this.hidden = choice === null ? (errorWithin(chunk) ?? this.hidden) : null;
    if (this.choices > 1) this.readOthers(chunk);
    if (choice !== null) this.first.read(choice);
    if (choice !== null && this.choices === 1 && this.first.lacksCalls) this.readCallsBeside(chunk, choice);
    this.first.cite(chunk);
  }

  /** GitHub's Copilot has the text of an answer in one choice, and its calls alone in another one. */
  private readCallsBeside({ choices }: Chunk, own: Choice): void {
    for (const other of Array.isArray(choices) ? choices : [])
      if (other?.message && other !== own && !other.message.content) this.first.read(other);
  }

  private readOthers({ choices }: Chunk): void {
    if (!Array.isArray(choices)) return;
    for (const choice of choices) {
      const index = choice?.index;
      if (choice == null || typeof index !== 'number' || !Number.isInteger(index)) continue;
      if (index < 1 || index >= this.choices) continue;
      const other = this.others.get(index) ?? new ChoiceDecoder(this.options);
      this.others.set(index, other);
      other.read(choice);
    }
  }

  /** The text of a chunk whose delta has nothing else to read; null for any other. */
  private onlyTextOf({ choices, usage, error, x_groq }: Chunk): string | null {
    const choice = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
    if (
      choice?.delta == null ||
      typeof choice.delta === 'string' ||
      choice.message != null ||
      isOfTool(choice.delta) ||
      choice.finish_reason ||
      usage ||
      error ||
      x_groq
    )
      return null;
    if (
      choice.usage ||
      choice.native_finish_reason ||
      choice.logprobs ||
      (choice.index ?? this.choiceIndex) !== this.choiceIndex
    )
      return null;
    const { content, role, ...others } = choice.delta;
    return typeof content === 'string' && content !== '' && Object.values(others).every(isEmpty) ? content : null;
  }

  /** The first choice in a chunk. Some servers send several though one was asked for. */
  private choiceOf({ choices }: Chunk): Choice | null {
    if (!Array.isArray(choices)) return null;
    const readable = choices.filter((choice) => typeof choice === 'object' && choice !== null);
    const [first] = readable;
    if (first === undefined) return null;
    this.choiceIndex ??= this.choices > 1 ? 0 : first.index;
    const own = readable.find(({ index }) => index === this.choiceIndex || index == null);
    if (own === undefined && this.choices === 1) return this.countedOf(readable);
    if (this.counted.isWaiting) this.counted.refute();
    return own ?? null;
  }

  /** The choice in a chunk that may have its own number in place of that of its choice. */
  private countedOf(choices: readonly Choice[]): Choice | null {
    const counted = this.counted.take(choices, this.choiceIndex);
    const last = counted.pop() ?? null;
    for (const choice of counted) this.first.read(choice);
    return last;
  }
}

/** Whether an event begins and ends as JSON, or may be a piece of an answer that is cut. */
const mayMatter = (data: string): boolean =>
  (/^\s{0,9}[{[]/.test(data) && /[}\]]\s{0,9}$/.test(data.slice(-10))) || data.includes('"choices"');

const isEmpty = (value: unknown): boolean => value == null || value === '';

/** The chunk in JSON that no parser takes as it is. */
function repaired(data: string): Chunk | null {
  try {
    return chunkIn(parseWithin(repairedJson(data), EVENT_JSON));
  } catch {
    return null;
  }
}
