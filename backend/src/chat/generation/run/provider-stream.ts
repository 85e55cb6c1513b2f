import type { Provider, ProviderEvent, ProviderRequest } from '../../../providers/provider.js';
import { mayBeBilled, ProviderError } from '../../../providers/provider-error.js';
import { estimateTokens, promptTokens } from '../../../providers/token-estimate.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';

/** Where a stream of a provider goes. */
export interface StreamReader {
  add(event: ProviderEvent): void;
  /** Whether the answer has reached its maximum length. */
  isCut(): boolean;
  /** What has been read, to estimate its tokens where the provider reports none. */
  texts(): string[];
}

/** Thrown out of the provider's stream to close it when the answer has reached its maximum length. */
class AnswerTooLong extends Error {
  readonly code = 'answer_cut';
}

/**
 * Streams one answer of a provider to a reader, and measures its usage, estimated where the provider reports none.
 * @param firstPartMs ends a call of which nothing has arrived by then; without it the provider's own time decides
 * @returns false when it was cut at the maximum length
 * @throws ProviderError, or the abort reason of the run
 */
export async function readStream(
  run: GenerationRun,
  provider: Provider,
  request: ProviderRequest,
  { metrics, modelMetrics }: Pick<RunServices, 'metrics' | 'modelMetrics'>,
  reader: StreamReader,
  firstPartMs?: number,
): Promise<boolean> {
  const { signal } = run.controller;
  signal.throwIfAborted();
  const late = new AbortController();
  const end = () => late.abort(new ProviderError('timeout_first_token'));
  let timer = firstPartMs === undefined ? undefined : setTimeout(end, firstPartMs);
  const either = timer === undefined ? signal : AbortSignal.any([signal, late.signal]);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider.name,
    'gen_ai.request.model': request.model,
  };
  let isReported = false;
  let failure: Error | null = null;
  try {
    await run.span.child('provider request', { kind: 'client', attributes, isPassive: true }, (span) =>
      provider.stream(request, either, (events) => {
        if (timer !== undefined) clearTimeout(timer);
        timer = undefined;
        // A delta that arrives after Stop is dropped: the user has not seen it.
        signal.throwIfAborted();
        const isSilent = run.firstTokenMs === null;
        for (const event of events)
          if (event.type === 'usage') {
            isReported = true;
            run.addUsage(event);
          } else reader.add(event);
        if (isSilent && run.firstTokenMs !== null) {
          const seconds = run.firstTokenMs / 1000;
          metrics.firstToken(seconds);
          modelMetrics.firstToken(seconds, { modelId: run.model.modelId, connection: run.connection?.name });
          span.event('first token');
        }
        if (reader.isCut()) throw new AnswerTooLong();
      }),
    );
  } catch (error) {
    failure = error as Error;
  }
  clearTimeout(timer);
  if (!isReported) estimateUsage(run, request, reader.texts(), failure);
  if (failure !== null && !(failure instanceof AnswerTooLong)) throw failure;
  return failure === null;
}

function estimateUsage(run: GenerationRun, { messages }: ProviderRequest, texts: string[], failure: unknown): void {
  const hasAnswered = texts.some((text) => text !== '');
  if (failure !== null && !hasAnswered && !mayBeBilled(failure)) return;
  const completionTokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  run.meter.estimate({ promptTokens: promptTokens(messages), completionTokens });
}
