import type { Readable } from 'node:stream';
import type { ProviderEvent, ProviderTimings } from '../provider.js';
import { answerBrokeOff, ProviderError } from '../provider-error.js';
import type { CallClock } from './call-clock.js';
import { ChunkQueue } from './chunk-queue.js';
import { CompletionDecoder } from './completion-decoder.js';
import type { UpstreamResponse } from './upstream-fetch.js';
import { failureOf } from './upstream-failure.js';

const firstTokenTimeout = (): Error => new ProviderError('timeout_first_token');
const idleTimeout = (): Error => new ProviderError('timeout_idle', { interrupted: true });

/**
 * Opens a completion and reads it to its end; implements the contract of `Provider.stream`. Only text and reasoning
 * restart the idle timeout: an upstream that sends keep-alives alone counts as silent.
 */
export async function* readCompletion(
  open: () => Promise<UpstreamResponse>,
  clock: CallClock,
  timings: ProviderTimings,
): AsyncGenerator<readonly ProviderEvent[]> {
  const decoder = new CompletionDecoder();
  let body: Readable | null = null;
  try {
    clock.arm(timings.firstToken, firstTokenTimeout);
    const response = await open();
    body = response.stream;
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) throw new ProviderError('provider_error');
    if (type.startsWith('application/json')) yield decoder.pushJson(await response.text());
    else {
      const queue = new ChunkQueue(body);
      let closing = false;
      for (;;) {
        clock.signal.throwIfAborted();
        const chunk = queue.take();
        if (!chunk) {
          if (queue.ended()) break;
          await queue.arrival();
          continue;
        }
        const batch = decoder.push(chunk);
        if (batch.length > 0) {
          clock.pause();
          yield batch;
          clock.arm(timings.idle, idleTimeout);
        }
        if (decoder.failure || decoder.done) break;
        if (decoder.finished && !closing) clock.arm(timings.closing, idleTimeout);
        closing = decoder.finished;
      }
    }
  } catch (error) {
    // After a finish reason the answer is complete, so a broken or lingering connection is no error.
    if (clock.abortedByCaller || !decoder.finished) throw reasonFor(error, clock, decoder);
  } finally {
    clock.close();
    if (body) release(body, decoder.done, timings.closing);
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
  if (decoder.failure) throw decoder.failure;
}

function reasonFor(error: unknown, clock: CallClock, decoder: CompletionDecoder): unknown {
  if (clock.signal.aborted) return clock.signal.reason;
  if (error instanceof ProviderError || !decoder.answered) return failureOf(error);
  return answerBrokeOff();
}

/** Closes the connection. A complete answer is read to its end first, so that the connection can be reused. */
function release(body: Readable, isComplete: boolean, timeoutMs: number): void {
  body.on('error', () => {});
  if (!isComplete || body.closed) {
    body.destroy();
    return;
  }
  const deadline = setTimeout(() => body.destroy(), timeoutMs);
  body.once('close', () => clearTimeout(deadline));
  body.resume();
}
