import type { Provider, ProviderEvent, ProviderRequest, ProviderTimings } from '../../src/providers/provider.js';

/** The product's waits, short enough for a test. */
export const SHORT_TIMINGS: ProviderTimings = {
  connect: 1_000,
  firstToken: 1_000,
  idle: 500,
  closing: 200,
  retryBudget: 3_000,
  retryDelay: 10,
  image: 5_000,
  list: 1_000,
};

export interface CollectedAnswer {
  batches: (readonly ProviderEvent[])[];
  events: ProviderEvent[];
  text: string;
  reasoning: string;
  /** What the iteration threw; null when it ended by itself. */
  error: unknown;
}

export function requestOf(text: string, more: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model: 'scripted/small', messages: [{ role: 'user', content: text }], ...more };
}

/** Reads an answer to its end, however it ends. `onBatch` may abort, and returning false leaves the loop. */
export async function collectAnswer(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal = new AbortController().signal,
  onBatch: (batch: readonly ProviderEvent[]) => boolean | void = () => {},
): Promise<CollectedAnswer> {
  const batches: (readonly ProviderEvent[])[] = [];
  let error: unknown = null;
  try {
    for await (const batch of provider.stream(request, signal)) {
      batches.push(batch);
      if (onBatch(batch) === false) break;
    }
  } catch (thrown) {
    error = thrown;
  }
  const events = batches.flat();
  return { batches, events, text: joined(events, 'text-delta'), reasoning: joined(events, 'reasoning-delta'), error };
}

function joined(events: ProviderEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}
