import { ProviderError } from '../provider-error.js';
import type { RelayedJson } from '../provider.js';
import { reportedUsage } from './reported-usage.js';

/** Bytes at each end of a response in which its usage is looked for. */
const ENDS = 2_000;

/** The whitespace of JSON. An upstream may send it as a keep-alive before its response, without a bound of its own. */
const WHITESPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);

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

/** The bytes of the object, without the byte order mark and the whitespace around it. */
function objectIn(body: Buffer): Buffer {
  let start = afterWhitespace(body, 0);
  const afterMark = start + BYTE_ORDER_MARK.length;
  if (body.subarray(start, afterMark).equals(BYTE_ORDER_MARK)) start = afterWhitespace(body, afterMark);
  let end = body.length;
  while (end > start && WHITESPACE.has(body[end - 1]!)) end -= 1;
  if (body[start] !== OPEN || body[end - 1] !== CLOSE) throw new ProviderError('provider_error');
  return body.subarray(start, end);
}

function afterWhitespace(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && WHITESPACE.has(body[at]!)) at += 1;
  return at;
}
