import type { ProviderEvent, ProviderRequest } from '../provider.js';
import type { ProviderError } from '../provider-error.js';

/**
 * Decodes the bytes of one streamed answer into events. `failure` is set instead of thrown, because the events before it
 * are still to be delivered.
 */
export interface AnswerDecoder {
  readonly failure: ProviderError | null;
  /** True after the end of the answer: later bytes are ignored. */
  readonly done: boolean;
  /** True after the first text, reasoning or piece of a call. */
  readonly answered: boolean;
  /** Number of deltas so far, those of calls included, whose events come at the end. */
  readonly deltas: number;
  /** Number of deltas so far that are pieces of calls. */
  readonly callDeltas: number;
  /** True after a finish reason; only usage may follow. */
  readonly finished: boolean;
  /** Decodes a chunk, cut anywhere, and returns the events that it completed. */
  push(chunk: Buffer): ProviderEvent[];
  /** Decodes an answer in one JSON body, as sent by servers that ignore `stream`. */
  pushJson(json: string): ProviderEvent[];
  /** Returns the last events with `finish` at the end. Sets `failure` if the answer has no proper end. */
  end(): ProviderEvent[];
}

/** Request and answer of a streaming call as a server expects and sends them. */
export interface WireFormat {
  /** Path below the base URL. */
  readonly path: string;
  body(request: ProviderRequest): object;
  createDecoder(request: Pick<ProviderRequest, 'sampling' | 'maxTokens' | 'tools'>): AnswerDecoder;
}
