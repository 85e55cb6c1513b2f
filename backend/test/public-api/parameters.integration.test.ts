import { API_LIMITS, type ChatCompletion } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import { ask, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

/** An object with this number of levels. */
const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) });

const imagePart = (more: object) => ({
  type: 'image_url',
  image_url: { url: 'data:image/png;base64,iVBORw==', ...more },
});

describe.each(ADAPTERS)('a parameter of a completion, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const REFUSED: [string, object][] = [
    ['n', { n: 9 }],
    ['n', { n: 0 }],
    ['n', { n: '2' }],
    ['logprobs', { logprobs: 1 }],
    ['top_logprobs', { logprobs: true, top_logprobs: 21 }],
    ['top_logprobs', { top_logprobs: 2 }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['prediction', { prediction: { type: 'content', content: 'x' } }],
    ['web_search_options', { web_search_options: {} }],
    ['best_of', { best_of: 4 }],
    ['enable_search', { enable_search: true }],
    ['search_parameters', { search_parameters: { mode: 'auto' } }],
    ['format', { format: 'json' }],
    ['extra_body', { extra_body: { top_k: 1 } }],
    ['response_format', { response_format: 'json' }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    ['response_format.json_schema.name', { response_format: { type: 'json_schema', json_schema: { name: 'a b' } } }],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: nested(17) } } },
    ],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { x: 'x'.repeat(70_000) } } } },
    ],
    ['reasoning_effort', { reasoning_effort: 'enormous' }],
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
    ['logit_bias', { logit_bias: [1] }],
    ['logit_bias', { logit_bias: 'x' }],
    ['logit_bias', { logit_bias: { a: 1 } }],
    ['logit_bias', { logit_bias: { 1: 101 } }],
    ['logit_bias', { logit_bias: { 1: '1' } }],
    ['logit_bias', { logit_bias: Object.fromEntries(Array.from({ length: 301 }, (_, id) => [id, 1])) }],
    ['verbosity', { verbosity: 'enormous' }],
    ['messages.0.content', { messages: [{ role: 'user', content: [imagePart({ detail: 'sharp' })] }] }],
    ['stop', { stop: 7 }],
    ['stop', { stop: '' }],
    ['stop', { stop: ['a', null] }],
    ['stop', { stop: Array(17).fill('a') }],
    ['stop', { stop: { a: 1 } }],
    ['stream', { stream: 'yes' }],
    ['stream_options', { stream_options: 7 }],
    ['stream_options.include_usage', { stream_options: { include_usage: 'yes' } }],
    ['model', { model: 7 }],
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['messages', { messages: 'x' }],
    ['messages', { messages: [[{ role: 'user', content: 'x' }]] }],
    ['messages', { messages: Array(API_LIMITS.messages + 1).fill({ role: 'user', content: 'x' }) }],
    ['messages.0.role', { messages: [{ role: 'function', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user' }] }],
    ['messages', { messages: [{ role: 'user', content: '' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: null }] }],
    ['messages', { messages: [{ role: 'system', content: '' }] }],
    [
      'messages',
      {
        messages: [
          { role: 'developer', content: '' },
          { role: 'user', content: '' },
          { role: 'assistant', content: null },
        ],
      },
    ],
    ['messages.0.content', { messages: [{ role: 'system', content: null }] }],
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

  it('that is invalid or unsupported is refused by name, without a call of the model (AZ-8)', async () => {
    const caller = await harness.caller();
    const calls = harness.upstream.callsOf().length;
    for (const [param, fields] of REFUSED) {
      const answer = await harness.post(caller.key, { ...ask('x'), ...fields });
      expect([param, answer.status, errorIn(answer.body)]).toEqual([
        param,
        400,
        expect.objectContaining({ type: 'invalid_request_error', param }),
      ]);
    }
    expect(harness.upstream.callsOf().length).toBe(calls);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it.each([
    ['messages', undefined, 'messages must be an array'],
    ['messages', [], 'messages should not be empty'],
    ['model', ['x'], 'model must be a string'],
    ['temperature', '1', 'temperature must be a number conforming to the specified constraints'],
    ['temperature', 3, 'temperature must not be greater than 2'],
    ['max_tokens', '5', 'max_tokens must be an integer number'],
    ['max_completion_tokens', 0, 'max_completion_tokens must not be less than 1'],
  ])('is refused with a specific message: %s = %j', async (param, value, message) => {
    const { key } = await harness.caller();
    const answer = await harness.post(key, { ...ask('x'), [param]: value });
    expect([answer.status, errorIn(answer.body)]).toEqual([400, expect.objectContaining({ param, message })]);
  });

  it.each([
    ['logit_bias', { 50256: -100, 1: 0.5 }],
    ['max_tokens', 1_048_576],
    ['verbosity', 'low'],
    ['messages', [{ role: 'user', content: [imagePart({ detail: 'low' })] }]],
    ['response_format', { type: 'json_object' }],
    [
      'response_format',
      { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: { type: 'object' } } },
    ],
  ])('is passed to the upstream unchanged: %s = %j', async (param, value) => {
    const { key } = await harness.caller();
    const answer = await harness.post(key, { ...ask('in JSON'), [param]: value });
    expect(answer.status).toBe(200);
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({ [param]: value });
  });

  it('reasoning_effort is passed to the upstream', async () => {
    const { key } = await harness.caller();
    expect((await harness.post(key, { ...ask('think'), reasoning_effort: 'low' })).status).toBe(200);
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)!.body)).toMatch(/"effort":"low"|"reasoning_effort":"low"/);
    expect((await harness.post(key, { ...ask('think'), reasoning_effort: 'default' })).status).toBe(200);
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)!.body)).not.toContain('effort');
  });

  it('an empty text is accepted beside other content, and left out of the system', async () => {
    const { key } = await harness.caller();
    const call = { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [
      { role: 'system', content: '' },
      { role: 'user', content: '' },
      { role: 'assistant', content: [], tool_calls: [call] },
      { role: 'developer', content: '' },
      { role: 'tool', tool_call_id: 'call_a', content: '' },
      { role: 'user', content: 'x' },
    ];
    const sent = [
      { role: 'user', content: '' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_a', content: '' },
      { role: 'user', content: 'x' },
    ];
    expect((await harness.post(key, { messages })).status).toBe(200);
    expect(harness.upstream.callsOf().at(-1)!.body['messages']).toEqual(sent);
    const input = [
      { role: 'system', content: '' },
      { role: 'user', content: '' },
      { type: 'function_call', call_id: 'call_a', name: 'f', arguments: '{}' },
      { role: 'developer', content: '' },
      { type: 'function_call_output', call_id: 'call_a', output: '' },
      { role: 'user', content: 'x' },
    ];
    expect((await harness.post(key, { input }, {}, '/api/v1/responses')).status).toBe(200);
    expect(harness.upstream.callsOf().at(-1)!.body['messages']).toEqual(sent);
    const empty = { input: [{ role: 'user', content: '' }] };
    expect(errorIn((await harness.post(key, empty, {}, '/api/v1/responses')).body).param).toBe('input');
    expect((await harness.post(key, { ...empty, instructions: 'x' }, {}, '/api/v1/responses')).status).toBe(200);
  });

  it.each(['data:image/jpg;base64,/9j/', 'data:Image/JPEG;charset=binary;base64,/9j/'])(
    'an image is sent on in its usual form: %s',
    async (url) => {
      const { key } = await harness.caller();
      const image = { type: 'image_url', image_url: { url } };
      const messages = [{ role: 'user', content: [image] }];
      const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
      expect((await harness.post(key, { messages })).status).toBe(200);
      expect((await harness.post(key, { input }, {}, '/api/v1/responses')).status).toBe(200);
      const usual = [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } }];
      for (const { body } of harness.upstream.callsOf().slice(-2))
        expect(body['messages']).toEqual([{ role: 'user', content: usual }]);
    },
  );

  it('verbosity and the detail of an image are passed to the upstream from a response', async () => {
    const { key } = await harness.caller();
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw==' };
    const respond = (detail: string | null, verbosity: string | null) => {
      const input = [{ role: 'user', content: [{ ...image, detail }] }];
      return harness.post(key, { input, text: { verbosity } }, {}, '/api/v1/responses');
    };
    const answer = await respond('high', 'high');
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { text: { format: { type: 'text' }, verbosity: 'high' } },
    ]);
    const [given, absent] = [[imagePart({ detail: 'high' })], [imagePart({})]];
    const sent = () => harness.upstream.callsOf().at(-1)!.body;
    expect(sent()).toMatchObject({ verbosity: 'high', messages: [{ role: 'user', content: given }] });
    expect((await respond(null, null)).status).toBe(200);
    expect(sent()['messages']).toEqual([{ role: 'user', content: absent }]);
    expect(errorIn((await respond('sharp', null)).body).param).toBe('input.0.content.0.detail');
    expect(errorIn((await respond(null, 'short')).body).param).toBe('text.verbosity');
  });

  it('a JSON Schema is passed to the upstream with properties of any name', async () => {
    const { key } = await harness.caller();
    const names = ['constructor', 'prototype', '__proto__', 'city'];
    const properties = names.map((name) => `"${name}":{"type":"string","constructor":{"prototype":{}}}`).join();
    const schema = `{"type":"object","properties":{${properties}},"required":${JSON.stringify(names)}}`;
    const messages = '"messages":[{"role":"user","content":"x"}]';
    const tool = `{"name":"f","parameters":${schema}}`;
    const group = `{"type":"namespace","name":"g","tools":[{"type":"function",${tool.slice(1)}]}`;
    const bodies = [
      ['/chat/completions', `{${messages},"tools":[{"type":"function","function":${tool}}]}`],
      [
        '/chat/completions',
        `{${messages},"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}}`,
      ],
      ['/responses', `{"input":"x","tools":[{"type":"function",${tool.slice(1)}]}`],
      ['/responses', `{"input":"x","tools":[${group}]}`],
      ['/responses', `{"input":"x","text":{"format":{"type":"json_schema","name":"a","schema":${schema}}}}`],
    ] as const;
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    for (const [path, raw] of bodies) {
      const answer = await harness.client().post(`/api/v1${path}`, undefined, { raw, headers });
      const sent = JSON.stringify(harness.upstream.callsOf().at(-1)!.body);
      expect([path, answer.status, sent.includes(schema)]).toEqual([path, 200, true]);
    }
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  it('a body with other fields of these names is no error of the server', async () => {
    const { key } = await harness.caller();
    const more = { constructor: 1, prototype: { constructor: 'x' } };
    const cases: [number, unknown][] = [
      [200, [{ type: 'function', function: { name: 'f', ...more } }]],
      [400, more],
      [400, [more]],
      [400, [null]],
    ];
    for (const [status, tools] of cases)
      expect((await harness.post(key, { ...ask('x'), ...more, tools })).status).toBe(status);
    const item = { role: 'user', content: 'x', ...more };
    expect((await harness.post(key, { input: [item] }, {}, '/api/v1/responses')).status).toBe(200);
  });

  it('user, metadata, service_tier and store are ignored', async () => {
    const { key } = await harness.caller();
    const ignored = { user: 'u', metadata: { a: 'b' }, service_tier: 'auto', store: false };
    expect((await harness.post(key, { ...ask('hello'), ...ignored })).status).toBe(200);
    expect(Object.keys(harness.upstream.callsOf().at(-1)!.body as object)).not.toEqual(
      expect.arrayContaining(['user']),
    );
  });

  it('that is unknown or has no effect is ignored, on both paths', async () => {
    const { key } = await harness.caller();
    const harmless = {
      n: 1,
      tools: [],
      logit_bias: {},
      verbosity: null,
      response_format: { type: 'text' },
      logprobs: false,
      whatever: { a: 1 },
    };
    const answer = await harness.post(key, { ...ask('hello'), ...harmless }, {}, '/api/v1/chat');
    expect([answer.status, (answer.body as ChatCompletion).object]).toEqual([200, 'chat.completion']);
    const byDefault = await harness.post(key, { messages: [{ role: 'user', content: 'x' }] });
    expect((byDefault.body as ChatCompletion).model).toBe(MODEL);
  });
});
