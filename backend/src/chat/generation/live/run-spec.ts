import type { Instructions, Message, ModelPricing, MessageNotice } from '@tanya/contract';
import type { Asker, Owner } from '../../../identity/identity.js';
import type { ChatModel } from '../../../models/models.service.js';
import type { Tool } from '../../../tools/tool.js';
import type { RequestParameters } from './request-parameters.js';
import type {
  ExtraContent,
  ImageOptions,
  ProviderMessage,
  ProviderRequest,
  ProviderUsage,
} from '../../../providers/provider.js';
import type { ChosenProvider } from '../../../providers/registry.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import type { MeterState } from '../../../quota/usage-meter.js';
import type { FailedAttempt, Checkpoint } from '../store/generation-store.js';
import type { CitationsState } from './citations.js';

/** What a run is told when it starts. Nothing in it changes. */
export type RunSpec = MessageSpec | ProgramSpec | ImageSpec | RelaySpec;

export interface CommonSpec {
  generationId: string;
  /** As of the send. */
  asker: Asker;
  /** The asked model. */
  model: RunModel;
  /** Whether it holds an amount in budgets. */
  isBudgeted: boolean;
  /** null for a detached generation (public API, image dialog). */
  thread: RunThread | null;
}

interface TextSpec extends CommonSpec {
  /** The parameters that the request gives itself, without the defaults of a model. */
  requested: RequestParameters;
  /** Ids of the models that may answer instead, in their order. */
  fallbacks: readonly string[];
}

/** A message in a thread: text in steps, with calls of tools. */
export interface MessageSpec extends TextSpec {
  kind: 'message';
  thread: RunThread;
  /** Without them the answer is one step. */
  tools?: RunTools;
  /** Only for an answer that goes on after approvals. */
  restored?: RestoredRun;
}

/** Text for a program: one step. Calls of tools are part of the answer, and the program runs them. */
export interface ProgramSpec extends TextSpec, ProgramPrompt {
  kind: 'program';
  thread: null;
}

/** One image: of the message of a thread, or a detached one. */
export type ImageSpec = CommonSpec & { kind: 'image' } & (
    | { thread: RunThread; image: null }
    | { thread: null; image: DetachedImage }
  );

/** Embeddings or a transcription. The result is the answer that is stored. */
export interface RelaySpec extends CommonSpec, RelayedCall {
  kind: 'relay';
  thread: null;
}

/** A model, and how it is asked. */
export interface RunModel
  extends
    Pick<ChatModel, 'modelId' | 'upstreamId' | 'connectionId' | 'contextLength' | 'kind'>,
    Partial<Pick<ChatModel, 'vision' | 'systemPrompt' | 'supportsTools' | 'reasoningEfforts'>> {
  /** Prices at the admission; null when unknown. */
  pricing: ModelPricing | null;
  /** Those of the request, and for the rest the defaults of the model. */
  parameters: RequestParameters;
}

/** The thread in which an answer is written, as of the send. */
export interface RunThread {
  threadId: number;
  /** Of the answer. */
  messageId: number;
  userMessage: Message;
  /** The custom instructions that apply; null without any. */
  instructions: Instructions | null;
  projectId: number | null;
  /** Whether its title is still its first words, and gets another one after this answer. */
  lacksTitle: boolean;
  isTemporary: boolean;
  /** Whether the error of a failed answer names its cause: for admins. */
  showsCause: boolean;
}

export interface RunTools {
  offered: Tool[];
  /** Steps in which the model may call them; one more without tools follows. */
  maxSteps: number;
  /** Draws an image for a call, see `ToolContext.drawImage`. */
  drawImage(call: { asker: Asker; callId: string; prompt: string; signal: AbortSignal }): Promise<{ url: string }>;
}

/** One step of an answer, for the prompt of the next one. */
export interface StepTurn {
  text: string;
  reasoningContent?: string;
  reasoningDetails?: unknown[];
  callIds: string[];
  /** What the provider adds to its calls, by their ids; absent without any. */
  extraContents?: Record<string, ExtraContent>;
}

/** How far an answer in steps has come. Its parts are in the message. */
export interface AnswerProgress {
  /** Steps in which the model has called tools, the last one included. */
  steps: number;
  turns: StepTurn[];
  /** Whether results are shortened, because the provider refused the length. */
  isShort: boolean;
  takesTools: boolean | null;
  /** Kind of the connection that answered the last step. */
  provider: string;
}

/** The state of a run beside its parts and its steps: `GenerationRun.state` gives it, and the next run takes it over. */
export interface RunState {
  /** Tokens of all steps as the provider reported them. */
  usage: { promptTokens: number; completionTokens: number } | null;
  meter: MeterState;
  /** The usage for the ledger, if the answer ends now. */
  recorded: RecordedUsage;
  notices: MessageNotice[];
  /** Whether a step offered the web search of the provider. */
  isSearchOffered: boolean;
  /** null in a state of an earlier version, which numbered the sources by their count. */
  citations: CitationsState | null;
  /** Models that failed before the one that answers. */
  attempts: readonly FailedAttempt[];
}

/** A run as it waited, which the run that continues it takes over. Its calls are decided. */
export interface RestoredRun extends RunState {
  progress: AnswerProgress;
  checkpoint: Checkpoint;
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
