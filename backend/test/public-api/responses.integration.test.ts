import { randomUUID } from 'node:crypto';
import { API_LIMITS, type ResponseObject } from '@tanya/contract';
import type { OpenAI } from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import { waitUntil } from '../harness/wait-until.js';
import { PASSWORD } from '../harness/test-app.js';
import { textAnswer, WEATHER_CALL, WEATHER_SCHEMA } from './client-cases.js';
import { type Caller, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const PATH = '/api/v1/responses';
const ENDLESS = 'go on [[words=20000 pace=10]]';
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

const tools = [{ type: 'function', name: 'get_weather', parameters: WEATHER_SCHEMA }];

describe.each(ADAPTERS)('responses of the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({
      redis,
      timings: { unreadResponse: 1_000, logRetention: 5_000, logFlush: 50, responseSweep: 100 },
    });
    caller = await harness.caller({ isPremium: true });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const respond = (body: object, headers: Record<string, string> = {}) =>
    harness.post(caller.key, { model: MODEL, ...body }, headers, PATH);

  const respondTo = async (body: object): Promise<ResponseObject> => {
    const answer = await respond(body);
    if (answer.status !== 200) throw new Error(`no response: ${answer.text}`);
    return answer.body as ResponseObject;
  };

  const read = (method: string, path: string, key = caller.key) =>
    harness.client().send<unknown>(method, `${PATH}/${path}`, { headers: { Authorization: `Bearer ${key}` } });

  const sentMessages = () => harness.upstream.callsOf().at(-1)!.body['messages'];

  const eventsOf = (text: string): OpenAI.Responses.ResponseStreamEvent[] =>
    text
      .split('\n\n')
      .filter((block) => block !== '')
      .map((block) => {
        const [name, data] = block.split('\n');
        const event = JSON.parse(data!.slice('data: '.length)) as OpenAI.Responses.ResponseStreamEvent;
        expect(name).toBe(`event: ${event.type}`);
        return event;
      });

  /** Reads a stream until an event and disconnects. @returns the id of the response and the last number */
  const leave = async (body: object, enough: (seen: number) => boolean): Promise<{ id: string; last: number }> => {
    const stream = await caller.openai.responses.create({ model: MODEL, input: ENDLESS, stream: true, ...body });
    let id = '';
    let last = 0;
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id;
      last = event.sequence_number;
      if (enough(last)) break;
    }
    return { id, last };
  };

  it('answers with a message and its usage, stores both, and charges one message', async () => {
    const member = await harness.caller();
    harness.upstream.script({ steps: textAnswer('Hello there') });
    const { body } = await harness.post(
      member.key,
      { model: MODEL, input: 'hi', instructions: 'Be short', temperature: 0.5, max_output_tokens: 9 },
      {},
      PATH,
    );
    const response = body as ResponseObject;
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: MODEL,
      instructions: 'Be short',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello there' }] }],
      usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
    });
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: 'hi' },
      ],
      temperature: 0.5,
    });
    expect((await read('GET', response.id, member.key)).body).toEqual(response);
    expect(await harness.usedBy(member)).toBe(1);
  });

  it('passes on images, forms of the text and results of calls', async () => {
    harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const image = { type: 'input_image', image_url: PIXEL, detail: 'auto' };
    const asked = await respondTo({
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'weather?' }, image] }],
      tools,
    });
    expect(asked.output).toEqual([
      expect.objectContaining({ type: 'function_call', call_id: 'call_weather', arguments: '{"city":"Jakarta"}' }),
    ]);
    expect(sentMessages()).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'weather?' },
          { type: 'image_url', image_url: { url: PIXEL } },
        ],
      },
    ]);
    const answer = await respondTo({
      previous_response_id: asked.id,
      input: [{ type: 'function_call_output', call_id: 'call_weather', output: 'rain' }],
      tools,
      text: { format: { type: 'json_schema', name: 'city', schema: WEATHER_SCHEMA, strict: true } },
    });
    expect(answer).toMatchObject({ previous_response_id: asked.id, text: { format: { type: 'json_schema' } } });
    expect(sentMessages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_weather' }] },
      { role: 'tool', tool_call_id: 'call_weather', content: 'rain' },
    ]);
    const { response_format: format } = harness.upstream.callsOf().at(-1)!.body as { response_format?: object };
    expect(format).toMatchObject({ type: 'json_schema', json_schema: { name: 'city', strict: true } });
  });

  it('continues a conversation, without the instructions of earlier responses', async () => {
    harness.upstream.script(...['one', 'two', 'three'].map((text) => ({ steps: textAnswer(text) })));
    const first = await respondTo({ input: 'a', instructions: 'Be short' });
    const second = await respondTo({ input: 'b', previous_response_id: first.id });
    await respondTo({ input: 'c', previous_response_id: second.id, store: false });
    expect(sentMessages()).toMatchObject([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'one' },
      { role: 'user' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'c' },
    ]);
    await read('DELETE', first.id);
    const broken = await respond({ input: 'd', previous_response_id: second.id });
    expect([broken.status, errorIn(broken.body).param]).toEqual([404, 'previous_response_id']);
  });

  it('streams the events of items in the order of OpenAI, numbered without a gap', async () => {
    harness.upstream.script({ steps: [{ text: 'Let me ' }, { text: 'look' }, ...WEATHER_CALL] });
    const { text, headers } = await respond({ input: 'weather?', tools, stream: true });
    const events = eventsOf(text);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const last = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    expect((await read('GET', last.response.id)).body).toEqual(last.response);
    expect(headers.get('x-ratelimit-limit-requests')).not.toBeNull();
  });

  it('ends a stream with response.failed when the provider fails, free of quota', async () => {
    const member = await harness.caller();
    harness.upstream.script({ status: 400, body: '{"error":{"message":"no"}}' });
    const { text } = await harness.post(member.key, { model: MODEL, input: 'x', stream: true }, {}, PATH);
    const last = eventsOf(text).at(-1) as OpenAI.Responses.ResponseFailedEvent;
    expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed', output: [] } });
    expect(last.response.error!.code).toMatch(/^provider_/);
    expect((await read('GET', last.response.id, member.key)).body).toEqual(last.response);
    expect(await harness.usedBy(member)).toBe(0);
  });

  it('stores nothing with store: false', async () => {
    const response = await respondTo({ input: 'hi', store: false });
    expect(response.store).toBe(false);
    expect((await read('GET', response.id)).status).toBe(404);
    const continued = await respond({ input: 'x', previous_response_id: response.id });
    expect(continued.status).toBe(404);
  });

  it('returns 404 for responses of other accounts, also as the previous one (AZ-10)', async () => {
    const other = await harness.caller();
    const mine = await respondTo({ input: 'secret' });
    for (const [method, path] of [
      ['GET', mine.id],
      ['GET', `${mine.id}?stream=true`],
      ['DELETE', mine.id],
      ['GET', `resp_${randomUUID().replaceAll('-', '')}`],
      ['GET', 'resp_x'],
    ] as const) {
      const answer = await read(method, path, other.key);
      expect([answer.status, errorIn(answer.body).code]).toEqual([404, 'not_found']);
    }
    const continued = await harness.post(other.key, { input: 'x', previous_response_id: mine.id }, {}, PATH);
    expect(continued.status).toBe(404);
    expect((await read('GET', mine.id)).status).toBe(200);
  });

  it('refuses what it does not support, by name', async () => {
    const cases: [object, string, string][] = [
      [{ background: true }, 'background', 'background'],
      [{ conversation: 'conv_1' }, 'conversation', 'conversation'],
      [{ tools: [{ type: 'file_search', vector_store_ids: ['x'] }] }, 'tools.0.type', 'file_search'],
      [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input.0.type', 'type'],
      [{ tools: [[{ type: 'function', name: 'f' }]] }, 'tools', 'tools'],
      [{ input: [] }, 'input', 'input'],
      [{ input: [{ role: 'user', content: [{ type: { toString: 1, valueOf: 1 }, text: 'x' }] }] }, 'input.0', 'Parts'],
      [{ input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }, 'input', 'function_call'],
      [{ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://x' }] }] }, '', 'Images'],
      [{ text: { format: 'json' } }, 'text.format', 'format'],
      [{ tool_choice: 'required' }, 'tool_choice', 'tools'],
    ];
    for (const [body, param, word] of cases) {
      const answer = await respond({ input: 'x', ...body });
      const error = errorIn(answer.body);
      expect([answer.status, error.message]).toEqual([400, expect.stringContaining(word)]);
      expect(error.param).toMatch(new RegExp(`^${param}`));
    }
    const defaults = { background: false, conversation: null, user: 'u', metadata: { a: 'b' }, service_tier: 'auto' };
    expect((await respond({ input: 'x', ...defaults })).status).toBe(200);
  });

  it('returns the first response for a repeated Idempotency-Key, and refuses the key for another request', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const calls = harness.upstream.callsOf().length;
    const [one, two] = await Promise.all([respond({ input: 'once' }, key), respond({ input: 'once' }, key)]);
    expect((two.body as ResponseObject).id).toBe((one.body as ResponseObject).id);
    expect((two.body as ResponseObject).output).toEqual((one.body as ResponseObject).output);
    expect(harness.upstream.callsOf().length).toBe(calls + 1);
    const streamed = eventsOf((await respond({ input: 'once', stream: true }, key)).text);
    expect(streamed.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id: (one.body as ResponseObject).id },
    });
    expect((await respond({ input: 'twice' }, key)).status).toBe(409);
  });

  it('runs on without a reader, and resumes after an event', async () => {
    harness.upstream.script({ steps: textAnswer('one two three four five six seven eight'), pace: 100 });
    const { id, last } = await leave({ input: 'count' }, (seen) => seen >= 5);
    const { text } = await read('GET', `${id}?stream=true&starting_after=${last}`);
    const events = eventsOf(text);
    expect(events[0]!.sequence_number).toBe(last + 1);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
    const all = eventsOf((await read('GET', `${id}?stream=true`)).text);
    expect(all.slice(last + 1)).toEqual(events);
    const beyond = await read('GET', `${id}?stream=true&starting_after=9999`);
    expect([beyond.status, errorIn(beyond.body).param]).toEqual([400, 'starting_after']);
    await waitUntil('the end of the log', async () => (await read('GET', `${id}?stream=true`)).status === 400);
    expect(errorIn((await read('GET', `${id}?stream=true`)).body).code).toBe('stream_expired');
    expect((await read('GET', id)).body).toMatchObject({ status: 'completed' });
  });

  it('stops a stored stream that has no reader', async () => {
    const { id } = await leave({}, (seen) => seen >= 5);
    await harness.upstream.callsOf().at(-1)!.closed;
    await waitUntil('the stored end', async () => {
      const { body } = await read('GET', id);
      return (body as ResponseObject).status === 'failed';
    });
  });

  it('stops a stream that is not stored when its client disconnects', async () => {
    await leave({ store: false }, (seen) => seen >= 5);
    await harness.upstream.callsOf().at(-1)!.closed;
  });

  it('stops a running response that is deleted', async () => {
    const { id } = await leave({}, (seen) => seen >= 5);
    expect((await read('DELETE', id)).body).toEqual({ id, object: 'response', deleted: true });
    await harness.upstream.callsOf().at(-1)!.closed;
    expect([(await read('GET', id)).status, (await read('DELETE', id)).status]).toEqual([404, 404]);
  });

  it('deletes responses after 30 days, and those of a deleted account', async () => {
    const rowsOf = async (userId: number) =>
      (await harness.dataSource.query<unknown[]>('select 1 from api_response where user_id = $1', [userId])).length;
    const member = await harness.caller();
    await harness.post(member.key, { input: 'old' }, {}, PATH);
    await harness.post(member.key, { input: 'new' }, {}, PATH);
    const { id } = member.user;
    expect(await rowsOf(id)).toBe(2);
    await harness.dataSource.query(
      `update api_response set created_at = now() - interval '31 days' where user_id = $1 and input like '%old%'`,
      [id],
    );
    await waitUntil('the sweep', async () => (await rowsOf(id)) === 1);
    await member.client.send('DELETE', '/api/user', { body: { password: PASSWORD } });
    expect(await rowsOf(id)).toBe(0);
  });

  /** Inserts finished responses, the first one the oldest. */
  const fill = (userId: number, count: number, characters: number) =>
    harness.dataSource.query(
      `insert into api_response (id, user_id, settings, input, state, characters, created_at)
       select gen_random_uuid(), $1, '{}', '[]', '{}', $3, now() - interval '1 day' + n * interval '1 second'
       from generate_series(1, $2::int) n`,
      [userId, count, characters],
    );

  const boundOf = async (userId: number) =>
    (
      await harness.dataSource.query<[{ rows: number; oldest: number }]>(
        `select count(*)::int as rows, extract(epoch from now() - min(created_at))::int as oldest
         from api_response where user_id = $1`,
        [userId],
      )
    )[0];

  it.each([
    ['responses', API_LIMITS.storedResponses + 5, 2, API_LIMITS.storedResponses],
    ['characters', 8, API_LIMITS.storedCharacters / 4, 4],
  ])('deletes the oldest responses of an account with too many %s', async (_unit, count, characters, left) => {
    const member = await harness.caller();
    const neighbour = await harness.caller();
    await fill(member.user.id, count, characters);
    await fill(neighbour.user.id, 3, 2);
    const { oldest } = await boundOf(member.user.id);
    const answer = await harness.post(member.key, { model: MODEL, input: 'the newest' }, {}, PATH);
    expect(answer.status).toBe(200);
    const after = await boundOf(member.user.id);
    expect(after.rows).toBe(left);
    expect(after.oldest).toBeLessThan(oldest);
    expect((await read('GET', (answer.body as ResponseObject).id, member.key)).status).toBe(200);
    expect((await boundOf(neighbour.user.id)).rows).toBe(3);
  });

  it('are part of the export of their account, in pages', async () => {
    const member = await harness.caller({ isPremium: true });
    const { body } = await harness.post(member.key, { model: MODEL, input: 'exported' }, {}, PATH);
    const response = body as ResponseObject;
    await harness.dataSource.query(
      `insert into api_response (id, user_id, settings, input, state, characters, created_at)
       select gen_random_uuid(), $1, settings, input, state, 2, now() + n * interval '1 second'
       from api_response, generate_series(1, 45) n where user_id = $1`,
      [member.user.id],
    );
    const exported = await member.client.get<{ responses: ResponseObject[] }>('/api/user/export');
    const { responses } = exported.body;
    expect(responses).toHaveLength(46);
    expect(responses[0]).toEqual({ ...response, input: [{ role: 'user', content: 'exported' }] });
  });
});
