import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { type Caller, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const WEATHER: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export const ask = (content: Anthropic.MessageParam['content'], more: object = {}) => ({
  model: MODEL,
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content }],
  ...more,
});

/** One server for each test file that imports this module. */
export let harness: PublicApiHarness;
export let caller: Caller;
export let anthropic: Anthropic;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  caller = await harness.caller();
  anthropic = new Anthropic({ apiKey: caller.key, baseURL: `${harness.url}/api`, maxRetries: 0 });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

export const sent = () => harness.upstream.callsOf().at(-1)!.body;

export async function failureOf(work: PromiseLike<unknown>): Promise<APIError> {
  const error: unknown = await Promise.resolve(work).catch((thrown: unknown) => thrown);
  if (!(error instanceof APIError)) throw new Error(`no error of the API: ${String(error)}`);
  return error;
}
