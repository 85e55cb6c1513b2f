/** One piece of a message that is more than text. Files travel as data URLs, so that no provider has to reach back to us. */
export type ProviderPart =
  { type: 'text'; text: string } | { type: 'image'; dataUrl: string } | { type: 'audio'; dataUrl: string };

export interface ProviderMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ProviderPart[];
}

/**
 * How a model is to choose its words and where it ends. Under OpenAI's names: those who ask and the servers that write
 * both speak so, and it goes through unchanged.
 */
export interface Sampling {
  temperature?: number;
  top_p?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  stop?: string | string[];
  seed?: number;
}

export interface ProviderRequest {
  /** The id as this provider knows it; the registry has already dropped what is ours. */
  model: string;
  messages: ProviderMessage[];
  sampling?: Sampling;
  maxTokens?: number;
}

export type ProviderEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  | { type: 'usage'; promptTokens: number; completionTokens: number }
  | { type: 'finish'; reason: 'stop' | 'length' };

export interface ProviderModel {
  id: string;
  name: string | null;
  description: string | null;
  /** Tokens; null where the provider doesn't say. */
  contextLength: number | null;
}

export interface ProviderImage {
  bytes: Buffer;
  /** By content, never by what the provider claimed. */
  type: 'image/png' | 'image/jpeg' | 'image/webp';
}

/** Something that writes answers and draws pictures. Implementations hold no state of a request between calls. */
export interface Provider {
  /** For logs and metrics: `openrouter`, `openai`, `local` or `demo`. */
  readonly name: string;

  /**
   * Writes one answer, as batches of events: one batch for each read from the network, neighbouring deltas of a kind
   * joined, so that a fast stream costs one step a read and not one a token.
   *
   * - The last batch ends with exactly one `finish`; `usage` comes at most once, before it. An iteration that ends
   *   without `finish` has thrown.
   * - Throws ProviderError for everything that goes wrong. What was yielded before it stays valid; `interrupted` on the
   *   error says that an answer had begun and broke off for no fault of the request.
   * - When the signal is aborted it throws the signal's reason, and the connection is closed at once. So a caller that
   *   catches looks at `signal.aborted` first.
   * - Leaving the loop early (break, return) closes the connection too.
   */
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<readonly ProviderEvent[]>;

  /** Draws one picture of at most 20 MB. Throws as `stream` does. */
  generateImage(request: { model: string; prompt: string }, signal: AbortSignal): Promise<ProviderImage>;

  /** The models that can be asked for. Throws as `stream` does. */
  listModels(signal: AbortSignal): Promise<ProviderModel[]>;

  /** Lets what is running finish and frees its connections; it is not used afterwards. */
  close(): Promise<void>;
}

/** Every wait of a provider, in milliseconds; tests shrink them. */
export interface ProviderTimings {
  /** To a TCP (and TLS) connection. */
  connect: number;
  /** From the call to the first visible or reasoned text, retries included. */
  firstToken: number;
  /** Between two batches of an answer. */
  idle: number;
  /** For usage and a clean close, once the model has said that it is done. */
  closing: number;
  /** No retry begins later than this after the call. */
  retryBudget: number;
  /** Before the first retry, doubled for the second, where the provider names no time. */
  retryDelay: number;
  /** For a whole picture. */
  image: number;
  /** For a list of models. */
  list: number;
}

export const PROVIDER_TIMINGS: ProviderTimings = {
  connect: 10_000,
  firstToken: 60_000,
  idle: 30_000,
  closing: 2_000,
  retryBudget: 10_000,
  retryDelay: 500,
  image: 180_000,
  list: 10_000,
};
