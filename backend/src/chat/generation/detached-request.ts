import type { ModelKind, UsageChannel } from '@tanya/contract';
import { promptTokens } from '../../providers/token-estimate.js';
import type { RequestKey } from './admission/idempotency.js';
import type { RequestParameters } from './live/request-parameters.js';
import type { AnySpec, DetachedImage, ProgramPrompt, RelayedCall, RunSpec } from './live/run-spec.js';

/** A request for text, for an image, or for another call. Its `kind` is the one that its model must have. */
export type DetachedRequest = RequestTerms &
  (
    | ({ kind: 'chat' } & TextRequest)
    | ({ kind: 'image' } & DetachedImage)
    | ({ kind: Exclude<ModelKind, 'chat' | 'image'> } & RelayedCall)
  );

interface TextRequest extends ProgramPrompt {
  requested: RequestParameters;
  promptTokens: () => number;
  /** Whether the fallbacks of the model may answer; true by default. */
  mayFallBack?: boolean;
}

interface RequestTerms extends RequestKey {
  channel: UsageChannel;
  /** Whether the answer is stored among the texts of the account, which must have room for it; false by default. */
  isStored?: boolean;
  modelId: string;
}

/** Estimates the tokens of the prompt. */
export const promptTokensOf = (asked: DetachedRequest): number =>
  asked.kind === 'image' ? promptTokens([{ role: 'user', content: asked.prompt }]) : asked.promptTokens();

/** What a run for a request is told. The kind of a request is that of its model; its text is written for a program. */
export function specOf(
  request: DetachedRequest,
  common: AnySpec & { thread: null },
  fallbacks: readonly string[],
): RunSpec {
  switch (request.kind) {
    case 'chat': {
      const { requested, messages, clientTools, hidesReasoning, mayFallBack = true } = request;
      const prompt = { messages, clientTools, hidesReasoning };
      return { ...common, kind: 'program', ...prompt, requested, fallbacks: mayFallBack ? fallbacks : [] };
    }
    case 'image': {
      const { prompt, options, fileThreadId } = request;
      return { ...common, kind: 'image', image: { prompt, options, fileThreadId } };
    }
    default:
      return { ...common, kind: 'relay', call: request.call, promptTokens: request.promptTokens };
  }
}
