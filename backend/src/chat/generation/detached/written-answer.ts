import type { ExtraContent } from '../../../providers/provider.js';

/** The name under which a provider sends its reasoning. Some require it back as the first one; others refuse that. */
export type ReasoningName = 'reasoning_content' | 'reasoning';

/** The reasoning of a detached answer, which its client may return with the answer. */
export interface ClientReasoning {
  name: ReasoningName;
  text: string;
  /** In the provider's own form; absent when it sent none. */
  details?: unknown[];
}

/** A call of a tool that the client runs. */
export interface ClientCall {
  id: string;
  name: string;
  /** JSON as the model wrote it, which may be invalid. */
  arguments: string;
  extraContent?: ExtraContent;
}

/** Likelihoods of the tokens of an answer, in the provider's own form. */
export interface Logprobs {
  content: unknown[];
  refusal: unknown[];
}

/**
 * Why an answer ended. `tool-calls`: the client is to run its calls. `content_filter`: the provider filtered it, and the
 * generation failed.
 */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content_filter';

/** One of the answers to a request, which may ask for several (`n`). */
export interface WrittenChoice {
  /** Its number, from 0 on. */
  choice: number;
  text: string;
  /** null for one that did not end regularly. */
  finishReason: FinishReason | null;
  /** The stop sequence at which it ended; absent where the provider does not say. */
  stopSequence?: string;
  /** Calls of tools that the client runs; absent without any. */
  calls?: ClientCall[];
  /** Absent without any. */
  reasoning?: ClientReasoning;
  /** Absent without any. */
  logprobs?: Logprobs;
}

/** In the order of their numbers. */
export type WrittenChoices = [WrittenChoice, ...WrittenChoice[]];

/** The answer of a detached generation (public API, image dialog), kept for its idempotency key. */
export interface StoredAnswer {
  choices: WrittenChoices;
  /** The model that answered; absent in answers of earlier versions. */
  model?: string;
  promptTokens: number | null;
  completionTokens: number | null;
  /** Part of `promptTokens`; absent in answers of earlier versions. */
  cachedTokens?: number | null;
  /** Part of `completionTokens`; absent in answers of earlier versions. */
  reasoningTokens?: number | null;
  /** Epoch seconds. */
  created: number;
}

/** The same from the memory of its run, which does not know when its row was created. */
export type WrittenAnswer = Omit<StoredAnswer, 'created'>;
