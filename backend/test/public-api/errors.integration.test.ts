import { API_LIMITS } from '@tanya/contract';
import OpenAI, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
} from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { ask, errorIn, failureOf, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

describe.each(ADAPTERS)('an error of the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let admin: HttpClient;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
    admin = await harness.admin();
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('has OpenAI’s class: key, quota, model, parameter, provider', async () => {
    const wrong = await failureOf(harness.openAiWith('tk_wrong').chat.completions.create(ask('x')));
    expect(wrong).toBeInstanceOf(AuthenticationError);
    expect(wrong).toMatchObject({ status: 401, code: 'invalid_api_key' });

    const caller = await harness.caller();
    const unknown = await failureOf(caller.openai.chat.completions.create(ask('x', { model: 'no/such' })));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });

    const hot = await failureOf(caller.openai.chat.completions.create(ask('x', { temperature: 9 })));
    expect(hot).toBeInstanceOf(BadRequestError);
    expect(hot).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'temperature' });

    harness.upstream.script({ status: 402, body: '{"error":{"message":"sk-secret"}}' });
    const broken = await failureOf(caller.openai.chat.completions.create(ask('x')));
    expect(broken).toBeInstanceOf(InternalServerError);
    expect(broken).toMatchObject({ status: 502, type: 'provider_error', code: 'provider_credit' });
    expect(broken.message).not.toContain('secret');
    expect(await harness.usedBy(caller)).toBe(0);

    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1 });
    await caller.openai.chat.completions.create(ask('the last one'));
    const exhausted = await failureOf(caller.openai.chat.completions.create(ask('x')));
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100 });
    expect(exhausted).toBeInstanceOf(PermissionDeniedError);
    expect(exhausted).toMatchObject({ status: 403, code: 'quota_exceeded', type: 'insufficient_quota' });
  });

  it('has OpenAI’s shape in OpenAI’s calls, whatever version of Anthropic’s API a gateway names', async () => {
    const { key } = await harness.caller();
    const headers = { Authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' };
    const client = harness.client();
    for (const [path, body] of [
      ['chat/completions', ask('x', { model: 'no/such' })],
      ['responses', { model: 'no/such', input: 'x' }],
      ['embeddings', { model: 'no/such', input: 'x' }],
    ] as const) {
      const answer = await client.post(`/api/v1/${path}`, body, { headers });
      expect([path, answer.status, errorIn(answer.body)]).toMatchObject([path, 404, { code: 'model_not_found' }]);
    }
    for (const path of ['models/no/such', 'files'])
      expect((await client.get(`/api/v1/${path}`, { headers })).body).toMatchObject({
        type: 'error',
        error: { type: 'not_found_error' },
      });
  });

  it('of an exhausted quota has headers of the limit and of its reset', async () => {
    const { openai } = await harness.caller();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1, quotaPeriod: 'daily' });
    await openai.chat.completions.create(ask('the last one'));
    const { headers } = await failureOf(openai.chat.completions.create(ask('x')));
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100, quotaPeriod: 'never' });
    expect(headers?.get('x-ratelimit-limit-requests')).toBe('1');
    expect(headers?.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(parseInt(headers?.get('x-ratelimit-reset-requests') ?? '')).toBeGreaterThan(0);
  });

  it('that a retry cannot change is not retried by the official client', async () => {
    const { key } = await harness.caller();
    const openai = new OpenAI({ apiKey: key, baseURL: `${harness.url}/api/v1`, maxRetries: 2, timeout: 60_000 });
    const callsFor = async (status: number, body: string, times = 1): Promise<unknown[]> => {
      const before = harness.upstream.callsOf().length;
      harness.upstream.script(...Array.from({ length: times }, () => ({ status, body })));
      const { headers, code } = await failureOf(openai.chat.completions.create(ask('x')));
      return [code, headers?.get('x-should-retry') ?? null, harness.upstream.callsOf().length - before];
    };
    const tooLong = '{"error":{"code":"context_length_exceeded","message":"maximum context length"}}';
    expect(await callsFor(401, '{}')).toEqual(['provider_auth', 'false', 1]);
    expect(await callsFor(402, '{}')).toEqual(['provider_credit', 'false', 1]);
    expect(await callsFor(400, '{}')).toEqual(['provider_refused', 'false', 1]);
    expect(await callsFor(400, tooLong)).toEqual(['context_length_exceeded', 'false', 1]);
    // One call of this server has up to three attempts.
    expect(await callsFor(503, '{}', 9)).toEqual(['provider_error', null, 9]);
  });

  it('of a prompt that is too long is a bad request, named as by OpenAI, and so are other refusals', async () => {
    const caller = await harness.caller();
    const tooLong = '{"error":{"code":"context_length_exceeded","message":"maximum context length"}}';
    const cases = [
      [tooLong, 'context_length_exceeded', 'context_length_exceeded'],
      ['{"error":{"message":"no"}}', 'provider_refused', 'invalid_prompt'],
    ] as const;
    for (const [body, code, endCode] of cases) {
      for (const stream of [false, true]) {
        harness.upstream.script({ status: 400, body });
        const failure = await failureOf(caller.openai.chat.completions.create({ ...ask('x'), stream }));
        expect(failure).toBeInstanceOf(BadRequestError);
        expect(failure).toMatchObject({ status: 400, code, type: 'provider_error' });
      }
      harness.upstream.script({ status: 400, body }, { status: 400, body });
      const whole = await failureOf(caller.openai.responses.create({ model: MODEL, input: 'x' }));
      expect(whole).toMatchObject({ status: 400, code });
      const begun = await caller.openai.responses.create({ model: MODEL, input: 'x', stream: true });
      const read = async () => {
        for await (const event of begun) expect(event.type).not.toBe('response.completed');
      };
      expect(await failureOf(read())).toMatchObject({ code: endCode, type: 'server_error' });
    }
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('of a stream that fails before its first token has OpenAI’s class', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ status: 402, body: '{}' });
    const failure = await failureOf(caller.openai.chat.completions.create({ ...ask('x'), stream: true }));
    expect(failure).toBeInstanceOf(InternalServerError);
    expect(failure).toMatchObject({ status: 502, type: 'provider_error', code: 'provider_credit' });
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('has OpenAI’s shape for malformed, oversized and mistyped bodies (LIM-1)', async () => {
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
      [
        'too large',
        await raw(JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(API_LIMITS.jsonBytes) }] })),
        413,
      ],
    ];
    for (const [what, answer, status] of answers) {
      const { message } = errorIn(answer.body);
      expect([what, answer.status, message.includes('application/json')]).toEqual([what, status, status === 415]);
    }
  });

  it('has OpenAI’s shape for unknown paths and malformed keys (KEY-2, KEY-4)', async () => {
    const { key, client } = await harness.caller();
    for (const path of ['/api/v1', '/api/v1/', '/api/v1/nothing', '/API/V1/moderations']) {
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
      { 'x-api-key': 'tk_wrong' },
      { Authorization: 'Bearer tk_wrong', 'x-api-key': key },
      { Cookie: client.cookieHeader },
    ];
    for (const header of headers) {
      const answer = await harness.client().post<unknown>('/api/v1/chat', ask('x'), { headers: header });
      expect([answer.status, errorIn(answer.body).code]).toEqual([401, 'invalid_api_key']);
    }
    expect((await harness.post(key, ask('x'), { Authorization: `bearer ${key}` })).status).toBe(200);
    // The proxy in front of the server may use `Authorization` for a login of its own.
    const logins: Record<string, string>[] = [
      {},
      ...['', 'Basic dXNlcjpwYXNz', 'Bearer eyJhbGciOiJub25lIn0.e30.'].map((Authorization) => ({ Authorization })),
    ];
    for (const login of logins) {
      const byHeader = await harness
        .client()
        .post('/api/v1/chat', ask('x'), { headers: { ...login, 'x-api-key': key } });
      expect(byHeader.status).toBe(200);
    }
  });

  it('has OpenAI’s shape for models that are disabled, closed to the API or premium', async () => {
    const caller = await harness.caller();
    const create = (modelId: string, fields: object) =>
      admin.post<{ id: number }>('/api/admin/models', { modelId, name: modelId, provider: 'Scripted', ...fields });
    const suffix = redis ? 'redis' : 'local';
    const closed = (await create(`closed/${suffix}`, {})).body;
    await admin.patch(`/api/admin/models/${closed.id}/api-status`, { isApiEnabled: false });
    await create(`off/${suffix}`, { isEnabled: false });
    await create(`gold/${suffix}`, { isPremium: true });
    for (const [model, status, code] of [
      [`closed/${suffix}`, 404, 'model_not_found'],
      [`off/${suffix}`, 404, 'model_not_found'],
      [`gold/${suffix}`, 404, 'model_not_found'],
    ] as const) {
      const answer = await harness.post(caller.key, ask('x', { model }));
      expect([model, answer.status, errorIn(answer.body).code]).toEqual([model, status, code]);
    }
    const ids = (await caller.openai.models.list()).data.map(({ id }) => id);
    expect(ids).not.toContain(`closed/${suffix}`);
  });
});

it.each(ADAPTERS)('an answer that breaks off in the stream is an error, %s', async (_name, redis) => {
  const harness = await startPublicApiHarness({ redis, timings: { idle: 300 } });
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
  await harness.settle();
  await harness.close();
});
