import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderTimings } from '../provider.js';
import { ProviderError } from '../provider-error.js';
import { failureOf } from './upstream-failure.js';

const MAX_RETRIES = 2;

/**
 * Tries a call again while nothing of its answer has arrived: at most twice, only for what may pass (a busy or broken
 * upstream, no connection), and never so late that the reader would rather have been told.
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
      const wait = waitBefore(retries, failure, timings);
      const elapsed = performance.now() - began;
      if (retries === MAX_RETRIES || !mayPass(failure) || elapsed + wait > timings.retryBudget) throw failure;
      await sleep(wait, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function waitBefore(retries: number, failure: ProviderError, timings: ProviderTimings): number {
  if (failure.retryAfter !== undefined) return failure.retryAfter * 1000;
  // Jitter, or all answers that one outage broke would come back in the same moment.
  return timings.retryDelay * 2 ** retries * (0.75 + Math.random() / 2);
}

function mayPass(failure: ProviderError): boolean {
  if (failure.code === 'provider_busy' || failure.code === 'provider_unreachable') return true;
  return failure.code === 'provider_error' && (failure.status ?? 0) >= 500;
}
