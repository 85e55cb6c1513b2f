import { StringDecoder } from 'node:string_decoder';
import { toUSVString } from 'node:util';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { LIMITS } from '@tanya/contract';
import type { ProviderEvent } from '../provider.js';
import { answerBrokeOff, ProviderError } from '../provider-error.js';
import { closeCutJson, ESCAPE_LENGTH } from './cut-json.js';
import { EventLimit } from './event-limit.js';
import { LineEnds } from './line-ends.js';
import { failureOfEvent } from './upstream-failure.js';

/** An event without an end is waited for no longer than this. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/**
 * So many characters of an event are read, because parsing them holds up every other answer of this process: the longest
 * answer with as long a thought, and 50,000 for what stands around them.
 */
const READ_CHARACTERS = 2 * LIMITS.answerCharacters + 50_000;

type DeltaType = 'text-delta' | 'reasoning-delta';

/** The fields of a chunk that are read; an upstream may put anything there. */
interface Chunk {
  choices?: { delta?: Delta; message?: Delta; finish_reason?: unknown }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
  error?: unknown;
}

interface Delta {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
}

/**
 * Turns the bytes of a streamed chat completion into events, wherever the network has cut them: inside a code point, a
 * line or a surrogate pair. What can't be read is skipped, so that a proxy's oddities cost nothing; an answer in which
 * nothing could be read, or that has no end, is an error.
 *
 * `failure` is set rather than thrown, because the events read before it are still to be delivered.
 */
export class CompletionDecoder {
  /** Why reading must stop, once it must. */
  failure: ProviderError | null = null;
  /** The upstream has said its last word: nothing of use can follow. */
  done = false;
  /** Some text or thought has arrived. */
  answered = false;

  private readonly bytes = new StringDecoder('utf8');
  /** Goes first, because the parser's time grows by the square of a piece in which lines end in CR. */
  private readonly lineEnds = new LineEnds();
  private readonly limit = new EventLimit(READ_CHARACTERS);
  private readonly parser = createParser({ onEvent: (event) => this.readEvent(event) });
  private started = false;
  /** The event that is being read lacks its end. */
  private isCut = false;
  private batch: ProviderEvent[] = [];
  /** First half of a surrogate pair whose second half is still to come. */
  private half: { type: DeltaType; text: string } | null = null;
  private finishReason: 'stop' | 'length' | null = null;
  private usage: Extract<ProviderEvent, { type: 'usage' }> | null = null;

  /** True once the model has said that its answer is whole; only usage may follow. */
  get finished(): boolean {
    return this.finishReason !== null;
  }

  /** The events that these bytes completed. */
  push(chunk: Buffer): ProviderEvent[] {
    this.feed(this.bytes.write(chunk));
    return this.take();
  }

  /** Reads a whole completion that came as plain JSON, as servers do that ignore `stream`. */
  pushJson(json: string): ProviderEvent[] {
    this.isCut = json.length > READ_CHARACTERS * ESCAPE_LENGTH;
    this.readEvent({ data: json.slice(0, READ_CHARACTERS * ESCAPE_LENGTH) });
    this.done = true;
    return this.take();
  }

  /** The last events, `finish` at the end; sets `failure` when the answer has no proper end. */
  end(): ProviderEvent[] {
    if (!this.done) this.feed(`${this.bytes.end()}\n\n`);
    if (this.half) this.append(this.half.type, '');
    if (this.failure) return this.take();
    if (!this.finished && !(this.done && this.answered)) {
      this.failure = this.answered ? answerBrokeOff() : new ProviderError('provider_error');
      return this.take();
    }
    if (this.usage) this.batch.push(this.usage);
    this.batch.push({ type: 'finish', reason: this.finishReason ?? 'stop' });
    return this.take();
  }

  private feed(text: string): void {
    if (this.failure || this.done || text === '') return;
    const input = this.started || text.charCodeAt(0) !== 0xfeff ? text : text.slice(1);
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
    const batch = this.batch;
    this.batch = [];
    return batch;
  }

  private readEvent(event: Pick<EventSourceMessage, 'data' | 'event'>): void {
    if (this.failure || this.done) return;
    if (event.data === '[DONE]') {
      this.done = true;
      return;
    }
    const chunk = parse(this.isCut ? closeCutJson(event.data) : event.data);
    if (!chunk) return;
    if (chunk.error || event.event === 'error') {
      this.failure = failureOfEvent(chunk.error ?? chunk);
      return;
    }
    this.readChunk(chunk);
  }

  private readChunk(chunk: Chunk): void {
    if (chunk.usage) this.readUsage(chunk.usage);
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!choice) return;
    const delta = choice.delta ?? choice.message;
    if (delta) this.readDelta(delta);
    if (typeof choice.finish_reason === 'string') this.readFinish(choice.finish_reason);
  }

  private readDelta(delta: Delta): void {
    // Some servers send the same thought under both names.
    const reasoning = delta.reasoning_content || delta.reasoning;
    if (typeof reasoning === 'string' && reasoning) this.append('reasoning-delta', reasoning);
    const text = delta.content || delta.refusal;
    if (typeof text === 'string' && text) this.append('text-delta', text);
  }

  private readFinish(reason: string): void {
    if (reason === 'content_filter') this.failure = new ProviderError('provider_refused');
    else if (reason === 'error') this.failure = new ProviderError('provider_error');
    else this.finishReason = reason === 'length' ? 'length' : 'stop';
  }

  private readUsage(usage: NonNullable<Chunk['usage']>): void {
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
    if (!isCount(promptTokens) || !isCount(completionTokens)) return;
    this.usage = { type: 'usage', promptTokens, completionTokens };
  }

  /** Text that Postgres or a socket could not carry is mended here. */
  private append(type: DeltaType, delta: string): void {
    this.answered = true;
    let text = delta.includes('\0') ? delta.replaceAll('\0', '') : delta;
    if (this.half) {
      if (this.half.type === type) text = this.half.text + text;
      this.half = null;
    }
    const last = text.charCodeAt(text.length - 1);
    if (delta !== '' && last >= 0xd800 && last <= 0xdbff) {
      this.half = { type, text: text.slice(-1) };
      text = text.slice(0, -1);
    }
    if (text === '') return;
    this.batch.push({ type, text: toUSVString(text) });
  }
}

function parse(data: string): Chunk | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
