import type { ProviderEvent, ProviderTimings } from '../provider.js';
import { answerBrokeOff, ProviderError } from '../provider-error.js';
import type { CallClock } from './call-clock.js';
import type { ReadClock } from './read-clock.js';
import type { UpstreamBody } from './upstream-body.js';
import { failureOf } from './upstream-failure.js';
import type { UpstreamAnswer } from './upstream-fetch.js';
import type { CompletionDecoder } from './completion/completion-decoder.js';

/**
 * Pieces of calls that are read as soon as they arrive, because the next step of an answer waits for its calls. Longer
 * arguments are read on the beat.
 */
const UNPACED_CALL_DELTAS = 100;

/** Bytes of a read that may have so many events that decoding them takes long; only such reads are timed. */
const LONG_READ = 4_096;

/** Most bytes that Node reads from a socket at once. */
const READ_BYTES = 64 * 1024;

/** A read that takes longer to decode, in ms, is the last one of its turn of the event loop: libuv reads up to 32 times in one. */
const READ_MS = 1;

/** A sequence of JSON is a stream: `application/json-seq`. */
const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json\b(?!-)/;

const HTML_TYPE = /^(text\/html|application\/xhtml)/;

/** The beginning of an event stream, as of gateways that call theirs JSON. */
const STREAM_START = /^\s*(data|event|id|retry)?:/;
/** The beginning of JSON on several lines, as of gateways that give theirs another type. Events have one each. */
const JSON_START = /^(?:\xef\xbb\xbf)?\s*(?:\{\s*[\r\n]|\[\s*\{)/;
/** The beginning of JSON or of an event stream, of which the first read may have one byte. */
const MAY_BE_ANSWER = /^(?:\xef\xbb\xbf)?\s*(?:[{[:]|data|event|id|retry|.?$)/;

/** Whether a body is a page, by its type and its first bytes. Types are often wrong: PHP calls all that a program writes HTML. */
export async function isPage(body: UpstreamBody, type: string): Promise<boolean> {
  return HTML_TYPE.test(type) && !MAY_BE_ANSWER.test(await startOf(body));
}

const startOf = async (body: UpstreamBody): Promise<string> => (await body.head()).toString('latin1', 0, 100);

/**
 * Whether a body is one JSON answer, as of servers that ignore `stream`. @throws ProviderError for a page
 */
async function isJson(body: UpstreamBody, type: string): Promise<boolean> {
  if (await isPage(body, type)) throw new ProviderError('provider_error', { fault: 'html' });
  const head = await startOf(body);
  return JSON_TYPE.test(type) ? !STREAM_START.test(head) : JSON_START.test(head);
}

const idleTimeout = (): Error => new ProviderError('timeout_idle', { interrupted: true });

export interface CompletionReading {
  answer: UpstreamAnswer;
  decoder: CompletionDecoder;
  clock: CallClock;
  readClock: ReadClock;
  timings: ProviderTimings;
  onEvents: (events: readonly ProviderEvent[]) => void;
}

/**
 * Reads a completion to its end; implements the contract of `Provider.stream`. Only text, reasoning and
 * calls restart the idle timeout: an upstream that sends keep-alives alone counts as silent.
 */
export async function readCompletion({
  answer,
  decoder,
  clock,
  readClock,
  timings,
  ...options
}: CompletionReading): Promise<void> {
  const body = answer.source;
  let listenerFailure: { error: unknown } | null = null;
  const onEvents = (events: readonly ProviderEvent[]): void => {
    if (events.length === 0) return;
    try {
      options.onEvents(events);
    } catch (error) {
      listenerFailure = { error };
      throw error;
    }
  };
  try {
    const type = (answer.headers['content-type'] ?? '').toLowerCase();
    if (await isJson(body, type)) onEvents(decoder.pushJson(await answer.text()));
    else await new StreamedCompletion(decoder, body, { clock, readClock, timings, onEvents }).ended;
  } catch (error) {
    if (listenerFailure !== null) throw (listenerFailure as { error: unknown }).error;
    // After a finish reason the answer is complete, so a broken or lingering connection is not an error.
    if (clock.abortedByCaller || !decoder.finished) throw reasonFor(error, clock, decoder);
  } finally {
    release(body, decoder.done, timings.closing);
  }
  onEvents(decoder.end());
  if (decoder.failure) throw decoder.failure;
}

/** Decodes a streamed body as it arrives: once per read, on the beat while the socket is paced. */
class StreamedCompletion {
  /** Resolves at the end of the answer. Rejects when the body breaks off, the signal is aborted or `onEvents` throws. */
  readonly ended: Promise<void>;
  private resolve!: () => void;
  private reject!: (error: unknown) => void;
  private chunks: Buffer[] = [];
  private isClosing = false;
  private isSettled = false;
  /** While other work has its turn. What arrives meanwhile waits. */
  private isPaused = false;
  private bodyEnd: { error: Error | null } | null = null;

  constructor(
    private readonly decoder: CompletionDecoder,
    private readonly body: UpstreamBody,
    private readonly options: Omit<CompletionReading, 'answer' | 'decoder'>,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const { signal } = options.clock;
    const onAbort = (): void => this.settle(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    body.read({
      onChunk: (chunk) => this.receive(chunk),
      onEnd: (error) => this.receiveEnd(error),
    });
  }

  /** undici reports each HTTP chunk; all chunks of one read are decoded together. */
  private receive(chunk: Buffer): void {
    if (this.isSettled) return;
    this.chunks.push(chunk);
    if (this.isPaused) return;
    if (this.chunks.length === 1) this.options.readClock.afterRead(this.decode);
    else this.options.readClock.countJoined();
  }

  private receiveEnd(error: Error | null): void {
    this.bodyEnd = { error };
    this.decode();
  }

  private readonly decode = (): void => {
    if (this.isSettled || this.isPaused) return;
    try {
      this.decodeChunks();
    } catch (error) {
      this.settle(error);
      return;
    }
    if (this.decoder.failure || this.decoder.done) this.settle(null);
    else if (this.bodyEnd !== null && this.chunks.length === 0) this.settle(this.bodyEnd.error);
  };

  private decodeChunks(): void {
    const { clock, timings, onEvents } = this.options;
    if (this.chunks.length === 0) return;
    const { deltas } = this.decoder;
    const bytes = this.nextRead();
    const began = bytes.length < LONG_READ ? null : performance.now();
    onEvents(this.decoder.push(bytes));
    if (this.chunks.length > 0 || (began !== null && performance.now() - began > READ_MS)) this.giveTurn();
    if (this.decoder.deltas > deltas) {
      clock.arm(timings.idle, idleTimeout);
      this.pace();
    }
    // Some servers send a finish reason before the answer, which then is still to come.
    const { finished } = this.decoder;
    if (finished && !this.isClosing && this.decoder.answered) clock.arm(timings.closing, idleTimeout);
    this.isClosing = finished;
  }

  /** The chunks of one read. Those of several have come where reads are decoded on the beat, or while other work had its turn. */
  private nextRead(): Buffer {
    const [first] = this.chunks as [Buffer];
    let count = 1;
    for (let size = first.length; count < this.chunks.length; count += 1) {
      size += this.chunks[count]!.length;
      if (size > READ_BYTES) break;
    }
    const taken = this.chunks.splice(0, count);
    return count === 1 ? first : Buffer.concat(taken);
  }

  /** Reads on after what else waits for the event loop. */
  private giveTurn(): void {
    this.isPaused = true;
    this.body.pause();
    setImmediate(() => {
      this.isPaused = false;
      this.decode();
      if (!this.isPaused) this.body.resume();
    });
  }

  /** The first delta ends the unpaced phase of the request, and a call begins another one. */
  private pace(): void {
    const { callDeltas } = this.decoder;
    if (callDeltas > 0 && callDeltas <= UNPACED_CALL_DELTAS) this.body.pacing?.stop();
    else this.body.pacing?.start();
  }

  private settle(error: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    if (error === null) this.resolve();
    else this.reject(error);
  }
}

function reasonFor(error: unknown, clock: CallClock, decoder: CompletionDecoder): unknown {
  if (clock.signal.aborted) return clock.signal.reason;
  if (error instanceof ProviderError || !decoder.answered) return failureOf(error);
  return answerBrokeOff();
}

/** Closes the connection. A complete answer is read to its end first, so that the connection can be reused. */
function release(body: UpstreamBody, isComplete: boolean, timeoutMs: number): void {
  if (isComplete) body.drain(timeoutMs);
  else body.abort();
}
