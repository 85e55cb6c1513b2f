import { ProviderError } from '../provider-error.js';
import type { RelayedJson } from '../provider.js';
import { reportedUsage } from './reported-usage.js';

/** Bytes at each end of a response in which its usage is looked for. */
const ENDS = 2_000;

/** Bytes of whitespace that are accepted before and after the object. */
const MARGIN = 64;

const PROMPT_TOKENS = /"prompt_tokens"\s*:\s*(\d{1,9})\b/;
const COST = /"cost"\s*:\s*([\d.eE+-]{1,40})/;
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;

/**
 * Checks that a response is a JSON object with `data`. Vectors are several megabytes of numbers, so only the ends of a large
 * response are read, and its bytes are relayed: parsing 100 vectors takes longer than the goal for the whole call, and
 * decoding them a fifth of it.
 * @throws ProviderError for anything else
 */
export function relayedJson(body: Buffer): RelayedJson {
  const json = objectIn(body);
  const ends = json.length <= 2 * ENDS ? latin(json) : latin(json.subarray(0, ENDS)) + latin(json.subarray(-ENDS));
  if (!ends.includes('"data"')) throw new ProviderError('provider_error');
  const [tokens, cost, model] = [PROMPT_TOKENS, COST, MODEL].map((pattern) => pattern.exec(ends)?.[1]);
  const usage = {
    prompt_tokens: tokens === undefined ? undefined : Number(tokens),
    completion_tokens: 0,
    cost: cost === undefined ? undefined : Number(cost),
  };
  return { json, usage: reportedUsage(usage, model) };
}

const latin = (bytes: Buffer): string => bytes.toString('latin1');

/** The bytes of the object, without the whitespace around it. */
function objectIn(body: Buffer): Buffer {
  const start = body.indexOf('{');
  const end = body.lastIndexOf('}') + 1;
  const isObject = start >= 0 && start <= MARGIN && end > start && body.length - end <= MARGIN;
  if (!isObject || (body.toString('utf8', 0, start) + body.toString('utf8', end)).trim() !== '')
    throw new ProviderError('provider_error');
  return body.subarray(start, end);
}
