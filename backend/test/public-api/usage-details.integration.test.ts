import { randomUUID } from 'node:crypto';
import type { ChatCompletion, CompletionUsage, ResponseObject, ResponseUsage } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { ask, type Caller, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';
import { lastRecord } from '../quota/usage-harness.js';
import { eventsOf, RESPONSES } from './responses-harness.js';

const ANSWER: Step[] = [
  { reasoning: 'hm' },
  { text: 'ok' },
  { finish: 'stop' },
  { usage: { prompt: 100, completion: 20, cached: 64, reasoning: 7 } },
  { done: true },
];

const COMPLETION_USAGE: CompletionUsage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 7 },
};

const RESPONSE_USAGE: ResponseUsage = {
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens_details: { reasoning_tokens: 7 },
};

/** An answer whose provider reports no usage. */
const WITHOUT_USAGE: Step[] = [
  { reasoning: 'Hm, the user says hi' },
  { text: 'Hello there, how are you?' },
  { finish: 'stop' },
  { done: true },
];

describe.each(ADAPTERS)('the tokens of an answer, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis, timings: { logFlush: 50 } });
    caller = await harness.caller();
  });

  beforeEach(() => harness.upstream.script({ steps: WITHOUT_USAGE }));

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const recorded = async () => {
    const { prompt_tokens: prompt, completion_tokens: completion } = await lastRecord(
      harness,
      `user:${caller.user.id}`,
    );
    expect([prompt, completion]).toEqual([expect.any(Number), expect.any(Number)]);
    return { prompt: prompt!, completion: completion! };
  };

  const completionUsage = async () => {
    const { prompt, completion } = await recorded();
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  };

  it('are those of the ledger where the provider reports none, also repeated', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = (await harness.post(caller.key, ask('hi'), headers)).body as ChatCompletion;
    expect(first.usage).toMatchObject(await completionUsage());
    expect(first.usage.completion_tokens).toBeGreaterThan(0);
    const again = (await harness.post(caller.key, ask('hi'), headers)).body as ChatCompletion;
    expect(again.usage).toEqual(first.usage);
  });

  it('are those of the ledger in the last chunk of a stream', async () => {
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const stream = await caller.openai.chat.completions.create({ ...ask('hi'), ...options });
    let usage;
    for await (const chunk of stream) usage = chunk.usage ?? usage;
    expect(usage).toMatchObject(await completionUsage());
  });

  it.each([false, true])('are those of the ledger in a response; streamed: %s', async (stream) => {
    const { text, body } = await harness.post(caller.key, { model: MODEL, input: 'hi', stream }, {}, RESPONSES);
    const { usage } = stream
      ? (eventsOf(text).at(-1) as { response: { usage: unknown } }).response
      : (body as ResponseObject);
    const { prompt, completion } = await recorded();
    expect(usage).toMatchObject({ input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion });
  });
});

describe.each(ADAPTERS)('cached and reasoning tokens of an answer, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis, timings: { logFlush: 50 } });
    caller = await harness.caller();
  });

  beforeEach(() => harness.upstream.script({ steps: ANSWER }));

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  /** The last JSON of an event stream for which `read` finds a value. */
  const lastOf = <T>(raw: string, read: (data: Record<string, unknown>) => T | null | undefined): T | undefined =>
    raw
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .flatMap((line) => read(JSON.parse(line.slice('data: '.length)) as Record<string, unknown>) ?? [])
      .at(-1);

  const completions = async (headers: Record<string, string>, stream: boolean) => {
    const { body, text } = await harness.post(
      caller.key,
      ask('hi', { stream, stream_options: { include_usage: true } }),
      headers,
    );
    return stream ? lastOf(text, ({ usage }) => usage as CompletionUsage) : (body as ChatCompletion).usage;
  };

  const responses = async (headers: Record<string, string>, stream: boolean) => {
    const { body, text } = await harness.post(
      caller.key,
      { model: MODEL, input: 'hi', stream },
      headers,
      '/api/v1/responses',
    );
    const response = stream ? lastOf(text, (event) => event['response']) : body;
    return response as { id: string; usage: ResponseUsage };
  };

  it.each([false, true])('are in a chat completion and in its repetition; streamed: %s', async (stream) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    expect(await completions(headers, stream)).toEqual(COMPLETION_USAGE);
    expect(await completions(headers, stream)).toEqual(COMPLETION_USAGE);
    expect(await completions(headers, !stream)).toEqual(COMPLETION_USAGE);
  });

  it.each([false, true])('are in a response, also repeated and read again; streamed: %s', async (stream) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { id, usage } = await responses(headers, stream);
    expect(usage).toEqual(RESPONSE_USAGE);
    expect((await responses(headers, stream)).usage).toEqual(RESPONSE_USAGE);
    expect((await caller.openai.responses.retrieve(id)).usage).toEqual(RESPONSE_USAGE);
  });

  it('are in the end of a resumed stream, and after the state of a response was lost', async () => {
    const { id } = await responses({}, true);
    const resumed = await caller.openai.responses.retrieve(id, { stream: true, starting_after: 2 });
    let end: unknown;
    for await (const event of resumed) end = event;
    expect(end).toMatchObject({ type: 'response.completed', response: { usage: RESPONSE_USAGE } });
    await harness.dataSource.query('update api_response set state = null where user_id = $1', [caller.user.id]);
    expect((await caller.openai.responses.retrieve(id)).usage).toEqual(RESPONSE_USAGE);
  });

  it('are 0 for an answer of an earlier version', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await completions(headers, false);
    await harness.dataSource.query(
      `update generation set answer = answer - 'cachedTokens' - 'reasoningTokens' where owner = $1`,
      [`user:${caller.user.id}`],
    );
    expect(await completions(headers, false)).toMatchObject({
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });
});
