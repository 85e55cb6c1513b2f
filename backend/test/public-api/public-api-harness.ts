import type { ApiKeyResponse, PublicApiError } from '@tanya/contract';
import OpenAI, { APIError } from 'openai';
import { type ChatHarness, type ChatHarnessOptions, startChatHarness } from '../harness/chat-harness.js';
import type { Answer } from '../harness/http-client.js';
import type { Member } from '../harness/test-app.js';

export const MODEL = 'openai/gpt-4o-mini';

export interface Caller extends Member {
  key: string;
  openai: OpenAI;
}

export interface PublicApiHarness extends ChatHarness {
  openAiWith(apiKey: string): OpenAI;
  /** Creates a member with an API key. */
  caller(fields?: Parameters<ChatHarness['member']>[0]): Promise<Caller>;
  post(key: string, body: unknown, headers?: Record<string, string>, path?: string): Promise<Answer<unknown>>;
  usedBy(member: Member): Promise<number>;
}

/** Starts the whole server in front of a scripted provider, with helpers for API clients. */
export async function startPublicApiHarness(options: ChatHarnessOptions): Promise<PublicApiHarness> {
  const harness = await startChatHarness(options);
  const openAiWith = (apiKey: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${harness.url}/api/v1`, maxRetries: 0, timeout: 60_000 });
  return {
    ...harness,
    openAiWith,
    caller: async (fields) => {
      const member = await harness.member(fields);
      const { body } = await member.client.post<ApiKeyResponse>('/api/user/apikey/generate');
      return { ...member, key: body.apiKey!, openai: openAiWith(body.apiKey!) };
    },
    post: (key, body, headers = {}, path = '/api/v1/chat/completions') =>
      harness.client().post<unknown>(path, body, { headers: { Authorization: `Bearer ${key}`, ...headers } }),
    usedBy: async ({ client }) => (await client.get<{ used: number }>('/api/user/quota')).body.used,
  };
}

/** Starts the server for all tests of a suite, with one caller. */
export function useOneCaller(): { readonly harness: PublicApiHarness; readonly caller: Caller } {
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis: false });
    caller = await harness.caller();
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  return {
    get harness() {
      return harness;
    },
    get caller() {
      return caller;
    },
  };
}

export const ask = (content: string, more: object = {}): OpenAI.ChatCompletionCreateParamsNonStreaming => ({
  model: MODEL,
  messages: [{ role: 'user', content }],
  ...more,
});

export const errorIn = (body: unknown): PublicApiError['error'] => {
  const { error } = body as PublicApiError;
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  return error;
};

export async function failureOf(work: PromiseLike<unknown>): Promise<APIError> {
  const error: unknown = await Promise.resolve(work).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIError)) throw new Error(`no error of the API: ${String(error)}`);
  return error;
}
