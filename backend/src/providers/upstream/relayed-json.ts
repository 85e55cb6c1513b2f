import { ProviderError } from '../provider-error.js';
import type { RelayedJson } from '../provider.js';
import { reportedUsage } from './reported-usage.js';

/** Characters at each end of a response in which its usage is looked for. */
const ENDS = 2_000;

const PROMPT_TOKENS = /"prompt_tokens"\s*:\s*(\d{1,9})\b/;
const COST = /"cost"\s*:\s*([\d.eE+-]{1,40})/;
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;

/**
 * Checks that a response is a JSON object with `data`. Vectors are several megabytes of numbers, so only the ends of a large
 * response are read: parsing 100 vectors takes longer than the goal for the whole call.
 * @throws ProviderError for anything else
 */
export function relayedJson(body: string): RelayedJson {
  const text = body.trim();
  const ends = text.length <= 2 * ENDS ? text : text.slice(0, ENDS) + text.slice(-ENDS);
  const isObject = text.startsWith('{') && text.endsWith('}') && ends.includes('"data"');
  if (!isObject) throw new ProviderError('provider_error');
  const [tokens, cost, model] = [PROMPT_TOKENS, COST, MODEL].map((pattern) => pattern.exec(ends)?.[1]);
  const usage = {
    prompt_tokens: tokens === undefined ? undefined : Number(tokens),
    completion_tokens: 0,
    cost: cost === undefined ? undefined : Number(cost),
  };
  return { json: text, usage: reportedUsage(usage, model) };
}
