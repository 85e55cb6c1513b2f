import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { API_LIMITS } from '@tanya/contract';
import { anthropic, ask, caller, failureOf, harness, PNG, sent, WEATHER } from './anthropic-harness.js';
import { textAnswer } from './client-cases.js';
import { MODEL, startPublicApiHarness } from './public-api-harness.js';

describe('Anthropic’s client', () => {
  it('gets a whole message and what the request asks for arrives upstream', async () => {
    harness.upstream.script({ steps: textAnswer('Hello there') });
    const message = await anthropic.beta.messages.create({
      ...ask(
        [
          { type: 'text', text: 'Hi' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        ],
        { temperature: 0.5 },
      ),
      system: [
        { type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be kind.' },
      ],
      stop_sequences: ['END'],
      metadata: { user_id: 'someone' },
      thinking: { type: 'enabled', budget_tokens: 10_000 },
      betas: ['no-such-beta-2030-01-01'],
    });
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [{ type: 'text', text: 'Hello there' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    });
    expect(message.usage.output_tokens).toBeGreaterThan(0);
    expect(sent()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be short.\n\nBe kind.' },
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi' }, { image_url: { url: `data:image/png;base64,${PNG}` } }],
        },
      ],
      temperature: 0.5,
      stop: ['END'],
    });
  });

  it('leaves out what a client sends as -1, because its user has not set it', async () => {
    harness.upstream.script({ steps: textAnswer('Hello') });
    await anthropic.messages.create(ask('x', { top_p: -1, top_k: -1 }));
    expect(sent()).not.toHaveProperty('top_p');
    expect(sent()).not.toHaveProperty('top_k');
  });

  it('streams text and thinking as blocks, with the whole usage from the start', async () => {
    harness.upstream.script({ steps: [{ reasoning: 'hm' }, ...textAnswer('Hello there')] });
    const stream = anthropic.messages.stream(ask('x', { thinking: { type: 'enabled', budget_tokens: 2_000 } }));
    const types: string[] = [];
    stream.on('streamEvent', (event) => {
      types.push(event.type);
      if (event.type !== 'message_start') return;
      expect(Object.keys(event.message.usage)).toEqual(
        expect.arrayContaining([
          'input_tokens',
          'output_tokens',
          'cache_creation_input_tokens',
          'cache_read_input_tokens',
        ]),
      );
      // Clients show it as the length of the conversation, before the provider has counted.
      expect(event.message.usage.input_tokens).toBeGreaterThan(0);
    });
    const { content, stop_reason, usage } = await stream.finalMessage();
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hello there' },
    ]);
    expect([stop_reason, usage.output_tokens > 0]).toEqual(['end_turn', true]);
    expect(types[0]).toBe('message_start');
    expect(types.slice(-2)).toEqual(['message_delta', 'message_stop']);
  });

  it('learns the stop sequence at which a message ended from a provider that names it', async () => {
    const choice = { index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END' };
    const steps = [{ text: 'Yes' }, { chunk: { choices: [choice] } }, { done: true as const }];
    harness.upstream.script({ steps }, { steps }, { steps });
    const end = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
    const body = ask('x', { stop_sequences: ['STOP', 'END'] });
    expect(await anthropic.messages.create(body)).toMatchObject(end);
    expect(await anthropic.messages.stream(body).finalMessage()).toMatchObject(end);
    const own = { stop_reason: 'end_turn', stop_sequence: null };
    expect(await anthropic.messages.create(ask('x'))).toMatchObject(own);
  });

  it('gets the thinking that it has asked for, and no other', async () => {
    const steps = [{ reasoning: 'hm' }, ...textAnswer('Hello')];
    const asked = ['adaptive', 'between_tools', 'disabled'] as const;
    harness.upstream.script({ steps }, { steps }, { steps }, { steps }, { steps });
    const typesOf = async (fields: Parameters<typeof ask>[1]) =>
      (await anthropic.messages.stream(ask('x', fields)).finalMessage()).content.map(({ type }) => type);
    const types = [await typesOf({})];
    for (const type of asked) types.push(await typesOf({ thinking: { type } }));
    expect(types).toEqual([['text'], ['thinking', 'text'], ['thinking', 'text'], ['text']]);
    expect(await typesOf({ thinking: { type: 'adaptive', display: 'omitted' } })).toEqual(['text']);
  });

  it('gets errors of Anthropic’s shape and classes, whole and in streams', async () => {
    const wrong = new Anthropic({ authToken: 'tk_wrong', apiKey: null, baseURL: `${harness.url}/api`, maxRetries: 0 });
    const unauthenticated = await failureOf(wrong.messages.create(ask('x')));
    expect(unauthenticated).toBeInstanceOf(AuthenticationError);
    expect(unauthenticated.requestID).toBe((unauthenticated.error as { request_id: string }).request_id);
    expect(unauthenticated.headers?.get('access-control-expose-headers')).toContain(' request-id,');
    expect(unauthenticated.error).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    const unknown = await failureOf(anthropic.messages.create(ask('x', { model: 'no/such' })));
    expect(unknown).toBeInstanceOf(NotFoundError);
    const compacted = await failureOf(anthropic.messages.create(ask('x', { compaction: { type: 'summarize' } })));
    expect([compacted.status, compacted.message]).toEqual([400, expect.stringContaining('compaction')]);
    const refused = await failureOf(anthropic.messages.create(ask('x', { max_tokens: 0 })));
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused.message).toContain('max_tokens');
    const document = [{ type: 'document', source: { type: 'file', file_id: 'a' } }] as never;
    expect((await failureOf(anthropic.messages.create(ask(document)))).message).toContain('document');
    const elsewhere = new Anthropic({ apiKey: caller.key, baseURL: `${harness.url}/api/v1`, maxRetries: 0 });
    expect((await failureOf(elsewhere.messages.create(ask('x')))).message).toContain(`${harness.url}/api.`);

    const missing = [anthropic.models.retrieve('no/such'), anthropic.beta.files.list(), anthropic.beta.skills.list()];
    for (const call of missing) {
      const error = await failureOf(call);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error.error).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    }

    const used = await harness.usedBy(caller);
    harness.upstream.script({ steps: [{ text: 'Begun' }, { error: { code: 402, message: 'x' } }] });
    const broken = await failureOf(anthropic.messages.stream(ask('x')).finalMessage());
    expect(broken.error).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    expect(await harness.usedBy(caller)).toBe(used);

    harness.upstream.script({ steps: [{ text: 'Begun' }, { error: { code: 413, message: 'x' } }] });
    const tooLong = await failureOf(anthropic.messages.stream(ask('x')).finalMessage());
    expect(tooLong.error).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });

  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '###' } };
  const call = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' });

  it.each<[string, [role: string, content: unknown][], string]>([
    ['a picture after a prompt of the system', [['user', [picture]]], 'messages.0.content: Images must'],
    [
      'a picture after results, which are messages of their own',
      [
        ['user', 'a'],
        ['assistant', [call('1'), call('2')]],
        ['user', [result('1'), result('2'), { type: 'text', text: 'b' }]],
        ['user', [picture]],
      ],
      'messages.3.content: Images must',
    ],
    [
      'a call without its result',
      [
        ['user', 'a'],
        ['assistant', [call('1')]],
        ['user', 'b'],
      ],
      'messages.1.content: Each call needs its result in the message after it.',
    ],
    ['a result without its call', [['user', [result('1')]]], 'messages.0.content: Each result needs its call'],
  ])('names the place of %s in its own request', async (_name, turns, expected) => {
    const messages = turns.map(([role, content]) => ({ role, content })) as never;
    const refused = await failureOf(anthropic.messages.create({ ...ask('x'), system: 'Be short.', messages }));
    expect(refused.message).toContain(expected);
  });

  it.each([
    ['output_config', (format: object) => ({ output_config: { format, effort: 'low' } })],
    ['the beta’s output_format', (format: object) => ({ output_format: format })],
  ])('asks for a form of the answer: %s', async (_name, fields) => {
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    harness.upstream.script({ steps: textAnswer('{"title":"Fruit"}') });
    const { content } = await anthropic.messages.create(ask('title?', fields({ type: 'json_schema', schema })));
    expect(content).toMatchObject([{ type: 'text', text: '{"title":"Fruit"}' }]);
    expect(sent()['response_format']).toMatchObject({ type: 'json_schema', json_schema: { schema } });
    const wrong = await failureOf(anthropic.messages.create(ask('x', fields({ type: 'yaml', schema }))));
    expect(wrong.message).toMatch(/format\.type/);
  });

  it('lists the models in Anthropic’s form', async () => {
    const page = await anthropic.models.list({ limit: 1_000 });
    const listed = page.data.find(({ id }) => id === MODEL);
    expect(listed).toMatchObject({ type: 'model', display_name: expect.any(String) as string });
    expect(new Date(listed!.created_at).getTime()).not.toBeNaN();
    expect([page.hasNextPage(), page.first_id, page.last_id]).toEqual([false, page.data[0]!.id, page.data.at(-1)!.id]);
    expect(await anthropic.models.retrieve(MODEL)).toEqual(listed);
    expect(await failureOf(anthropic.models.retrieve('no/such'))).toBeInstanceOf(NotFoundError);
    const headers = { Authorization: `Bearer ${caller.key}` };
    const { body } = await harness.client().get<{ data: object[] }>('/api/v1/models', { headers });
    expect(body.data[0]).not.toHaveProperty('display_name');
  });

  it('is charged once for a repeated request, and gets the same message', async () => {
    const used = await harness.usedBy(caller);
    const options = { headers: { 'Idempotency-Key': 'messages-1' } };
    const first = await anthropic.messages.create(ask('once'), options);
    const second = await anthropic.messages.stream(ask('once'), options).finalMessage();
    expect([second.id, second.content]).toEqual([first.id, first.content]);
    expect(await harness.usedBy(caller)).toBe(used + 1);
    expect((await failureOf(anthropic.messages.create(ask('twice'), options))).status).toBe(409);
  });

  it('begins a repeated stream with a file with the tokens of the first answer', async () => {
    const data = Buffer.from('The harvest was good.').toString('base64');
    const source = { type: 'base64', media_type: 'text/plain', data } as never;
    const content = [{ type: 'document' as const, source }];
    const options = { headers: { 'Idempotency-Key': 'messages-file' } };
    const first = await anthropic.messages.create(ask(content), options);
    const stream = anthropic.messages.stream(ask(content), options);
    const begun: number[] = [];
    stream.on('streamEvent', (event) => {
      if (event.type === 'message_start') begun.push(event.message.usage.input_tokens);
    });
    expect((await stream.finalMessage()).id).toBe(first.id);
    expect(first.usage.input_tokens).toBeGreaterThan(0);
    expect(begun).toEqual([first.usage.input_tokens]);
  });

  it('counts tokens without a call of the provider and without a charge', async () => {
    const used = await harness.usedBy(caller);
    const calls = harness.upstream.calls.length;
    const { model, messages } = ask('How many tokens are these?');
    const { input_tokens: few } = await anthropic.messages.countTokens({ model, messages });
    const { input_tokens: more } = await anthropic.messages.countTokens({
      model,
      messages,
      tools: [WEATHER],
      system: 'Be kind.',
    });
    expect(few).toBeGreaterThan(5);
    expect(more).toBeGreaterThan(few);
    expect([await harness.usedBy(caller), harness.upstream.calls.length]).toEqual([used, calls]);
    const description = 'x'.repeat(API_LIMITS.toolDescription);
    const tools = Array.from({ length: 30 }, (_, at) => ({ ...WEATHER, name: `tool_${at}`, description }));
    const many = await failureOf(anthropic.messages.countTokens({ model, messages, tools }));
    expect([many.status, many.message]).toEqual([400, expect.stringContaining('tools must have at most')]);
  });
});

describe('a silent stream of messages', () => {
  it('begins in time and gets pings', async () => {
    const quick = await startPublicApiHarness({ redis: false, timings: { keepAlive: 40 } });
    const { key } = await quick.caller();
    const release = quick.upstream.holdAfter('First');
    const client = new Anthropic({ apiKey: key, baseURL: `${quick.url}/api`, maxRetries: 0 });
    const response = await client.messages.create({ ...ask('x'), stream: true }).asResponse();
    let raw = '';
    let isReleased = false;
    const decoder = new TextDecoder();
    for await (const bytes of response.body!) {
      raw += decoder.decode(bytes as Uint8Array, { stream: true });
      if (isReleased || !raw.includes('event: ping\n')) continue;
      isReleased = true;
      release();
    }
    expect(raw).toMatch(/^event: message_start\n/);
    expect(raw).toContain('event: message_stop');
    await quick.close();
  });
});
