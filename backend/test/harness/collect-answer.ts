import type { Provider, ProviderEvent, ProviderRequest, ProviderTimings } from '../../src/providers/provider.js';

/**
 * Timings of a provider under test: a short delay before retries, and timeouts that a loaded machine does not reach. A
 * test of a timeout shortens that one and uses an upstream that stays silent.
 */
export const TEST_TIMINGS: ProviderTimings = {
  connect: 30_000,
  firstToken: 30_000,
  idle: 30_000,
  whole: 30_000,
  closing: 30_000,
  retryBudget: 30_000,
  retryBudgetWithFallback: 30_000,
  retryDelay: 10,
  image: 30_000,
  embeddings: 30_000,
  transcription: 30_000,
  list: 30_000,
  connectionTest: 30_000,
};

export interface CollectedAnswer {
  batches: (readonly ProviderEvent[])[];
  events: ProviderEvent[];
  text: string;
  reasoning: string;
  /** The error of the stream; null if it ended without one. */
  error: unknown;
}

/** Thrown by a reader that needs no more events. */
class ReaderClosed extends Error {}

export function requestOf(text: string, more: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model: 'scripted/small', messages: [{ role: 'user', content: text }], ...more };
}

/** Reads an answer to its end or to its error. `onBatch` may abort the signal; returning false closes the stream. */
export async function collectAnswer(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal = new AbortController().signal,
  onBatch: (batch: readonly ProviderEvent[]) => boolean | void = () => {},
): Promise<CollectedAnswer> {
  const batches: (readonly ProviderEvent[])[] = [];
  let error: unknown = null;
  try {
    await provider.stream(request, signal, (batch) => {
      batches.push(batch);
      if (onBatch(batch) === false) throw new ReaderClosed();
    });
  } catch (thrown) {
    error = thrown instanceof ReaderClosed ? null : thrown;
  }
  const events = batches.flat();
  return { batches, events, text: joined(events, 'text-delta'), reasoning: joined(events, 'reasoning-delta'), error };
}

function joined(events: ProviderEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}
