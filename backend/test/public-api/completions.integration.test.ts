import { type OpenAI, NotFoundError } from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import { echoText, PNG_BASE64, type Step } from '../harness/scripted-answers.js';
import { ask, failureOf, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

describe.each(ADAPTERS)('a completion with OpenAI’s client, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('returns usage and quota headers, and stores no thread', async () => {
    const caller = await harness.caller();
    const { data, response } = await caller.openai.chat.completions.create(ask('hello')).withResponse();
    expect(data).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/) as string,
      object: 'chat.completion',
      model: MODEL,
      choices: [{ index: 0, message: { role: 'assistant', content: echoText('hello', 20) }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
    });
    expect(Math.abs(data.created - Date.now() / 1000)).toBeLessThan(60);
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('100');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('99');
    expect(response.headers.get('x-ratelimit-reset-requests')).toBeNull();
    expect((await caller.client.get('/api/chat/threads')).body).toEqual([]);
    const rows = await harness.dataSource.query('select id from message where user_id = $1', [caller.user.id]);
    expect(rows).toEqual([]);
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('streams, with usage on request', async () => {
    const caller = await harness.caller();
    const stream = await caller.openai.chat.completions.create({
      ...ask('stream it'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(echoText('stream it', 20));
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 30 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('lists the models and returns a single one', async () => {
    const { openai } = await harness.caller();
    const ids: string[] = [];
    for await (const model of openai.models.list()) ids.push(model.id);
    expect(ids).toContain(MODEL);
    expect(ids).toContain('openai/gpt-image-1');
    const model = await openai.models.retrieve(MODEL);
    expect(model).toMatchObject({ id: MODEL, object: 'model', owned_by: 'OpenAI' });
    expect(model.created).toBeGreaterThan(1_700_000_000);
    expect(await failureOf(openai.models.retrieve('no/such'))).toBeInstanceOf(NotFoundError);
  });

  it('forwards sampling parameters alone, without the system prompt', async () => {
    const { openai } = await harness.caller();
    const sampling = {
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -0.5,
      stop: ['END', '\n\n'],
      seed: 7,
    };
    await openai.chat.completions.create({
      model: MODEL,
      messages: [
        { role: 'developer', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'a shaped answer' }] },
      ],
      ...sampling,
      max_completion_tokens: 77,
      user: 'end user',
      store: true,
      logit_bias: null,
    });
    const { body } = harness.upstream.callsOf().find((call) => JSON.stringify(call.body).includes('a shaped answer'))!;
    expect(body).toEqual({
      ...sampling,
      model: expect.any(String) as string,
      messages: expect.any(Array) as unknown[],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 77,
    });
    const messages = body['messages'] as { role: string; content: unknown }[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[0]?.content).toBe('be brief');
  });

  it('accepts empty answers of stopped runs and does not forward them', async () => {
    const { key } = await harness.caller();
    for (const content of ['', null]) {
      const messages = [
        { role: 'user', content: 'one' },
        { role: 'assistant', content },
        { role: 'user', content: 'two' },
      ];
      expect((await harness.post(key, { ...ask('x'), messages })).status).toBe(200);
      const sent = harness.upstream.calls.at(-1)!.body as { messages: { content: string }[] };
      expect(sent.messages.map((message) => message.content)).toEqual(['one', 'two']);
    }
  });

  it('does not forward parameters that are null', async () => {
    const { openai } = await harness.caller();
    const empty = {
      temperature: null,
      top_p: null,
      stop: null,
      seed: null,
      presence_penalty: null,
      max_tokens: null,
    };
    await openai.chat.completions.create({ ...ask('x'), ...empty });
    const { body } = harness.upstream.callsOf().at(-1)!;
    for (const name of Object.keys(empty)) expect(body).not.toHaveProperty(name);
  });

  it('accepts images as data URLs and refuses every other address (SSRF-1)', async () => {
    const { openai } = await harness.caller();
    const withImage = (url: string) =>
      openai.chat.completions.create({
        model: MODEL,
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
      });
    await withImage(`data:image/png;base64,${PNG_BASE64}`);
    const sent = JSON.stringify(harness.upstream.callsOf().at(-1)!.body);
    expect(sent).toContain(PNG_BASE64);
    for (const url of ['http://127.0.0.1:1/x.png', 'file:///etc/passwd', 'data:image/svg+xml;base64,AAAA', '']) {
      expect(await failureOf(withImage(url))).toMatchObject({ status: 400, param: 'messages.0.content' });
    }
  });

  it('stores the usage that the model reports in the ledger', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: [{ text: 'ok' }, ...DONE] });
    await caller.openai.chat.completions.create(ask('count me'));
    const [record] = await harness.dataSource.query<object[]>(
      'select state, cost, prompt_tokens, completion_tokens, model_id from usage_record where user_id = $1',
      [caller.user.id],
    );
    expect(record).toEqual({ state: 'charged', cost: 1, prompt_tokens: 3, completion_tokens: 5, model_id: MODEL });
  });
});
