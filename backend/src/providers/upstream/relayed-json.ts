import { parseAnswer } from '../../platform/json/json-text.js';
import { jsonPieces } from '../../platform/json/json-writer.js';
import { inSlices } from '../../platform/system/slices.js';
import { decodedText } from '../../platform/system/decoded-text.js';
import { ProviderError, UnusableVectors } from '../provider-error.js';
import type { RelayedJson } from '../provider.js';
import { encodingOf, type VectorEncoding, vectorsAs, vectorsIn } from './dialect/embedding-list.js';
import { errorIn } from './dialect/error-shape.js';
import { reportedUsage } from './reported-usage.js';
import { failureOfAnswer } from './upstream-failure.js';

/** Bytes at each end of a response in which its usage is looked for. */
const ENDS = 2_000;

/** Bytes of the largest response that may be an error and is therefore parsed. */
const SMALL = 16 * 1024;

/** The whitespace of JSON. An upstream may send it as a keep-alive before its response, without a bound of its own. */
const WHITESPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const PAGE = '<'.charCodeAt(0);
const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);

const PLACE = Buffer.from('"index"');
const DATA = Buffer.from('"data"');
/** What stands for a number or a vector that a server could not compute, and for a vector in base64, which may have these letters. */
const NO_NUMBERS = ['null', 'NaN', 'nan', 'Infinity', '[]'].map((word) => Buffer.from(word));
const NO_TEXTS = [':null', ': null', ':""', ': ""'].map((word) => Buffer.from(word));
const PROMPT_TOKENS = /"(?:prompt|input)_tokens"\s*:\s*(\d{1,9})\b/;
/** Voyage has no other count. Of vectors it is the same. */
const TOTAL_TOKENS = /"total_tokens"\s*:\s*(\d{1,9})\b/;
const COST = /"cost"\s*:\s*([\d.eE+-]{1,40})/;
/** Of OpenRouter, with a key of its customer. */
const OWN_KEY = /"is_byok"\s*:\s*true\b/;
const COST_BESIDE = /"upstream_inference_cost"\s*:\s*([\d.eE+-]{1,40})/;
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;

/**
 * Checks that a response is a JSON object with `data` and no error, with a vector for each input in the asked encoding.
 * Vectors are several megabytes of numbers, so only the ends of a large response are read, and its bytes are relayed: parsing
 * 100 vectors takes longer than the goal for the whole call, and decoding them a fifth of it. Only those of a server that
 * ignores the asked encoding or leaves out their places, and those in which a number may be missing, are parsed.
 * @param inputs texts or token lists of the request
 * @throws UnusableVectors for another number of vectors, or what are none; ProviderError for anything else
 */
export async function relayedJson(body: Buffer, encoding: VectorEncoding, inputs: number): Promise<RelayedJson> {
  const received = objectIn(body);
  const sent = encodingOf(received);
  const isUsual = sent === encoding && received.includes(PLACE) && !lacksNumbers(received, encoding);
  const json =
    received.length <= SMALL || !isUsual ? await checked(received, isUsual ? null : encoding, sent) : received;
  const ends = json.length <= 2 * ENDS ? latin(json) : latin(json.subarray(0, ENDS)) + latin(json.subarray(-ENDS));
  if (!ends.includes('"data"')) throw new ProviderError('provider_error');
  if (vectorsIn(json, inputs) < inputs) throw new UnusableVectors('fewer vectors than texts', sent === null);
  const [ofPrompt, total, cost, beside, model] = [PROMPT_TOKENS, TOTAL_TOKENS, COST, COST_BESIDE, MODEL].map(
    (pattern) => pattern.exec(ends)?.[1],
  );
  const tokens = ofPrompt ?? total;
  const usage = {
    prompt_tokens: tokens === undefined ? undefined : Number(tokens),
    completion_tokens: 0,
    cost: cost === undefined ? undefined : Number(cost),
    is_byok: OWN_KEY.test(ends),
    cost_details: { upstream_inference_cost: beside === undefined ? null : Number(beside) },
  };
  return { json, usage: reportedUsage(usage, model) };
}

/**
 * @param encoding to which the vectors are converted; null leaves them as they are
 * @param sent that of the first vector; null without any
 */
async function checked(json: Buffer, encoding: VectorEncoding | null, sent: VectorEncoding | null): Promise<Buffer> {
  const value = await parseAnswer(await decodedText(json)).catch(() => null);
  if (typeof value !== 'object' || value === null) throw new ProviderError('provider_error');
  const error = errorIn(value);
  if (error !== null) throw failureOfAnswer(error);
  const { data } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(data)) throw new ProviderError('provider_error');
  if (encoding === null || data.length === 0) return json;
  const vectors = await vectorsAs(encoding, data);
  if (vectors === null) throw new UnusableVectors('an entry without a vector', sent === null);
  const pieces: Buffer[] = [];
  for await (const piece of inSlices(jsonPieces({ ...value, data: vectors }))) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Whether a vector in a list may have a hole, as of llama.cpp and MLX for some texts. What stands around the list says nothing. */
function lacksNumbers(json: Buffer, encoding: VectorEncoding): boolean {
  const list = json.subarray(Math.max(json.indexOf(DATA), 0), json.lastIndexOf(']') + 1);
  return (encoding === 'float' ? NO_NUMBERS : NO_TEXTS).some((word) => list.includes(word));
}

const latin = (bytes: Buffer): string => bytes.toString('latin1');

/** The bytes of the object, without the byte order mark and the whitespace around it. */
function objectIn(body: Buffer): Buffer {
  let start = afterWhitespace(body, 0);
  const afterMark = start + BYTE_ORDER_MARK.length;
  if (body.subarray(start, afterMark).equals(BYTE_ORDER_MARK)) start = afterWhitespace(body, afterMark);
  let end = body.length;
  while (end > start && WHITESPACE.has(body[end - 1]!)) end -= 1;
  if (body[start] === PAGE) throw new ProviderError('provider_error', { fault: 'html' });
  if (body[start] !== OPEN || body[end - 1] !== CLOSE) throw new ProviderError('provider_error');
  return body.subarray(start, end);
}

function afterWhitespace(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && WHITESPACE.has(body[at]!)) at += 1;
  return at;
}
