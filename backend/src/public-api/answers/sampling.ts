import type { ChatCompletionRequest, ReasoningEffort, Sampling } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { presentFields } from '../../platform/http/present-fields.js';

/** All sampling parameters. Hashes of requests follow this order. */
const PARAMETERS = Object.keys({
  temperature: true,
  top_p: true,
  presence_penalty: true,
  frequency_penalty: true,
  stop: true,
  seed: true,
  response_format: true,
  logit_bias: true,
  verbosity: true,
  top_k: true,
  min_p: true,
  repetition_penalty: true,
  chat_template_kwargs: true,
  min_tokens: true,
  stop_token_ids: true,
  continue_final_message: true,
  add_generation_prompt: true,
  enable_thinking: true,
  thinking: true,
  thinking_budget: true,
  guided_json: true,
  guided_regex: true,
  guided_choice: true,
  guided_grammar: true,
  structured_outputs: true,
  grammar: true,
  n: true,
  logprobs: true,
  top_logprobs: true,
} satisfies Record<keyof Sampling, true>) as (keyof Sampling)[];

/** The sampling parameters, passed to the provider unchanged. @throws AppError `invalid` naming the field */
export function samplingOf(request: ChatCompletionRequest): Sampling {
  const given: Sampling = Object.fromEntries(PARAMETERS.map((name) => [name, request[name]]));
  const { stop, stop_token_ids, response_format, logit_bias, n, top_logprobs } = given;
  const logprobs = given.logprobs || undefined;
  if (logprobs === undefined && top_logprobs)
    throw invalidField('top_logprobs', 'top_logprobs needs logprobs. Please set it to true.');
  return presentFields({
    ...given,
    // Some servers refuse an empty list.
    stop: stop?.length === 0 ? undefined : stop,
    stop_token_ids: stop_token_ids?.length === 0 ? undefined : stop_token_ids,
    response_format: response_format?.type === 'text' ? undefined : response_format,
    logit_bias: Object.keys(logit_bias ?? {}).length > 0 ? logit_bias : undefined,
    n: n === 1 ? undefined : n,
    logprobs,
    top_logprobs: logprobs && top_logprobs,
  });
}

/** Budgets of thinking up to these many tokens have these efforts, as OpenRouter shares out an answer of 32,000 tokens. */
const BUDGETS: [most: number, effort: ReasoningEffort][] = [
  [0, 'none'],
  [6_400, 'low'],
  [16_000, 'medium'],
];

/** The effort of a budget of thinking, in tokens. */
export const effortOfBudget = (tokens: number): ReasoningEffort =>
  BUDGETS.find(([most]) => tokens <= most)?.[1] ?? 'high';
