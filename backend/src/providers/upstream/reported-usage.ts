import { type Fields, fieldsOf } from '../../platform/json/fields.js';
import type { ProviderUsage } from '../provider.js';
import { decimalOf } from './model-capabilities.js';

/** Larger counts are not believed: their sum would not fit into the ledger. */
const MAX_COUNT = 1_000_000_000;

const MAX_MODEL_CHARACTERS = 200;

/**
 * The usage of a chunk: its own, that of its choice (Moonshot) or that of Groq, else what llama.cpp, Gemini or Ollama call it,
 * as gateways pass it on. Zeros for an answer are no count.
 * @param choice that was read
 */
export function usageOf(chunk: object, choice: unknown): ProviderUsage | null {
  const fields = chunk as Fields;
  const { delta, message, usage: ofChoice } = fieldsOf(choice);
  const places = [
    ...[fields['usage'], ofChoice, fieldsOf(fields['x_groq'])['usage']],
    ...[fieldsOf(delta)['usage'], fieldsOf(message)['usage'], fields['usageMetadata'], fields['usage_metadata']],
    fields['timings'] && ofTimings(fieldsOf(fields['timings'])),
    fields['prompt_eval_count'] && fields,
  ];
  for (const place of places) {
    const usage = place ? reportedUsage(place, fields['model']) : null;
    if (usage !== null && usage.promptTokens + usage.completionTokens > 0) return usage;
  }
  return null;
}

/**
 * The usage of a stream that reports it several times. The counts only grow, and some gateways have the prompt in the first
 * report and what was written in the last one.
 */
export function laterUsage(earlier: ProviderUsage | null, later: ProviderUsage): ProviderUsage {
  if (earlier === null) return later;
  return {
    ...earlier,
    ...later,
    promptTokens: Math.max(earlier.promptTokens, later.promptTokens),
    completionTokens: Math.max(earlier.completionTokens, later.completionTokens),
  };
}

/**
 * Reads the `usage` of a response: under the names of chat completions and of images. Fields may have any type; null without
 * whole token counts.
 * @param model that answered, as the response names it
 */
export function reportedUsage(value: unknown, model?: unknown): ProviderUsage | null {
  const usage = countsIn(value);
  const promptTokens = countIn(usage, OF_PROMPT);
  if (promptTokens === undefined) return null;
  const total = countIn(usage, IN_ALL) ?? 0;
  const written = countIn(usage, WRITTEN) ?? restOf(usage, total - promptTokens);
  if (written === undefined) return null;
  const input = fieldsOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details']);
  const output = fieldsOf(usage['completion_tokens_details'] ?? usage['output_tokens_details']);
  const reasoned = countOf(output['reasoning_tokens']) ?? countIn(usage, REASONED);
  const beside = Math.max(total - promptTokens - written, 0);
  const aside = beside === cacheBeside(usage) ? 0 : reasonedAside(beside, reasoned);
  return withoutAbsent({
    promptTokens,
    completionTokens: written + aside,
    cachedTokens: cachedOf(usage, input, promptTokens),
    reasoningTokens: reasoned ?? (aside > 0 ? aside : undefined),
    cost: costOf(usage),
    model: modelOf(model),
  });
}

/** Characters of a usage in a text of JSON. */
const MAX_JSON = 10_000;

/** The fields of a usage. Some gateways put it into a list, whose last entry has all of it, or write it as a text of JSON. */
function countsIn(value: unknown): Fields {
  if (Array.isArray(value)) return fieldsOf(value.at(-1));
  if (typeof value !== 'string' || value.length > MAX_JSON || !value.trimStart().startsWith('{'))
    return fieldsOf(value);
  try {
    return fieldsOf(JSON.parse(value));
  } catch {
    return {};
  }
}

/** The names of the counts: OpenAI's, those of its images, those of gateways in JavaScript, of Gemini and of Ollama. */
const OF_PROMPT = [
  ...['prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens'],
  ...['promptTokenCount', 'prompt_token_count', 'prompt_eval_count'],
];
const WRITTEN = [
  ...['completion_tokens', 'output_tokens', 'completionTokens', 'outputTokens'],
  ...['candidatesTokenCount', 'candidates_token_count', 'eval_count'],
];
const IN_ALL = ['total_tokens', 'totalTokens', 'totalTokenCount', 'total_token_count'];
const REASONED = ['thoughtsTokenCount', 'thoughts_token_count'];

const countIn = (usage: Fields, names: readonly string[]): number | undefined =>
  countOf(names.map((name) => usage[name]).find((count) => count !== undefined && count !== null));

/** The counts of llama.cpp without a usage: those of the prompt that it had in its cache are beside those that it read. */
function ofTimings({ prompt_n: read, cache_n: cached, predicted_n: written }: Fields): Fields {
  const cachedTokens = countOf(cached) ?? 0;
  const readTokens = countOf(read);
  return {
    prompt_tokens: readTokens === undefined ? undefined : readTokens + cachedTokens,
    completion_tokens: written,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** What a total counts beside the prompt, where a gateway leaves out the tokens written; undefined for none. */
const restOf = (usage: Fields, beside: number): number | undefined => {
  const rest = beside - cacheBeside(usage);
  return rest > 0 ? rest : undefined;
};

/**
 * The tokens of reasoning that only the total counts: xAI names them beside the written ones, Gemini nowhere. They are paid
 * for as written ones. A total that disagrees with the reasoning named is not believed.
 * @param beside those of the total that are neither of the prompt nor written
 */
const reasonedAside = (beside: number, reasoned?: number): number =>
  reasoned === undefined || reasoned === beside ? beside : 0;

/** The tokens of a cache, which Anthropic does not count in the prompt, but in the total. */
const cacheBeside = (usage: Fields): number =>
  (countOf(usage['cache_read_input_tokens']) ?? 0) + (countOf(usage['cache_creation_input_tokens']) ?? 0);

/**
 * OpenRouter's dollars, DeepInfra's of another name, Perplexity's parts with a total, xAI's ten billionths of a dollar. Where
 * OpenRouter calls with a key of its customer, its own cost is a fee or 0, and the provider's is paid beside it. Other calls have
 * it in the cost.
 */
function costOf({
  cost,
  is_byok: isOwnKey,
  cost_details: details,
  cost_in_usd_ticks: ticks,
  estimated_cost: estimate,
}: Fields): string | undefined {
  const dollars = decimalOf(fieldsOf(cost)['total_cost'] ?? cost ?? estimate);
  const beside = isOwnKey === true ? decimalOf(fieldsOf(details)['upstream_inference_cost']) : null;
  if (beside !== null) return decimalOf(Number(beside) + Number(dollars ?? 0)) ?? undefined;
  if (dollars !== null) return dollars;
  return typeof ticks === 'number' ? (decimalOf(ticks / 1e10) ?? undefined) : undefined;
}

/** OpenAI's place, that of Moonshot, of DeepSeek, and the name of Anthropic, which LiteLLM passes on. */
function cachedOf(usage: Fields, input: Fields, promptTokens: number): number | undefined {
  const places = [
    ...[input['cached_tokens'], usage['cached_tokens'], usage['prompt_cache_hit_tokens']],
    ...[usage['cache_read_input_tokens'], usage['cachedContentTokenCount'], usage['cached_content_token_count']],
  ];
  const cached = places.map(countOf).find((count) => count !== undefined);
  return cached === undefined ? undefined : Math.min(cached, promptTokens);
}

function modelOf(value: unknown): string | undefined {
  const isName = typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= MAX_MODEL_CHARACTERS;
  return isName ? value : undefined;
}

/** Some gateways write their counts as texts. */
function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT;
  return isCount ? count : undefined;
}

const withoutAbsent = (usage: ProviderUsage): ProviderUsage =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined)) as unknown as ProviderUsage;
