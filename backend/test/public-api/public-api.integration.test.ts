import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCompletion } from '@tanya/contract';
import {
  type OpenAI,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
} from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { ask, errorIn, failureOf, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';
import { echoText, PNG_BASE64, type Step } from '../harness/scripted-answers.js';

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

describe.each(ADAPTERS)('the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let admin: HttpClient;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
    admin = await harness.admin();
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  describe('with OpenAI’s client', () => {
    it('answers whole, with usage and quota headers, and leaves no thread behind', async () => {
      const someone = await harness.caller();
      const { data, response } = await someone.openai.chat.completions.create(ask('hello')).withResponse();
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
      expect((await someone.client.get('/api/chat/threads')).body).toEqual([]);
      const rows = await harness.dataSource.query('select id from message where user_id = $1', [someone.user.id]);
      expect(rows).toEqual([]);
      expect(await harness.usedBy(someone)).toBe(1);
    });

    it('streams, and says what was used when it is asked to', async () => {
      const someone = await harness.caller();
      const stream = await someone.openai.chat.completions.create({
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
      expect(await harness.usedBy(someone)).toBe(1);
    });

    it('lists what may be asked for, and tells of one', async () => {
      const { openai } = await harness.caller();
      const ids: string[] = [];
      for await (const model of openai.models.list()) ids.push(model.id);
      expect(ids).toContain(MODEL);
      expect(ids).not.toContain('openai/gpt-image-1');
      expect(await openai.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model', owned_by: 'OpenAI' });
      expect(await failureOf(openai.models.retrieve('no/such'))).toBeInstanceOf(NotFoundError);
    });

    it('passes on what shapes an answer, and neither our system prompt nor more', async () => {
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
        user: 'somebody',
        store: true,
        logit_bias: null,
      });
      const { body } = harness.upstream
        .callsOf()
        .find((call) => JSON.stringify(call.body).includes('a shaped answer'))!;
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

    it('takes the answers without a word that a client keeps after a stop, and asks nothing of the model with them', async () => {
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

    it('passes on nothing of what is null', async () => {
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

    it('takes pictures as data URLs and nothing that would have to be fetched (SSRF-1)', async () => {
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

    it('gets its error classes: key, quota, model, parameter, provider', async () => {
      const wrong = await failureOf(harness.openAiWith('tk_wrong').chat.completions.create(ask('x')));
      expect(wrong).toBeInstanceOf(AuthenticationError);
      expect(wrong).toMatchObject({ status: 401, code: 'invalid_api_key' });

      const someone = await harness.caller();
      const unknown = await failureOf(someone.openai.chat.completions.create(ask('x', { model: 'no/such' })));
      expect(unknown).toBeInstanceOf(NotFoundError);
      expect(unknown).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });

      const hot = await failureOf(someone.openai.chat.completions.create(ask('x', { temperature: 9 })));
      expect(hot).toBeInstanceOf(BadRequestError);
      expect(hot).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'temperature' });

      harness.upstream.script({ status: 402, body: '{"error":{"message":"sk-secret"}}' });
      const broken = await failureOf(someone.openai.chat.completions.create(ask('x')));
      expect(broken).toBeInstanceOf(InternalServerError);
      expect(broken).toMatchObject({ status: 500, type: 'provider_error', code: 'provider_credit' });
      expect(broken.message).not.toContain('secret');
      expect(await harness.usedBy(someone)).toBe(0);

      await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1 });
      await someone.openai.chat.completions.create(ask('the last one'));
      const exhausted = await failureOf(someone.openai.chat.completions.create(ask('x')));
      await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100 });
      expect(exhausted).toBeInstanceOf(PermissionDeniedError);
      expect(exhausted).toMatchObject({ status: 403, code: 'quota_exceeded', type: 'insufficient_quota' });
    });

    it('is told with a refusal what its quota is and when it begins anew', async () => {
      const { openai } = await harness.caller();
      await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1, quotaPeriod: 'daily' });
      await openai.chat.completions.create(ask('the last one'));
      const { headers } = await failureOf(openai.chat.completions.create(ask('x')));
      await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100, quotaPeriod: 'never' });
      expect(headers?.get('x-ratelimit-limit-requests')).toBe('1');
      expect(headers?.get('x-ratelimit-remaining-requests')).toBe('0');
      expect(parseInt(headers?.get('x-ratelimit-reset-requests') ?? '')).toBeGreaterThan(0);
    });

    it('gets the error class of a stream that fails before its first word', async () => {
      const someone = await harness.caller();
      harness.upstream.script({ status: 402, body: '{}' });
      const failure = await failureOf(someone.openai.chat.completions.create({ ...ask('x'), stream: true }));
      expect(failure).toBeInstanceOf(InternalServerError);
      expect(failure).toMatchObject({ status: 500, type: 'provider_error', code: 'provider_credit' });
      expect(await harness.usedBy(someone)).toBe(0);
    });

    it('sees an answer that breaks off in the stream as an error', async () => {
      const { openai } = await harness.caller();
      harness.upstream.script({ steps: [{ text: 'so far ' }, { stall: true }] });
      const stream = await openai.chat.completions.create({ ...ask('x'), stream: true });
      let text = '';
      const read = async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      };
      const failure = await failureOf(read());
      expect(failure).toMatchObject({ code: 'timeout_idle', type: 'provider_error' });
      expect(text).toBe('so far ');
    });
  });

  describe('a parameter', () => {
    const REFUSED: [string, object][] = [
      ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
      ['n', { n: 2 }],
      ['response_format', { response_format: { type: 'json_object' } }],
      ['max_tokens', { max_tokens: 0 }],
      ['max_tokens', { max_tokens: 1e9 }],
      ['max_tokens', { max_tokens: '5' }],
      ['max_completion_tokens', { max_completion_tokens: 1.5 }],
      ['temperature', { temperature: -1 }],
      ['temperature', { temperature: 'hot' }],
      ['top_p', { top_p: 1.1 }],
      ['presence_penalty', { presence_penalty: -3 }],
      ['frequency_penalty', { frequency_penalty: '1' }],
      ['seed', { seed: 1.5 }],
      ['seed', { seed: 1e300 }],
      ['stop', { stop: 7 }],
      ['stop', { stop: '' }],
      ['stop', { stop: ['a', null] }],
      ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
      ['stop', { stop: { a: 1 } }],
      ['stream', { stream: 'yes' }],
      ['stream_options', { stream_options: 7 }],
      ['stream_options.include_usage', { stream_options: { include_usage: 'yes' } }],
      ['model', { model: 'openai/gpt-image-1' }],
      ['model', { model: 7 }],
      ['messages', { messages: undefined }],
      ['messages', { messages: [] }],
      ['messages', { messages: 'x' }],
      ['messages', { messages: Array(501).fill({ role: 'user', content: 'x' }) }],
      ['messages.0.role', { messages: [{ role: 'tool', content: 'x' }] }],
      ['messages.0.content', { messages: [{ role: 'user' }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: '' }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: null }] }],
      ['messages.0.content', { messages: [{ role: 'system', content: '' }] }],
      ['messages.0.content', { messages: [{ role: 'assistant', content: [] }] }],
      ['messages', { messages: [{ role: 'assistant', content: '' }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: 7 }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: {} }] }],
      ['messages.0.content', { messages: [{ role: 'user', content: [] }] }],
      [
        'messages.1.content',
        {
          messages: [
            { role: 'user', content: 'x' },
            { role: 'user', content: [null] },
          ],
        },
      ],
      ['messages.0.content', { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ];

    it('that is wrong or not done is refused by name, and nothing is asked of the model (AZ-8)', async () => {
      const someone = await harness.caller();
      const calls = harness.upstream.callsOf().length;
      for (const [param, fields] of REFUSED) {
        const answer = await harness.post(someone.key, { ...ask('x'), ...fields });
        expect([param, answer.status, errorIn(answer.body)]).toEqual([
          param,
          400,
          expect.objectContaining({ type: 'invalid_request_error', param }),
        ]);
      }
      expect(harness.upstream.callsOf().length).toBe(calls);
      expect(await harness.usedBy(someone)).toBe(0);
    });

    it.each([
      ['messages', undefined, 'messages must be an array'],
      ['messages', [], 'messages should not be empty'],
      ['model', ['x'], 'model must be a string'],
      ['temperature', '1', 'temperature must be a number conforming to the specified constraints'],
      ['temperature', 3, 'temperature must not be greater than 2'],
      ['max_tokens', '5', 'max_tokens must be an integer number'],
      ['max_completion_tokens', 0, 'max_completion_tokens must not be less than 1'],
    ])('%s that is %j is refused for what is wrong with it', async (param, value, message) => {
      const { key } = await harness.caller();
      const answer = await harness.post(key, { ...ask('x'), [param]: value });
      expect([answer.status, errorIn(answer.body)]).toEqual([400, expect.objectContaining({ param, message })]);
    });

    it('that is unknown or harmless is ignored, and the documented path is the same call', async () => {
      const { key } = await harness.caller();
      const harmless = { n: 1, tools: [], response_format: { type: 'text' }, logprobs: false, whatever: { a: 1 } };
      const answer = await harness.post(key, { ...ask('hello'), ...harmless }, {}, '/api/v1/chat');
      expect([answer.status, (answer.body as ChatCompletion).object]).toEqual([200, 'chat.completion']);
      const byDefault = await harness.post(key, { messages: [{ role: 'user', content: 'x' }] });
      expect((byDefault.body as ChatCompletion).model).toBe(MODEL);
    });
  });

  describe('errors speak OpenAI’s language', () => {
    it('for bodies that are none, too large, or of another type (LIM-1)', async () => {
      const { key } = await harness.caller();
      const raw = (text: string, type = 'application/json') =>
        harness.client().post<unknown>('/api/v1/chat/completions', undefined, {
          raw: text,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
        });
      const answers: [string, Awaited<ReturnType<typeof raw>>, number][] = [
        ['broken', await raw('{"messages":'), 400],
        ['a list', await raw('[]'), 400],
        ['a text', await raw('"x"'), 400],
        ['null', await raw('null'), 400],
        ['nothing', await raw(''), 400],
        ['a form', await raw('a=b', 'application/x-www-form-urlencoded'), 415],
        ['a plain text', await raw(JSON.stringify(ask('x')), 'text/plain'), 415],
        ['of no type', await raw(JSON.stringify(ask('x')), ''), 415],
        ['too large', await raw(JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] })), 413],
      ];
      for (const [what, answer, status] of answers) {
        const { message } = errorIn(answer.body);
        expect([what, answer.status, message.includes('application/json')]).toEqual([what, status, status === 415]);
      }
    });

    it('for paths that are not there, and keys that are none (KEY-2, KEY-4)', async () => {
      const { key, client } = await harness.caller();
      for (const path of ['/api/v1', '/api/v1/', '/api/v1/nothing', '/API/V1/embeddings']) {
        const answer = await harness.post(key, {}, {}, path);
        expect([path, answer.status, errorIn(answer.body).type]).toEqual([path, 404, 'invalid_request_error']);
      }
      const headers: Record<string, string>[] = [
        {},
        { Authorization: '' },
        { Authorization: 'Bearer' },
        { Authorization: `Basic ${key}` },
        { Authorization: key },
        { Authorization: "Bearer ' OR 1=1 --" },
        { Authorization: `Bearer ${'x'.repeat(5_000)}` },
        { 'x-api-key': key },
        { Cookie: client.cookieHeader },
      ];
      for (const header of headers) {
        const answer = await harness.client().post<unknown>('/api/v1/chat', ask('x'), { headers: header });
        expect([answer.status, errorIn(answer.body).code]).toEqual([401, 'invalid_api_key']);
      }
      expect((await harness.post(key, ask('x'), { Authorization: `bearer ${key}` })).status).toBe(200);
    });

    it('for models that are disabled, closed to the API or for premium members', async () => {
      const someone = await harness.caller();
      const create = (modelId: string, fields: object) =>
        admin.post<{ id: number }>('/api/admin/models', { modelId, name: modelId, provider: 'Scripted', ...fields });
      const suffix = redis ? 'redis' : 'local';
      const closed = (await create(`closed/${suffix}`, {})).body;
      await admin.patch(`/api/admin/models/${closed.id}/api-status`, { isApiEnabled: false });
      await create(`off/${suffix}`, { isEnabled: false });
      await create(`gold/${suffix}`, { isPremium: true });
      await sleep(100);
      for (const [model, status, code] of [
        [`closed/${suffix}`, 404, 'model_not_found'],
        [`off/${suffix}`, 404, 'model_not_found'],
        [`gold/${suffix}`, 403, 'model_premium'],
      ] as const) {
        const answer = await harness.post(someone.key, ask('x', { model }));
        expect([model, answer.status, errorIn(answer.body).code]).toEqual([model, status, code]);
      }
      const ids = (await someone.openai.models.list()).data.map(({ id }) => id);
      expect(ids).not.toContain(`closed/${suffix}`);
    });
  });

  it('writes what the model says of usage into the ledger', async () => {
    const someone = await harness.caller();
    harness.upstream.script({ steps: [{ text: 'ok' }, ...DONE] });
    await someone.openai.chat.completions.create(ask('count me'));
    const [record] = await harness.dataSource.query<object[]>(
      'select state, cost, prompt_tokens, completion_tokens, model_id from usage_record where user_id = $1',
      [someone.user.id],
    );
    expect(record).toEqual({ state: 'charged', cost: 1, prompt_tokens: 3, completion_tokens: 5, model_id: MODEL });
  });
});
