import { randomUUID } from 'node:crypto';
import type { ChatCompletion, PublicModel } from '@tanya/contract';
import type { OpenAI } from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { waitUntil } from '../harness/wait-until.js';
import { ask, errorIn } from './public-api-harness.js';
import {
  CALLS,
  choiceOf,
  END,
  joined,
  startToolCallsHarness,
  tool,
  type ToolCallsHarness,
  TWO_CALLS,
  WEATHER,
  withTools,
} from './tool-calls-harness.js';

const allowed = (name: string): object => ({
  type: 'allowed_tools',
  allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name } }] },
});

describe.each(ADAPTERS)('tools that a program runs, %s', (_name, redis) => {
  let harness: ToolCallsHarness;

  beforeAll(async () => {
    harness = await startToolCallsHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('reach the upstream unchanged, with their choice, alone', async () => {
    const { key } = await harness.caller();
    const tools = [WEATHER, tool('now', { strict: true })];
    for (const choice of ['auto', 'required', 'none', tool('now')]) {
      await harness.post(key, withTools({ tools, tool_choice: choice, parallel_tool_calls: false }));
      const { body } = harness.upstream.callsOf().at(-1)!;
      expect(body).toMatchObject({ tools, tool_choice: choice, parallel_tool_calls: false });
    }
    await harness.post(key, withTools({ tools, tool_choice: allowed('now') }));
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({ tools: [tools[1]], tool_choice: 'auto' });
    await harness.post(key, withTools());
    const { body } = harness.upstream.callsOf().at(-1)!;
    expect(body['tools']).toEqual([WEATHER]);
    expect([body['tool_choice'], body['parallel_tool_calls']]).toEqual([undefined, undefined]);
  });

  it('are called in the text of an answer, as of servers that do not read the tokens of a model', async () => {
    const caller = await harness.caller();
    const text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Jakarta"}}\n</tool_call>';
    const steps: Step[] = [{ text: 'I look.\n<tool' }, { text: text.slice(5) }, { finish: 'stop' }, { done: true }];
    harness.upstream.script({ steps }, { steps });
    const called = { name: 'get_weather', arguments: '{"city":"Jakarta"}' };
    const { body } = await harness.post(caller.key, withTools());
    expect(choiceOf(body)).toMatchObject({
      message: { content: 'I look.\n', tool_calls: [{ id: expect.any(String) as string, function: called }] },
      finish_reason: 'tool_calls',
    });
    const { calls, finish } = await harness.streamed(caller);
    expect([calls.map((call) => call.function), finish]).toEqual([[called], 'tool_calls']);
    expect(await harness.usedBy(caller)).toBe(2);
  });

  it('are called in an answer without text, for one message', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: TWO_CALLS });
    const { body } = await harness.post(caller.key, withTools());
    expect(choiceOf(body)).toEqual({
      index: 0,
      message: { role: 'assistant', content: null, tool_calls: CALLS },
      finish_reason: 'tool_calls',
    });
    expect((body as ChatCompletion).usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 });
    expect(await harness.usedBy(caller)).toBe(1);
    expect(await harness.dataSource.query('select 1 from tool_call where call_id = $1', ['call_a'])).toEqual([]);
  });

  it('are called in a stream, id and name first', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: [{ text: 'Let me look. ' }, ...TWO_CALLS] });
    const { calls, finish, chunks } = await harness.streamed(caller, { stream_options: { include_usage: true } });
    expect([calls, finish]).toEqual([CALLS, 'tool_calls']);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Let me look. ');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 8 } });
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('are called piece by piece, before the upstream has ended', async () => {
    const caller = await harness.caller();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    harness.upstream.script({ steps: [TWO_CALLS[0]!, { wait: held }, ...TWO_CALLS.slice(1)] });
    const stream = await caller.openai.chat.completions.create({
      ...(withTools() as OpenAI.ChatCompletionCreateParamsNonStreaming),
      stream: true,
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunk.choices[0]?.delta.tool_calls !== undefined) release();
    }
    expect(joined(chunks).calls).toEqual(CALLS);
  });

  it.each<[string, Step[]]>([
    [
      'no id',
      [{ call: { index: 0, name: 'get_weather', args: {} } }, { call: { index: 1, name: 'get_weather', args: {} } }],
    ],
    ['one id for two calls', [0, 1].map((index) => ({ call: { index, id: 'same', name: 'get_weather', args: {} } }))],
    [
      'no index',
      ['a', 'b'].map((id) => ({
        chunk: { choices: [{ delta: { tool_calls: [{ id, function: { name: 'get_weather', arguments: '{}' } }] } }] },
      })),
    ],
    ['indexes with gaps', [3, 9].map((index) => ({ call: { index, id: `i${index}`, name: 'get_weather', args: '' } }))],
    [
      'another finish reason',
      [0, 1].map((index) => ({ call: { index, id: `f${index}`, name: 'get_weather', args: {} } })),
    ],
  ])('are well formed when the upstream sends %s', async (title, pieces) => {
    const caller = await harness.caller();
    const steps: Step[] = title.startsWith('another') ? [...pieces, { finish: 'stop' }] : [...pieces, ...END];
    harness.upstream.script({ steps }, { steps });
    const stream = await harness.streamed(caller);
    const { body } = await harness.post(caller.key, withTools());
    for (const calls of [stream.calls, choiceOf(body).message.tool_calls!]) {
      expect(calls.map((call) => call.function)).toEqual(Array(2).fill({ name: 'get_weather', arguments: '{}' }));
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(calls.every(({ id }) => /^\S+$/.test(id))).toBe(true);
    }
    expect([stream.finish, choiceOf(body).finish_reason]).toEqual(['tool_calls', 'tool_calls']);
  });

  it('keep arguments that are no JSON, and those of an answer that reached its length', async () => {
    const caller = await harness.caller();
    const call: Step = { call: { index: 0, id: 'a', name: 'get_weather', args: '{"city":' } };
    harness.upstream.script({ steps: [call, ...END] }, { steps: [call, { finish: 'length' }, { done: true }] });
    for (const finish of ['tool_calls', 'length']) {
      const { body } = await harness.post(caller.key, withTools());
      expect(choiceOf(body).message.tool_calls![0]!.function.arguments).toBe('{"city":');
      expect(choiceOf(body).finish_reason).toBe(finish);
    }
  });

  it('are replayed for a repeated Idempotency-Key, streamed or not, and charged once', async () => {
    const caller = await harness.caller();
    const headers = { 'Idempotency-Key': randomUUID() };
    harness.upstream.script({ steps: [TWO_CALLS[0]!, { wait: 100 }, ...TWO_CALLS.slice(1)] });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? harness.streamed(caller, {}, headers).then(({ calls, finish }) => ({ calls, finish }))
          : harness.post(caller.key, withTools(), headers).then(({ body }) => ({
              calls: choiceOf(body).message.tool_calls,
              finish: choiceOf(body).finish_reason,
            })),
      ),
    );
    expect(answers).toEqual(Array(8).fill({ calls: CALLS, finish: 'tool_calls' }));
    expect((await harness.streamed(caller, {}, headers)).calls).toEqual(CALLS);
    const other = await harness.post(caller.key, withTools({ tool_choice: 'required' }), headers);
    expect([other.status, errorIn(other.body).code]).toEqual([409, 'idempotency_mismatch']);
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('get their results to the model in the next request, which is another message', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: TWO_CALLS });
    const first = choiceOf((await harness.post(caller.key, withTools())).body).message;
    const messages = [
      { role: 'user', content: 'weather?' },
      first,
      { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: 'rain' }] },
      { role: 'tool', tool_call_id: 'call_a', content: '' },
    ];
    const { body } = await harness.post(caller.key, withTools({ messages }));
    expect(choiceOf(body).finish_reason).toBe('stop');
    expect(harness.upstream.callsOf().at(-1)!.body['messages']).toEqual([
      messages[0],
      { role: 'assistant', content: null, tool_calls: CALLS },
      { role: 'tool', tool_call_id: 'call_b', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_a', content: '' },
    ]);
    expect(await harness.usedBy(caller)).toBe(2);
  });

  it('with arguments of 100,000 characters at once and an id with a signature arrive unchanged', async () => {
    const caller = await harness.caller();
    const args = JSON.stringify({ city: 'x'.repeat(100_000) });
    const id = `call_a__thought__${'x+/='.repeat(300)}`;
    const steps: Step[] = [{ call: { index: 0, id, name: 'get_weather', args } }, ...END];
    harness.upstream.script({ steps }, { steps });
    const expected = [{ id, type: 'function', function: { name: 'get_weather', arguments: args } }];
    expect((await harness.streamed(caller)).calls).toEqual(expected);
    const { message } = choiceOf((await harness.post(caller.key, withTools())).body);
    expect(message.tool_calls).toEqual(expected);
    const result = { role: 'tool', tool_call_id: id, content: 'rain' };
    const messages = [{ role: 'user', content: 'weather?' }, message, result];
    expect((await harness.post(caller.key, withTools({ messages }))).status).toBe(200);
    expect(harness.upstream.callsOf().at(-1)!.body['messages']).toEqual(messages);
  });

  it('that the upstream refuses fail the request, free, instead of an answer without them', async () => {
    const caller = await harness.caller();
    const calls = harness.upstream.callsOf().length;
    harness.upstream.script({ status: 400, body: '{"error":{"message":"tools are not supported"}}' });
    const answer = await harness.post(caller.key, withTools());
    expect([answer.status >= 400, errorIn(answer.body).type]).toEqual([true, 'provider_error']);
    expect(harness.upstream.callsOf().length - calls).toBe(1);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('named like tools of this server do not run here', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: [{ call: { id: 'c', name: 'calculate', args: { expression: '1+1' } } }, ...END] });
    const calls = harness.upstream.callsOf().length;
    const { body } = await harness.post(caller.key, withTools({ tools: [tool('calculate')] }));
    expect(choiceOf(body).message.tool_calls![0]!.function.name).toBe('calculate');
    expect(harness.upstream.callsOf().length - calls).toBe(1);
  });

  it('are charged when the client leaves after a call began', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: [TWO_CALLS[0]!, { stall: true }] });
    const leaving = new AbortController();
    const stream = await caller.openai.chat.completions.create(
      { ...(withTools() as OpenAI.ChatCompletionCreateParamsNonStreaming), stream: true },
      { signal: leaving.signal },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.tool_calls !== undefined) break;
    leaving.abort();
    await waitUntil('the charge', async () => (await harness.usedBy(caller)) === 1);
  });

  const call = (id: unknown, more: object = {}) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: '{}', ...more },
  });
  const turn = (tool_calls: unknown, ...results: object[]) => ({
    messages: [{ role: 'user', content: 'x' }, { role: 'assistant', content: null, tool_calls }, ...results],
  });
  const result = (id: unknown, content: unknown = 'x') => ({ role: 'tool', tool_call_id: id, content });
  const deep = (levels: number): object => (levels === 0 ? {} : { inner: deep(levels - 1) });

  const REFUSED: [string, object][] = [
    ['tools', { tools: {} }],
    ['tools', { tools: [[WEATHER]] }],
    ['tools', { tools: Array.from({ length: 129 }, (_, index) => tool(`t${index}`)) }],
    [
      'tools',
      { tools: Array.from({ length: 40 }, (_, index) => tool(`t${index}`, { description: 'x'.repeat(12_000) })) },
    ],
    ['tools.0.type', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
    ['tools.0.type', { tools: [{ type: 'web_search' }] }],
    ['tools.0.function', { tools: [{ type: 'function' }] }],
    ['tools.0.function.name', { tools: [tool('a b')] }],
    ['tools.0.function.name', { tools: [tool('x'.repeat(129))] }],
    ['tools.0.function.description', { tools: [tool('a', { description: 'x'.repeat(64_001) })] }],
    ['tools.0.function.parameters', { tools: [tool('a', { parameters: [] })] }],
    ['tools.0.function.parameters', { tools: [tool('a', { parameters: deep(15) })] }],
    ['tools.0.function.parameters', { tools: [tool('a', { parameters: { x: 'x'.repeat(100_001) } })] }],
    ['tools.0.function.strict', { tools: [tool('a', { strict: 'yes' })] }],
    ['tool_choice', { tools: [WEATHER], tool_choice: 'some' }],
    ['tool_choice', { tools: [WEATHER], tool_choice: tool('other') }],
    ['tool_choice', { tools: [WEATHER], tool_choice: { type: 'allowed_tools' } }],
    ['tool_choice', { tools: [WEATHER], tool_choice: { type: 'allowed_tools', allowed_tools: { tools: [] } } }],
    ['tool_choice.allowed_tools.tools', { tools: [WEATHER], tool_choice: allowed('other') }],
    ['tool_choice', { tools: [WEATHER], tool_choice: allowed('n'.repeat(100_000)) }],
    ['tool_choice', { tools: [], tool_choice: 'required' }],
    ['parallel_tool_calls', { tools: [WEATHER], parallel_tool_calls: 'no' }],
    ['messages.1.tool_calls', turn([call('a')])],
    ['messages.1.tool_calls', turn([[call('a')]], result('a'))],
    ['messages.1.tool_calls', turn([call('a'), call('a')], result('a'))],
    ['messages.1.tool_calls', turn(Array.from({ length: 129 }, (_, index) => call(`c${index}`)))],
    ['messages.1.tool_calls.0.id', turn([call('')], result(''))],
    ['messages.1.tool_calls.0.function.name', turn([call('a', { name: '' })], result('a'))],
    ['messages.1.tool_calls.0.function.arguments', turn([call('a', { arguments: [] })], result('a'))],
    ['messages.1.tool_calls.0.function.arguments', turn([call('a', { arguments: 'x'.repeat(200_001) })], result('a'))],
    ['messages.2.tool_call_id', turn([call('a')], { role: 'tool', content: 'x' })],
    ['messages.2.tool_call_id', turn([call('a')], result('b'))],
    ['messages.2.content', turn([call('a')], result('a', [{ type: 'image_url', image_url: {} }]))],
  ];

  it('that are invalid are refused by name, without a call of the model (AZ-8)', async () => {
    const caller = await harness.caller();
    const calls = harness.upstream.callsOf().length;
    for (const [param, fields] of REFUSED) {
      const answer = await harness.post(caller.key, { ...ask('x'), ...fields });
      expect([param, answer.status, errorIn(answer.body).param]).toEqual([param, 400, param]);
    }
    expect(harness.upstream.callsOf().length).toBe(calls);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('are refused for a model that takes no tools', async () => {
    const [caller, admin] = [await harness.caller(), await harness.admin()];
    const modelId = `plain/${redis ? 'redis' : 'memory'}`;
    const { body: model } = await admin.post<{ id: number }>('/api/admin/models', {
      modelId,
      name: 'Plain',
      provider: 'Tests',
    });
    expect((await admin.patch(`/api/admin/models/${model.id}`, { supportsTools: false })).status).toBe(200);
    await waitUntil('the list of models', async () => {
      const { body } = await caller.client.get<PublicModel[]>('/api/models');
      return body.some((each) => each.modelId === modelId && each.supportsTools === false);
    });
    const answer = await harness.post(caller.key, withTools({ model: modelId }));
    expect([answer.status, errorIn(answer.body).param]).toEqual([400, 'tools']);
    const headers = { Authorization: `Bearer ${caller.key}` };
    const tool = { type: 'function', name: 'get_weather', parameters: { type: 'object' } };
    const body = { model: modelId, input: 'x', tools: [tool] };
    for (const path of ['responses', 'responses/input_tokens']) {
      const refused = await harness.client().post(`/api/v1/${path}`, body, { headers });
      expect([path, refused.status, errorIn(refused.body).param]).toEqual([path, 400, 'tools']);
    }
  });
});
