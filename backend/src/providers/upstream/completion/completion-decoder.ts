import { StringDecoder } from 'node:string_decoder';
import { toUSVString } from 'node:util';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { LIMITS } from '@tanya/contract';
import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import type { ChoiceEvent, ProviderEvent } from '../../provider.js';
import { answerBrokeOff, ProviderError } from '../../provider-error.js';
import { closeCutJson, ESCAPE_LENGTH } from './cut-json.js';
import { EventLimit } from './event-limit.js';
import { LineEnds } from './line-ends.js';
import { ReasoningDetails } from './reasoning-details.js';
import { RepeatedChunk } from './repeated-chunk.js';
import { ToolCallDeltas } from './tool-call-deltas.js';
import { errorIn } from '../dialect/error-shape.js';
import { type Finish, finishOf, nativeFinishOf, weightier } from '../dialect/finish-reason.js';
import { usageOf } from '../reported-usage.js';
import { failureOfEvent } from '../upstream-failure.js';
import { UrlCitations } from './url-citations.js';
import type { AnswerDecoder } from '../wire-format.js';

/** Longest event; an event that exceeds this without an end fails the answer. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Characters of an event that are parsed; the rest is cut. Parsing blocks the event loop for all answers of this
 * process. The limit allows the longest answer, reasoning of the same length and 50,000 characters around them.
 */
const READ_CHARACTERS = 2 * LIMITS.answerCharacters + 50_000;

/** A shorter event has too few values to matter, and most events are shorter. */
const SHORT_EVENT = 4_096;

const BYTE_ORDER_MARK = 0xfeff;

const PICTURE_ALONE = {
  adminMessage: 'The model answered with a picture alone. Such a model belongs to the kind “image”.',
};

type DeltaType = 'text-delta' | 'reasoning-delta';

/** Fields of a chunk that are read. Each may have any type: the upstream is not trusted. */
interface Chunk {
  choices?: (Choice | null)[];
  usage?: unknown;
  model?: unknown;
  error?: unknown;
  x_groq?: unknown;
}

interface Choice {
  index?: unknown;
  delta?: Delta | null;
  message?: Delta | null;
  finish_reason?: unknown;
  native_finish_reason?: unknown;
  usage?: unknown;
  logprobs?: unknown;
}

interface Delta {
  role?: unknown;
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
  images?: unknown;
  tool_calls?: unknown;
  annotations?: unknown;
}

/**
 * Decodes the bytes of a streamed chat completion into events. Chunks may be cut anywhere: inside a code point, a line
 * or a surrogate pair. Unreadable events are skipped, as proxies insert some. An answer without any readable event or
 * without an end is an error. eventsource-parser reads the frames; this class adds limits and the meaning of the JSON.
 *
 * `failure` is set instead of thrown, because the events before it are still to be delivered.
 */
export class CompletionDecoder implements AnswerDecoder {
  /** The error that ended the answer. */
  failure: ProviderError | null = null;
  /** True after [DONE] or a complete JSON body: later bytes are ignored. */
  done = false;
  /** Number of deltas of this choice with text, reasoning or a piece of a call. */
  private ownDeltas = 0;
  /** Number of those with pieces of calls. */
  private ownCallDeltas = 0;

  private readonly bytes = new StringDecoder('utf8');
  /** Runs before the parser, whose time is quadratic in the length of a chunk with CR line ends. */
  private readonly lineEnds = new LineEnds();
  private readonly limit = new EventLimit(READ_CHARACTERS);
  private readonly parser = createParser({
    onEvent: (event) => this.readEvent(event),
    // llama.cpp sends its errors as a field of this name.
    onError: ({ field, value }) => field === 'error' && this.fail(parse(value ?? '') ?? value),
  });
  private started = false;
  /** True while an event that was cut is parsed. */
  private isCut = false;
  private batch: ProviderEvent[] = [];
  /** High surrogate at the end of a delta, held until the low surrogate arrives. */
  private half: { type: DeltaType; text: string } | null = null;
  private readonly calls = new ToolCallDeltas();
  private readonly details = new ReasoningDetails();
  private readonly citations = new UrlCitations();
  private readonly repeated = new RepeatedChunk();
  private hasReasoningContent = false;
  /** Whether the answer has pictures, which no chat shows. */
  private hasPictures = false;
  private finishReason: Finish | null = null;
  /** Number of the choice that is read, the first one of the answer. */
  private choiceIndex: unknown = null;
  /** The text of messages, which some servers send in place of deltas: in pieces or whole so far. */
  private messageText: string | null = null;
  private usage: Extract<ProviderEvent, { type: 'usage' }> | null = null;
  /** The choices from 1 on, each with a decoder that gets its parts of the chunks. */
  private readonly others = new Map<number, CompletionDecoder>();

  /** @param choices that were asked for; others are ignored @param readsLogprobs whether likelihoods were asked for */
  constructor(
    private readonly choices = 1,
    private readonly readsLogprobs = false,
  ) {}

  get answered(): boolean {
    return this.deltas > 0;
  }

  /** Number of deltas with text, reasoning or a piece of a call. */
  get deltas(): number {
    if (this.others.size === 0) return this.ownDeltas;
    return this.all.reduce((sum, { ownDeltas }) => sum + ownDeltas, 0);
  }

  /** Number of those with pieces of calls. */
  get callDeltas(): number {
    if (this.others.size === 0) return this.ownCallDeltas;
    return this.all.reduce((sum, { ownCallDeltas }) => sum + ownCallDeltas, 0);
  }

  /** True after a finish reason, of each choice; only usage may follow. */
  get finished(): boolean {
    if (this.choices === 1) return this.finishReason !== null;
    return this.others.size === this.choices - 1 && this.all.every(({ finishReason }) => finishReason !== null);
  }

  private get all(): CompletionDecoder[] {
    return [this, ...this.others.values()];
  }

  /** Decodes a chunk and returns the events that it completed. */
  push(chunk: Buffer): ProviderEvent[] {
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
    const ends = this.all.map((choice) => choice.endChoice(this.done));
    if (this.choices === 1 || this.failure !== null || !ends.includes(null)) this.failure = ends[0] ?? this.failure;
    // A provider bills failures too.
    if (this.usage) this.batch.push(this.usage);
    if (this.failure) return this.take();
    this.all.forEach((choice, at) => choice.finish(ends[at] ?? null));
    return this.take();
  }

  /** Why this choice did not end regularly; null if it did. @param done whether the server has ended the answer */
  private endChoice(done: boolean): ProviderError | null {
    if (this.half) this.append(this.half.type, '');
    if (this.finishReason === 'filter') return new ProviderError('provider_refused', { isFiltered: true });
    if (this.failure !== null) return this.failure;
    if (this.finishReason === 'failed') return new ProviderError('provider_error');
    if (this.hasPictures && this.ownDeltas === 0) return new ProviderError('provider_error', PICTURE_ALONE);
    if (this.finishReason !== null || (done && this.mayBeWhole)) return null;
    return this.ownDeltas > 0 ? answerBrokeOff() : new ProviderError('provider_error');
  }

  /** Whether [DONE] alone may end the answer, as of servers without a finish reason. */
  private get mayBeWhole(): boolean {
    return this.calls.areWhole && (this.ownDeltas > this.ownCallDeltas || this.calls.events().length > 0);
  }

  /**
   * Adds the events of the end. The calls of an answer that was cut at its length are incomplete.
   * @param failure of this choice, while another one ended regularly
   */
  private finish(failure: ProviderError | null): void {
    if (failure !== null) {
      this.batch.push({ type: 'finish', reason: failure.isFiltered ? 'content_filter' : 'failed' });
      return;
    }
    const isCut = this.finishReason === 'length';
    if (!isCut) this.calls.finish();
    const calls = isCut ? [] : this.calls.events();
    const details = this.details.all();
    if (details.length > 0) this.batch.push({ type: 'reasoning-details', details });
    this.batch.push(...this.calls.takeDeltas(), ...calls, {
      type: 'finish',
      reason: calls.length > 0 ? 'tool-calls' : isCut ? 'length' : 'stop',
    });
  }

  private feed(text: string): void {
    if (this.failure || this.done || text === '') return;
    const input = this.started || text.charCodeAt(0) !== BYTE_ORDER_MARK ? text : text.slice(1);
    this.started = true;
    this.parser.feed(this.limit.pass(this.lineEnds.pass(input)));
    if (this.limit.justCut) {
      this.isCut = true;
      this.parser.feed('\n\n');
      this.isCut = false;
    }
    if (this.limit.length > MAX_EVENT_CHARACTERS) this.failure ??= new ProviderError('provider_error');
  }

  private take(): ProviderEvent[] {
    // The pieces of calls in one read are joined, as text is.
    const batch = [...this.batch, ...this.calls.takeDeltas()];
    this.batch = [];
    for (const [choice, other] of this.others)
      for (const event of other.take()) batch.push({ type: 'choice', choice, event: event as ChoiceEvent });
    return batch;
  }

  private readEvent({ data, event }: Pick<EventSourceMessage, 'data' | 'event'>): void {
    if (this.failure || this.done) return;
    const isError = event !== undefined && /error/i.test(event);
    if (data.trim() === '[DONE]' && !isError) {
      this.done = true;
      return;
    }
    const text = event === undefined && !this.isCut ? this.repeated.textOf(data) : null;
    if (text !== null) return this.append('text-delta', text);
    const chunk = parse(this.isCut ? closeCutJson(data) : data);
    if (isError) return this.fail(errorIn(chunk) ?? chunk ?? data);
    if (chunk === null) return this.readLines(data);
    const error = errorIn(chunk);
    if (error !== null) return this.fail(error);
    this.readChunk(chunk);
    const onlyText = this.onlyTextOf(chunk);
    if (onlyText !== null) this.repeated.remember(data, onlyText, (other) => this.onlyTextOf(parse(other) ?? {}));
  }

  /** Some servers end their events by one line end, so that several are read as one. */
  private readLines(data: string): void {
    if (!data.includes('\n') || this.isCut) return;
    for (const line of data.split('\n')) if (line.trim() !== '') this.readEvent({ data: line });
  }

  private fail(error: unknown): void {
    if (!this.done) this.failure ??= failureOfEvent(error);
  }

  private readChunk(chunk: Chunk): void {
    const choice = this.choiceOf(chunk);
    const usage = usageOf(chunk, choice);
    if (usage !== null) this.usage = { type: 'usage', ...usage };
    if (this.choices > 1) this.readOthers(chunk);
    if (choice === null) return;
    if (choice.delta) this.readDelta(choice.delta);
    if (choice.message) this.readMessage(choice.message);
    if (this.readsLogprobs) this.readLogprobs(choice.logprobs);
    // Usage may follow, so a failure waits for the end.
    for (const finish of [finishOf(choice.finish_reason), nativeFinishOf(choice.native_finish_reason)])
      this.finishReason = weightier(this.finishReason, finish);
  }

  private readOthers({ choices }: Chunk): void {
    if (!Array.isArray(choices)) return;
    for (const choice of choices) {
      const index = choice?.index;
      if (choice == null || typeof index !== 'number' || !Number.isInteger(index)) continue;
      if (index < 1 || index >= this.choices) continue;
      const other = this.others.get(index) ?? new CompletionDecoder(1, this.readsLogprobs);
      this.others.set(index, other);
      other.readChunk({ choices: [choice] });
    }
  }

  private readLogprobs(logprobs: unknown): void {
    if (typeof logprobs !== 'object' || logprobs === null) return;
    const { content, refusal } = logprobs as { content?: unknown; refusal?: unknown };
    const [ofContent, ofRefusal] = [content, refusal].map((list) => (Array.isArray(list) ? (list as unknown[]) : []));
    if (ofContent!.length + ofRefusal!.length > 0)
      this.batch.push({ type: 'logprobs', content: ofContent!, refusal: ofRefusal! });
  }

  /** The text of a chunk whose delta has nothing else to read; null for any other. */
  private onlyTextOf({ choices, usage, error, x_groq }: Chunk): string | null {
    const choice = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
    if (choice?.delta == null || choice.message != null || choice.finish_reason || usage || error || x_groq)
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
    return readable.find(({ index }) => index === this.choiceIndex || index == null) ?? null;
  }

  /** A message repeats what came in deltas. Without deltas it is the answer: the whole, the text so far or a piece. */
  private readMessage(message: Delta): void {
    if (this.ownDeltas > 0 && this.messageText === null) {
      if (this.ownCallDeltas === 0 && this.calls.push(message.tool_calls)) this.countCall();
      return;
    }
    const { content } = message;
    const before = this.messageText ?? '';
    const isText = typeof content === 'string';
    const text = isText && before !== '' && content.startsWith(before) ? content.slice(before.length) : content;
    if (isText && content !== '') this.messageText = before + (text as string);
    this.readDelta({ ...message, content: text });
  }

  private readDelta(delta: Delta): void {
    if (!this.hasReasoningContent && typeof delta.reasoning_content === 'string') {
      this.hasReasoningContent = true;
      this.batch.push({ type: 'reasoning-content' });
    }
    // Some servers send the same reasoning under both names.
    const reasoning = delta.reasoning_content || delta.reasoning;
    if (typeof reasoning === 'string' && reasoning) this.append('reasoning-delta', reasoning);
    const text = delta.content || delta.refusal;
    if (typeof text === 'string' && text) this.append('text-delta', text);
    else if (Array.isArray(text)) this.readParts(text, 'text-delta');
    if (Array.isArray(delta.images) && delta.images.length > 0) this.hasPictures = true;
    this.details.push(delta.reasoning_details);
    if (this.calls.push(delta.tool_calls)) this.countCall();
    this.batch.push(...this.citations.push(delta.annotations));
  }

  /** Mistral sends text and reasoning as lists of parts. */
  private readParts(parts: readonly unknown[], type: DeltaType): void {
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      const { text, thinking, image_url } = part as { text?: unknown; thinking?: unknown; image_url?: unknown };
      if (image_url) this.hasPictures = true;
      if (typeof text === 'string' && text) this.append(type, text);
      else if (typeof thinking === 'string' && thinking) this.append('reasoning-delta', thinking);
      else if (Array.isArray(thinking) && type === 'text-delta') this.readParts(thinking, 'reasoning-delta');
    }
  }

  private countCall(): void {
    this.ownDeltas += 1;
    this.ownCallDeltas += 1;
  }

  /** Adds a delta. Removes NUL, which Postgres refuses, and joins or replaces lone surrogates. */
  private append(type: DeltaType, delta: string): void {
    this.ownDeltas += 1;
    let text = delta.includes('\0') ? delta.replaceAll('\0', '') : delta;
    if (this.half) {
      if (this.half.type === type) text = this.half.text + text;
      this.half = null;
    }
    const lastUnit = text.charCodeAt(text.length - 1);
    if (delta !== '' && lastUnit >= 0xd800 && lastUnit <= 0xdbff) {
      this.half = { type, text: text.slice(-1) };
      text = text.slice(0, -1);
    }
    if (text === '') return;
    const last = this.batch.at(-1);
    // Adjacent deltas of one type become one event.
    if (last?.type === type) last.text += toUSVString(text);
    else this.batch.push({ type, text: toUSVString(text) });
  }
}

const isEmpty = (value: unknown): boolean => value == null || value === '';

function parse(data: string): Chunk | null {
  try {
    const value: unknown = data.length > SHORT_EVENT ? parseWithin(data, EVENT_JSON) : JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
