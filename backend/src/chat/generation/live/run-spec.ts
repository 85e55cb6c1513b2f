import type { Instructions, MessageNotice, ModelPricing, ReasoningEffort, Sampling } from '@tanya/contract';
import type { Asker, Owner } from '../../../identity/identity.js';
import type { ChatModel } from '../../../models/models.service.js';
import type { ImageOptions, ProviderMessage, ProviderRequest, ProviderUsage } from '../../../providers/provider.js';
import type { Choice } from '../../../providers/registry.js';
import type { CallableTool, Tool } from '../../../tools/tool.js';
import type { Citations } from './citations.js';
import type { Checkpoint } from '../store/generation-store.js';
import type { Suspension } from '../store/suspension.js';

export interface AnswerTarget {
  threadId: number;
  messageId: number;
}

export interface RunPrompt {
  messages: ProviderMessage[];
  notices?: MessageNotice[];
  /** Tools that this prompt offers beside those of the send. */
  tools?: readonly CallableTool[];
}

/** What the run gives to the prompt that is loaded for it. */
export interface PromptContext {
  /** Aborts when the run is stopped. */
  signal: AbortSignal;
  /** Resolves when the run has ended. */
  ended: Promise<unknown>;
  /** Numbers the passages of the prompt; absent where it has none. */
  citations?: Citations;
  /** Whether the model may call tools. */
  canCall?: boolean;
}

export interface RunTools {
  offered: Tool[];
  /** Steps in which the model may call them; one more without tools follows. */
  maxSteps: number;
  /** Whether the model supports tools; null when unknown. */
  supported: boolean | null;
  /** Draws an image for a call, see `ToolContext.drawImage`. */
  drawImage(call: { asker: Asker; callId: string; prompt: string; signal: AbortSignal }): Promise<{ url: string }>;
}

/** Tools that the client of the public API runs. They never meet the tools of this server. */
export type ClientTools = Pick<ProviderRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** Result of a call that is not chat. */
export interface CallResult {
  /** Kept with the generation for its idempotency key; null keeps nothing. */
  content: string | null;
  /** null when the provider reports none. */
  usage: ProviderUsage | null;
}

export interface SuspendedRun extends Suspension {
  /** Its waiting calls are decided. */
  checkpoint: Checkpoint;
}

/** A model, and what its answer to the request needs. */
export type RunModel = Pick<
  RunSpec,
  | 'modelId'
  | 'upstreamId'
  | 'connectionId'
  | 'pricing'
  | 'prompt'
  | 'sampling'
  | 'maxTokens'
  | 'defaults'
  | 'reasoningEffort'
  | 'tools'
>;

export interface RunSpec {
  generationId: string;
  /** As of the send. */
  asker: Asker;
  modelId: string;
  /** The id of the model that the provider knows. */
  upstreamId: string;
  /** The connection of the model; null chooses by the configured connections. */
  connectionId: number | null;
  /** Whether the answer is one image instead of text. */
  isImage: boolean;
  /** Estimates the tokens of the prompt without loading it, for a program. */
  promptTokens?: () => number;
  /** Prices at the admission; null when unknown. */
  pricing: ModelPricing | null;
  isBudgeted?: boolean;
  /** Whether the error of a failed answer names its cause: for admins. */
  showsCause: boolean;
  /** null for a detached generation (public API, image dialog). */
  target: AnswerTarget | null;
  /** Loads the prompt; `shrink` halves it after the provider refused its length, null when it cannot be halved. */
  prompt: (owner: Owner, shrink: boolean, context: PromptContext) => Promise<RunPrompt | null>;
  /** Replaces the streamed answer: a call that is not chat. Its result is the answer that is stored. */
  call?: (signal: AbortSignal, onChoice: (choice: Pick<Choice, 'connection'>) => void) => Promise<CallResult>;
  /** With the default parameters of the model. */
  sampling?: Sampling;
  /** Only for a send to an image model. */
  imageOptions?: ImageOptions;
  maxTokens?: number;
  /** Names of the parameters that the answer can do without, such as the defaults of the model. */
  defaults?: readonly string[];
  reasoningEffort?: ReasoningEffort;
  /** The thread that a detached image hangs on. */
  fileThreadId?: number;
  /** Without it the answer is one step without tools. */
  tools?: RunTools;
  /** Only for a detached generation: its calls are the answer, and the client runs them. */
  clientTools?: ClientTools;
  /** Whether the client is not shown reasoning, as in the Responses API. */
  hidesReasoning?: boolean;
  /** Whether the thread still has its first words as its title, and gets another one after this answer. */
  lacksTitle?: boolean;
  /** Whether the thread is temporary. */
  isTemporary?: boolean;
  /** The custom instructions of its prompt. */
  instructions?: Instructions | null;
  /** The project of the thread; null for none. */
  projectId?: number | null;
  suspended?: SuspendedRun;
  /** Absent where only the asked model may answer. */
  fallback?: {
    modelIds: readonly string[];
    /** The request as another model gets it. */
    specFor(model: ChatModel): Pick<RunSpec, 'prompt' | 'sampling' | 'maxTokens' | 'defaults' | 'reasoningEffort'>;
  };
}
