import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderTimings } from '../provider.js';
import { ProviderError } from '../provider-error.js';
import { failureOf } from './upstream-failure.js';

const MAX_RETRIES = 2;

/**
 * Retries a call whose answer has not begun: at most twice, with backoff and jitter, only after transient failures, and
 * not beyond the retry budget. Own code: a package would still need the rules for Retry-After, the budget and the errors.
 * @throws ProviderError, or the signal's reason
 */
export async function withRetries<T>(
  timings: ProviderTimings,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error);
      const delay = delayBefore(retries, failure, timings);
      const elapsed = performance.now() - began;
      if (retries === MAX_RETRIES || !isTransient(failure) || elapsed + delay > timings.retryBudget) throw failure;
      await sleep(delay, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function delayBefore(retries: number, failure: ProviderError, timings: ProviderTimings): number {
  // Jitter spreads the retries of answers that failed in the same outage.
  const backoff = timings.retryDelay * 2 ** retries * (0.75 + Math.random() / 2);
  // Some servers state 0, or a time that has passed for a slow clock.
  return Math.max((failure.retryAfter ?? 0) * 1000, backoff);
}

/** Time-outs and conflicts of a server with itself. */
const PASSING: readonly number[] = [408, 409, 425];

function isTransient({ code, status = 0 }: ProviderError): boolean {
  if (code === 'provider_busy' || code === 'provider_unreachable') return true;
  return code === 'provider_error' && (status >= 500 || PASSING.includes(status));
}
