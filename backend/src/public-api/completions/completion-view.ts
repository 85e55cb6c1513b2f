import type {
  ChatCompletion,
  ChatCompletionChunk,
  CompletionFinishReason,
  CompletionLogprobs,
  CompletionReasoning,
  CompletionUsage,
} from '@tanya/contract';
import type {
  ClientReasoning,
  FinishReason,
  Logprobs,
  StoredAnswer,
  WrittenAnswer,
  WrittenChoice,
} from '../../chat/generation/detached/written-answer.js';

export interface CompletionHead {
  /** UUID of the generation. */
  generationId: string;
  model: string;
  /** Epoch seconds. */
  created: number;
  /** See `longNames`. */
  names: ReadonlyMap<string, string>;
}

export type Delta = ChatCompletionChunk['choices'][number]['delta'];

const completionId = (generationId: string): string => `chatcmpl-${generationId.replaceAll('-', '')}`;

export function toUsage(answer: WrittenAnswer): CompletionUsage {
  const [prompt, completion] = [answer.promptTokens ?? 0, answer.completionTokens ?? 0];
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: answer.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: answer.reasoningTokens ?? 0 },
  };
}

export const toFinishReason = (reason: FinishReason): CompletionFinishReason =>
  reason === 'tool-calls' ? 'tool_calls' : reason;

/** Reasoning under the name that the provider gave it. */
export const toReasoning = ({ name, text }: Omit<ClientReasoning, 'details'>): CompletionReasoning =>
  name === 'reasoning' ? { reasoning: text } : { reasoning_content: text };

type CompletionMessage = ChatCompletion['choices'][number]['message'];

/** Likelihoods as OpenAI has them: null without any of a kind. */
export const toLogprobs = ({ content, refusal }: Logprobs): CompletionLogprobs => ({
  content: content.length > 0 ? content : null,
  refusal: refusal.length > 0 ? refusal : null,
});

type EndedChoice = WrittenChoice & { finishReason: FinishReason };

/** The answers to a request that ended regularly, or by a filter, with their numbers. */
export function endedChoices(answer: WrittenAnswer): EndedChoice[] {
  return answer.choices.filter((choice): choice is EndedChoice => choice.finishReason !== null);
}

function toCompletionMessage(
  { text, calls, reasoning }: WrittenChoice,
  names: CompletionHead['names'],
): CompletionMessage {
  const thought = {
    ...(reasoning?.text && toReasoning(reasoning)),
    ...(reasoning?.details && { reasoning_details: reasoning.details }),
  };
  if (calls === undefined) return { role: 'assistant', content: text, ...thought };
  const toolCalls = calls.map(({ id, name, arguments: json, extraContent }) => ({
    id,
    type: 'function' as const,
    function: { name: names.get(name) ?? name, arguments: json },
    ...(extraContent && { extra_content: extraContent }),
  }));
  return { role: 'assistant', content: text || null, ...thought, tool_calls: toolCalls };
}

export function toCompletion({ generationId, model, names }: CompletionHead, answer: StoredAnswer): ChatCompletion {
  return {
    id: completionId(generationId),
    object: 'chat.completion',
    created: answer.created,
    model: answer.model ?? model,
    choices: endedChoices(answer).map((choice) => ({
      index: choice.choice,
      message: toCompletionMessage(choice, names),
      ...(choice.logprobs !== undefined && { logprobs: toLogprobs(choice.logprobs) }),
      finish_reason: toFinishReason(choice.finishReason),
    })),
    usage: toUsage(answer),
  };
}

/** What a chunk says of one of the answers. */
export interface ChunkChoice {
  index?: number;
  finish?: CompletionFinishReason | null;
  logprobs?: CompletionLogprobs;
}

/** @param choice its number, and its finish reason once it has ended */
export function toChunk(
  { generationId, model, created }: CompletionHead,
  delta: Delta,
  { index = 0, finish = null, logprobs }: ChunkChoice = {},
): ChatCompletionChunk {
  return {
    id: completionId(generationId),
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index, delta, ...(logprobs !== undefined && { logprobs }), finish_reason: finish }],
  };
}

/** The last chunk when the request asks for usage. */
export const toUsageChunk = (head: CompletionHead, answer: WrittenAnswer): ChatCompletionChunk => ({
  ...toChunk(head, {}),
  choices: [],
  usage: toUsage(answer),
});
