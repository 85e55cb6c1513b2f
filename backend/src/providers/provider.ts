import type { ImageDetail, ModelCapabilities, ReasoningEffort, Sampling } from '@tanya/contract';

/**
 * Part of a message with attachments. Files are data URLs, so that a provider never has to download from this server. Until
 * it runs, a request of a program may have https addresses in their place.
 */
export type ProviderPart =
  | { type: 'text'; text: string }
  /** Without `detail` the provider's default applies. */
  | { type: 'image'; dataUrl: string; detail?: ImageDetail }
  | { type: 'audio'; dataUrl: string };

/** What a provider adds to a call in its own form, and demands back with it: the signature of Gemini. */
export type ExtraContent = Record<string, unknown>;

export interface ProviderToolCall {
  id: string;
  name: string;
  args: unknown;
  /** The arguments as a client of the public API wrote them, sent in place of `args`. */
  json?: string;
  extraContent?: ExtraContent;
}

/** Every call of an assistant's message is followed by a tool message with its result. */
export type ProviderMessage = Author & MessageOfRole;

interface Author {
  /** Who wrote a message, among several of one role; of a result, the function. Programs give it. */
  name?: string;
}

type MessageOfRole =
  | { role: 'system' | 'user'; content: string | ProviderPart[] }
  | {
      role: 'assistant';
      content: string | ProviderPart[];
      toolCalls?: ProviderToolCall[];
      /** The reasoning before it, of a provider that names it `reasoning_content`. */
      reasoningContent?: string;
      /** As the provider sent them. */
      reasoningDetails?: unknown[];
      /** The field that asks the model to continue the message, at providers that have one. */
      continuedBy?: 'prefix' | 'partial';
    }
  | { role: 'tool'; callId: string; content: string };

/** A function that the model may call. */
export interface ProviderTool {
  name: string;
  description?: string;
  /** JSON Schema of an object. */
  parameters?: Readonly<Record<string, unknown>>;
  /** Whether the arguments must follow the schema exactly. */
  strict?: boolean;
}

/** Whether the model may, must or must not call tools, or the one that it must call. */
export type ToolChoice = 'none' | 'auto' | 'required' | { name: string };

export interface ProviderRequest {
  /** The model id in the provider's own form, as the registry returned it. */
  model: string;
  messages: ProviderMessage[];
  sampling?: Sampling;
  maxTokens?: number;
  reasoningEffort?: ReasoningEffort;
  /** Names of the parameters above that the asker did not set, such as an admin's `temperature`: left out where they are refused. */
  defaults?: readonly string[];
  tools?: ProviderTool[];
  /** Without it the provider's default applies; sent with `tools` alone. */
  toolChoice?: ToolChoice;
  /** Whether one step may have several calls; sent with `tools` alone. */
  parallelToolCalls?: boolean;
  /** Tools that the provider runs itself, in its own form. */
  serverTools?: Readonly<Record<string, unknown>>[];
  /** Whether reasoning between tags in the text comes as reasoning; otherwise the text comes as it was sent. */
  separatesReasoning?: boolean;
  /** Whether another model can answer instead, so that a busy provider is not waited for. */
  hasFallback?: boolean;
}

/** Usage that a provider reports about one call. Counts are at most 1,000,000,000. */
export interface ProviderUsage {
  promptTokens: number;
  completionTokens: number;
  /** Part of `promptTokens` that came from the provider's cache. */
  cachedTokens?: number;
  /** Part of `completionTokens`. */
  reasoningTokens?: number;
  /** Cost that the provider charges, a decimal string in USD. */
  cost?: string;
  /** The model that answered, when it reports one. */
  model?: string;
}

/** The events of one of several answers. */
export type ChoiceEvent = Exclude<ProviderEvent, { type: 'choice' | 'usage' | 'text-was-reasoning' }>;

export type ProviderEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /**
   * The provider names its reasoning `reasoning_content`. The next request repeats the text under that name with the calls
   * of this answer: some providers require it, and those that use another name may refuse it.
   */
  | { type: 'reasoning-content' }
  /** All text so far was reasoning, by a closing tag without an opening one; only with `separatesReasoning`. */
  | { type: 'text-was-reasoning' }
  | ({ type: 'usage' } & ProviderUsage)
  /**
   * A piece of a call while the model writes it, for clients that run the calls themselves. Calls are numbered from 0 in the
   * order of their first pieces. Only the first piece has `start`; its id may be missing or repeat an earlier one. `json` is
   * the next text of the arguments, without NUL or split surrogate pairs.
   */
  | {
      type: 'tool-call-delta';
      index: number;
      start?: { id: string | null; name: string };
      json: string;
      /** In one piece of a call at most. */
      extraContent?: ExtraContent;
    }
  /**
   * A complete call. Its id may be missing or repeat an earlier one. `args` is the parsed JSON; `invalid` says why there is
   * none, and `args` is then an empty object.
   */
  | {
      type: 'tool-call';
      id: string | null;
      name: string;
      args: unknown;
      invalid?: string;
      extraContent?: ExtraContent;
    }
  /** Calls whose pieces were passed on and that the server has run itself, by their numbers; once, before `finish`. */
  | { type: 'tool-calls-withdrawn'; indexes: readonly number[] }
  /** Reasoning in the provider's own form, which the next request repeats with the answer. */
  | { type: 'reasoning-details'; details: unknown[] }
  /** A source that the provider cites. */
  | { type: 'source'; url: string; title: string; snippet?: string }
  /** The answer has pictures beside its text, which are not passed on; before `finish`. */
  | { type: 'pictures-left-out' }
  /** Likelihoods of the tokens since the last ones, in the provider's own form. Sent only if the request asks for them. */
  | { type: 'logprobs'; content: unknown[]; refusal: unknown[] }
  /**
   * `content_filter` and `failed`: this choice alone, of several, did not end regularly. `stopSequence`: that of the request at
   * which the answer ended, where the provider names it.
   */
  | { type: 'finish'; reason: 'stop' | 'length' | 'tool-calls' | 'content_filter' | 'failed'; stopSequence?: string }
  /** An event of a further answer, from 1 on, to a request for several (`n`). */
  | { type: 'choice'; choice: number; event: ChoiceEvent };

export type ToolCallDelta = Extract<ProviderEvent, { type: 'tool-call-delta' }>;
export type ToolCallEvent = Extract<ProviderEvent, { type: 'tool-call' }>;

/** Characters of the fields of a source. A page with a longer address is no source. */
export const SOURCE_BOUNDS = { url: 2_048, title: 300, snippet: 1_000 };

/** Receives a batch of events; an empty one while the answer goes on and its text is held. */
export type ProviderEventListener = (events: readonly ProviderEvent[]) => void;

export interface ProviderModel {
  id: string;
  name: string | null;
  description: string | null;
  /** Tokens; null if the provider does not report it. */
  contextLength: number | null;
  capabilities: ModelCapabilities;
}

/** Parameters of an image under OpenAI's names, for the upstream to judge. */
export type ImageOptions = Readonly<Record<string, string | number>>;

export interface ImageRequest {
  model: string;
  prompt: string;
  options?: ImageOptions;
}

export interface ProviderImage {
  bytes: Buffer;
  /** Detected from the bytes; the type that the provider declared is ignored. */
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Absent when the provider reports none. */
  usage?: ProviderUsage;
}

/** A request for embeddings under OpenAI's names; the provider adds its model. */
export type EmbeddingRequest = { model: string } & Readonly<Record<string, unknown>>;

/** The response of an upstream, relayed unread. */
export interface RelayedJson {
  /** UTF-8. */
  json: Buffer;
  /** null when the upstream reports none. */
  usage: ProviderUsage | null;
}

/** A file that is sent to an upstream in pieces. */
export interface ProviderFile {
  /** Without control characters. */
  name: string;
  /** Media type. */
  type: string;
  /** Bytes. */
  size: number;
  /** Reads the content. A retry reads it again. */
  open(): AsyncIterable<Uint8Array>;
}

/** An audio file to transcribe, with the other form fields under OpenAI's names. */
export interface TranscriptionRequest {
  model: string;
  file: ProviderFile;
  fields: readonly (readonly [name: string, value: string])[];
  /** Whether the response is a JSON object, by the requested format. */
  isJson: boolean;
}

/** The response of an upstream, relayed as it is. */
export interface Transcription {
  /** JSON or text, without NUL. */
  body: string;
  /** null when the upstream reports no token counts. */
  usage: ProviderUsage | null;
}

/** Writes answers and generates pictures. Implementations hold no state of a request between calls. */
export interface Provider {
  /** For logs and metrics: the kind of the connection, `local` or `demo`. */
  readonly name: string;

  /**
   * Streams one answer as batches of events, one batch per read from the network: adjacent deltas of one type are joined,
   * so a fast stream costs one step per read instead of one per token. Resolves after the last batch.
   *
   * - `onEvents` is called synchronously, in order, and never after the promise is settled. When it throws, the
   *   connection is closed and the promise rejects with its error.
   * - The last batch ends with exactly one `finish`. `usage`, `reasoning-details` and the calls come before it, `usage` at
   *   most once. The reason is `tool-calls` when there is a call; an answer cut at its length has none. A promise that
   *   resolves without `finish` does not exist: it rejects.
   * - `reasoning-content` comes at most once, before the reasoning.
   * - Rejects with ProviderError for every failure. Events before the error stay valid. `interrupted` on the error marks
   *   an answer that had begun and broke off.
   * - An aborted signal closes the connection at once and rejects with the signal's reason. A caller that catches an
   *   error checks `signal.aborted` first.
   */
  stream(request: ProviderRequest, signal: AbortSignal, onEvents: ProviderEventListener): Promise<void>;

  /** Generates one picture of at most 20 MB. Throws like `stream`. */
  generateImage(request: ImageRequest, signal: AbortSignal): Promise<ProviderImage>;

  /** Embeds texts. Throws like `stream`. */
  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<RelayedJson>;

  /** Transcribes an audio file. Throws like `stream`. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcription>;

  /** Lists the available models. Throws like `stream`. */
  listModels(signal: AbortSignal): Promise<ProviderModel[]>;

  /** Waits for running calls and closes all connections. The provider must not be used afterwards. */
  close(): Promise<void>;
}

/** Timeouts and delays of a provider, ms. */
export const PROVIDER_TIMINGS = {
  /** Until the TCP (and TLS) connection is open. */
  connect: 10_000,
  /** From the call to the first text or reasoning, retries included. */
  firstToken: 60_000,
  /** Between two batches of an answer, counted from the last read. */
  idle: 30_000,
  /** For an answer in one piece, of a server that refuses streams. */
  whole: 300_000,
  /** For usage and the end of the body, after the finish reason has arrived. */
  closing: 2_000,
  /** No retry begins later than this after the call. */
  retryBudget: 10_000,
  /** The same where another model can answer instead: time for the first retry after `retryDelay`, not for the second. */
  retryBudgetWithFallback: 1_000,
  /** Delay of the first retry without a Retry-After, doubled for the second. */
  retryDelay: 500,
  /** For a complete picture. */
  image: 180_000,
  embeddings: 60_000,
  /** For a transcription, with the upload of its audio file. */
  transcription: 300_000,
  /** For a list of models. */
  list: 10_000,
  connectionTest: 8_000,
};

export type ProviderTimings = typeof PROVIDER_TIMINGS;
