import { StringDecoder } from 'node:string_decoder';
import { toUSVString } from 'node:util';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { LIMITS } from '@tanya/contract';
import { EVENT_JSON, parseWithin } from '../../../platform/json/json-scan.js';
import type { ProviderEvent } from '../../provider.js';
import { answerBrokeOff, ProviderError } from '../../provider-error.js';
import { closeCutJson, ESCAPE_LENGTH } from './cut-json.js';
import { EventLimit } from './event-limit.js';
import { ReasoningDetails } from './reasoning-details.js';
import { RepeatedChunk } from './repeated-chunk.js';
import { ToolCallDeltas } from './tool-call-deltas.js';
import { reportedUsage } from '../reported-usage.js';
import { failureOfEvent } from '../upstream-failure.js';
import { UrlCitations } from './url-citations.js';
import type { AnswerDecoder } from '../wire-format.js';

/**
 * Converts CR and CRLF in a chunked text to LF, also a CRLF across two chunks. eventsource-parser accepts CR too, but its
 * time is quadratic in the length of such a chunk.
 */
class LineEnds {
  private endedInCr = false;

  pass(text: string): string {
    const rest = this.endedInCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.endedInCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}

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

type DeltaType = 'text-delta' | 'reasoning-delta';

/** Fields of a chunk that are read. Each may have any type: the upstream is not trusted. */
interface Chunk {
  choices?: { delta?: Delta; message?: Delta; finish_reason?: unknown }[];
  usage?: unknown;
  model?: unknown;
  error?: unknown;
}

interface Delta {
  role?: unknown;
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_details?: unknown;
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
  /** Number of deltas with text, reasoning or a piece of a call. */
  deltas = 0;
  /** Number of those with pieces of calls. */
  callDeltas = 0;

  private readonly bytes = new StringDecoder('utf8');
  /** Runs before the parser, whose time is quadratic in the length of a chunk with CR line ends. */
  private readonly lineEnds = new LineEnds();
  private readonly limit = new EventLimit(READ_CHARACTERS);
  private readonly parser = createParser({ onEvent: (event) => this.readEvent(event) });
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
  private finishReason: 'stop' | 'length' | null = null;
  private isFiltered = false;
  private usage: Extract<ProviderEvent, { type: 'usage' }> | null = null;

  get answered(): boolean {
    return this.deltas > 0;
  }

  /** True after a finish reason; only usage may follow. */
  get finished(): boolean {
    return this.finishReason !== null;
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
    if (this.half) this.append(this.half.type, '');
    if (this.isFiltered) this.failure = new ProviderError('provider_refused', { isFiltered: true });
    // A provider bills failures too.
    if (this.failure && this.usage) this.batch.push(this.usage);
    if (this.failure) return this.take();
    if (!this.finished && !(this.done && this.answered)) {
      this.failure = this.answered ? answerBrokeOff() : new ProviderError('provider_error');
      return this.take();
    }
    this.finish();
    return this.take();
  }

  /** Adds the events of the end. The calls of an answer that was cut at its length are incomplete. */
  private finish(): void {
    if (this.usage) this.batch.push(this.usage);
    const isCut = this.finishReason === 'length';
    if (!isCut) this.calls.finish();
    const calls = isCut ? [] : this.calls.events();
    const details = this.details.all();
    if (details.length > 0) this.batch.push({ type: 'reasoning-details', details });
    this.batch.push(...this.calls.takeDeltas(), ...calls, {
      type: 'finish',
      reason: calls.length > 0 ? 'tool-calls' : (this.finishReason ?? 'stop'),
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
    return batch;
  }

  private readEvent(event: Pick<EventSourceMessage, 'data' | 'event'>): void {
    if (this.failure || this.done) return;
    if (event.data === '[DONE]') {
      this.done = true;
      return;
    }
    const text = event.event === undefined && !this.isCut ? this.repeated.textOf(event.data) : null;
    if (text !== null) return this.append('text-delta', text);
    const chunk = parse(this.isCut ? closeCutJson(event.data) : event.data);
    if (!chunk) return;
    if (chunk.error || event.event === 'error') {
      this.failure = failureOfEvent(chunk.error ?? chunk);
      return;
    }
    this.readChunk(chunk);
    const onlyText = onlyTextOf(chunk);
    if (onlyText !== null) this.repeated.remember(event.data, onlyText, (data) => onlyTextOf(parse(data) ?? {}));
  }

  private readChunk(chunk: Chunk): void {
    const usage = reportedUsage(chunk.usage, chunk.model);
    if (usage !== null) this.usage = { type: 'usage', ...usage };
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!choice) return;
    const delta = choice.delta ?? choice.message;
    if (delta) this.readDelta(delta);
    if (typeof choice.finish_reason === 'string') this.readFinish(choice.finish_reason);
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
    this.details.push(delta.reasoning_details);
    if (this.calls.push(delta.tool_calls)) {
      this.deltas += 1;
      this.callDeltas += 1;
    }
    this.batch.push(...this.citations.push(delta.annotations));
  }

  /** Mistral sends text and reasoning as lists of parts. */
  private readParts(parts: readonly unknown[], type: DeltaType): void {
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      const { text, thinking } = part as { text?: unknown; thinking?: unknown };
      if (typeof text === 'string' && text) this.append(type, text);
      else if (typeof thinking === 'string' && thinking) this.append('reasoning-delta', thinking);
      else if (Array.isArray(thinking) && type === 'text-delta') this.readParts(thinking, 'reasoning-delta');
    }
  }

  /** Some servers send an empty reason, or the text `null`, with every chunk, also after the reason. */
  private readFinish(reason: string): void {
    if (reason === '' || reason === 'null') return;
    if (reason === 'error') {
      this.failure = new ProviderError('provider_error');
      return;
    }
    // Usage may follow, so the failure waits for the end.
    if (reason === 'content_filter') this.isFiltered = true;
    if (this.finishReason !== 'length') this.finishReason = reason === 'length' ? 'length' : 'stop';
  }

  /** Adds a delta. Removes NUL, which Postgres refuses, and joins or replaces lone surrogates. */
  private append(type: DeltaType, delta: string): void {
    this.deltas += 1;
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

/** The text of a chunk whose delta has nothing else to read; null for any other. */
function onlyTextOf({ choices, usage, error }: Chunk): string | null {
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  if (choice?.delta == null || choice.finish_reason || usage || error) return null;
  const { content, role, ...others } = choice.delta;
  return typeof content === 'string' && content !== '' && Object.values(others).every(isEmpty) ? content : null;
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
