import type { ModelKind, UsageChannel } from '@tanya/contract';
import type { Owner } from '../../../identity/identity.js';
import type { ImageOptions, ProviderMessage, ProviderRequest, ProviderUsage } from '../../../providers/provider.js';
import type { ChosenProvider } from '../../../providers/registry.js';
import type { RequestKey } from '../admission/idempotency.js';
import type { RequestParameters } from '../live/request-parameters.js';

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

export interface ProgramPrompt {
  /** Gives the messages of the prompt, once the run begins. */
  messages: (owner: Owner, run: RunLife) => Promise<ProviderMessage[]>;
  clientTools?: ClientTools;
  /** Whether the program is not shown reasoning, as in the Responses API. */
  hidesReasoning?: boolean;
}

/** The stop and the end of a run, for work that belongs to it. */
export interface RunLife {
  signal: AbortSignal;
  ended: Promise<unknown>;
}

/** Tools that the client of the public API runs. They never meet the tools of this server. */
export type ClientTools = Pick<ProviderRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

export interface DetachedImage {
  prompt: string;
  options?: ImageOptions;
  /** The thread that the image hangs on. */
  fileThreadId?: number;
}

export interface RelayedCall {
  call: (signal: AbortSignal, onProvider: (chosen: Pick<ChosenProvider, 'connection'>) => void) => Promise<CallResult>;
  /** Estimates the tokens that the call reads. */
  promptTokens: () => number;
}

export interface CallResult {
  /** Kept with the generation for its idempotency key; null keeps nothing. */
  content: string | null;
  /** null when the provider reports none. */
  usage: ProviderUsage | null;
}
