import { ask, errorIn, MODEL, useOneCaller } from './public-api-harness.js';
import { tool } from './tool-calls-harness.js';

const suite = useOneCaller();

const sent = () =>
  suite.harness.upstream.callsOf().at(-1)!.body as {
    messages: { tool_calls?: unknown[]; content: unknown }[];
    tools: unknown;
    reasoning_effort?: string;
  };

const called = (args: unknown, more: object = { type: 'function' }) => ({
  model: MODEL,
  messages: [
    { role: 'user', content: 'time?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', ...more, function: { name: 'now', arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '12:00' },
    { role: 'user', content: 'thanks' },
  ],
});

const items = (args: unknown) => ({
  model: MODEL,
  input: [
    { role: 'user', content: 'time?' },
    { type: 'function_call', call_id: 'c1', name: 'now', arguments: args },
    { type: 'function_call_output', call_id: 'c1', output: '12:00' },
  ],
});

const sentArguments = () =>
  (sent().messages[1]!.tool_calls as { function: { arguments: string } }[])[0]!.function.arguments;

describe('the arguments of a call in a history', () => {
  it.each<[unknown, string]>([
    ['', '{}'],
    [' \n', '{}'],
    ['null', '{}'],
    [null, '{}'],
    [{}, '{}'],
    [{ a: 1, constructor: [2] }, '{"a":1,"constructor":[2]}'],
    ['{ "a": 1 }', '{ "a": 1 }'],
    ['{"a":', '{"invalid_json":"{\\"a\\":"}'],
    ['[1]', '{"invalid_json":"[1]"}'],
  ])('%j are sent as the object %s', async (args, expected) => {
    expect((await suite.harness.post(suite.caller.key, called(args))).status).toBe(200);
    expect(sentArguments()).toBe(expected);
    expect((await suite.harness.post(suite.caller.key, items(args), {}, '/api/v1/responses')).status).toBe(200);
    expect(sentArguments()).toBe(expected);
  });

  it.each<[unknown]>([[7], [[1]]])('%j are refused by the name of the field', async (args) => {
    const chat = await suite.harness.post(suite.caller.key, called(args));
    const response = await suite.harness.post(suite.caller.key, items(args), {}, '/api/v1/responses');
    expect([chat.status, response.status]).toEqual([400, 400]);
    expect(errorIn(chat.body).param).toBe('messages.1.tool_calls.0.function.arguments');
    expect(errorIn(response.body).param).toBe('input.1.arguments');
  });

  it('may stand in a call without a type, whose result has no content', async () => {
    const request = called('{}', {});
    request.messages[2]!.content = null as never;
    expect((await suite.harness.post(suite.caller.key, request)).status).toBe(200);
    expect(sent().messages[2]).toMatchObject({ role: 'tool', content: '' });
  });

  it.each([
    ['{"a":', '{"invalid_json":"{\\"a\\":"}'],
    ['null', '{}'],
  ])('that a model wrote wrongly do not end a stored conversation: %s', async (args, expected) => {
    suite.harness.upstream.script({
      steps: [{ call: { index: 0, id: 'c1', name: 'now', args } }, { finish: 'tool_calls' }, { done: true }],
    });
    const tools = [{ type: 'function', name: 'now', parameters: {} }];
    const first = await suite.harness.post(
      suite.caller.key,
      { model: MODEL, input: 'time?', tools },
      {},
      '/api/v1/responses',
    );
    const previous_response_id = (first.body as { id: string }).id;
    const input = [{ type: 'function_call_output', call_id: 'c1', output: '12:00' }];
    const next = await suite.harness.post(
      suite.caller.key,
      { model: MODEL, input, tools, previous_response_id },
      {},
      '/api/v1/responses',
    );
    expect(next.status).toBe(200);
    expect(sentArguments()).toBe(expected);
  });
});

it.each<[object]>([[{}], [{ type: 'object' }]])(
  'a tool with the parameters %j has a list of properties',
  async (parameters) => {
    await suite.harness.post(suite.caller.key, { ...ask('x'), tools: [tool('now', { parameters })] });
    expect(sent().tools).toMatchObject([{ function: { parameters: { type: 'object', properties: {} } } }]);
  },
);

it('parameters of servers of open models are passed on, within their bounds', async () => {
  const more = { top_k: 20, min_p: 0.1, repetition_penalty: 1.1, chat_template_kwargs: { enable_thinking: false } };
  expect((await suite.harness.post(suite.caller.key, ask('x', more))).status).toBe(200);
  expect(sent()).toMatchObject(more);
  for (const wrong of [{ top_k: 'a' }, { min_p: 2 }, { repetition_penalty: -1 }, { chat_template_kwargs: 'a' }]) {
    const { status, body } = await suite.harness.post(suite.caller.key, ask('x', wrong));
    expect([status, errorIn(body).param]).toEqual([400, Object.keys(wrong)[0]]);
  }
});

it('switches of reasoning and forms of answers are passed on as they are, within their bounds', async () => {
  const more = {
    ...{ enable_thinking: false, thinking: { type: 'disabled' }, thinking_budget: 1_000, min_tokens: 2 },
    ...{ guided_json: { type: 'object', constructor: 1 }, guided_regex: '[a-z]+', guided_choice: ['yes', 'no'] },
    ...{ structured_outputs: { regex: '[a-z]+' }, grammar: 'root ::= "a"' },
    ...{ stop_token_ids: [128_009], continue_final_message: true, add_generation_prompt: false },
  };
  expect((await suite.harness.post(suite.caller.key, ask('x', more))).status).toBe(200);
  expect(sent()).toMatchObject(more);
  expect((await suite.harness.post(suite.caller.key, ask('x', { structured_outputs: true }))).status).toBe(200);
  expect(sent()).not.toHaveProperty('structured_outputs');
  for (const wrong of [
    { enable_thinking: 'no' },
    { thinking: true },
    { thinking_budget: -2 },
    { guided_json: 5 },
    { stop_token_ids: ['a'] },
    { continue_final_message: 1 },
  ]) {
    const { status, body } = await suite.harness.post(suite.caller.key, ask('x', wrong));
    expect([status, errorIn(body).param]).toEqual([400, Object.keys(wrong)[0]]);
  }
});

it.each([
  [{ reasoning: { effort: 'high', enabled: false } }, 'high'],
  [{ reasoning: { enabled: false } }, 'none'],
  [{ reasoning: { enabled: true } }, 'medium'],
  [{ reasoning: { max_tokens: 2_000 } }, 'low'],
  [{ reasoning: { max_tokens: 0 } }, 'none'],
  [{ reasoning: { max_tokens: 2_000, enabled: false } }, 'none'],
  [{ reasoning: { exclude: true } }, undefined],
  [{ think: false }, 'none'],
  [{ think: true }, 'medium'],
  [{ think: 'low' }, 'low'],
  [{ think: false, reasoning_effort: 'high' }, 'high'],
])('%j asks for the reasoning effort %s', async (more, effort) => {
  expect((await suite.harness.post(suite.caller.key, ask('x', more))).status).toBe(200);
  expect(sent().reasoning_effort).toBe(effort);
});

it('who wrote a message is passed on; what names nobody is ignored', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } };
  const messages = [
    { role: 'system', content: 'Two guests talk.', name: 'host' },
    { role: 'user', content: 'time?', name: 'Ada' },
    { role: 'assistant', content: null, name: 'clock', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '12:00', name: 'now' },
    { role: 'user', content: 'thanks', name: 'Bob\ud800' },
  ];
  expect((await suite.harness.post(suite.caller.key, { model: MODEL, messages })).status).toBe(200);
  expect(sent().messages).toEqual([...messages.slice(0, 4), { ...messages[4], name: 'Bob\ufffd' }]);
  const long = { role: 'user', content: 'x', name: `Ada  <King>/${'y'.repeat(100)}` };
  expect((await suite.harness.post(suite.caller.key, { model: MODEL, messages: [long] })).status).toBe(200);
  expect(sent().messages).toEqual([{ ...long, name: `Ada_King_${'y'.repeat(52)}` }]);
  for (const name of [null, '', 7, {}]) {
    const body = { model: MODEL, messages: [{ role: 'user', content: 'x', name }] };
    expect((await suite.harness.post(suite.caller.key, body)).status).toBe(200);
    expect(sent().messages).toEqual([{ role: 'user', content: 'x' }]);
  }
});

const OFF = [
  { think: false },
  { reasoning: { enabled: false } },
  { reasoning_effort: 'none' },
  { enable_thinking: false, thinking: { type: 'disabled' }, thinking_budget: 0 },
];

it('switches that turn reasoning off reach each model but those that never reason', async () => {
  const admin = await suite.harness.admin();
  const list = async (modelId: string, fields: object): Promise<void> => {
    expect((await admin.post('/api/admin/models', { modelId, ...fields })).status).toBe(201);
  };
  await list('acme/thinks', { reasoningEfforts: ['none', 'low'] });
  await list('acme/plain', { reasoningEfforts: [], supportedParameters: ['tools'], fallbacks: ['acme/thinks'] });
  // Where nothing is known of its parameters, an empty list may only hide the choice.
  await list('acme/unknown', { reasoningEfforts: [] });
  const switchesOf = async (model: string, more: object): Promise<unknown[]> => {
    const { messages } = ask('x');
    expect((await suite.harness.post(suite.caller.key, { model, messages, ...more })).status).toBe(200);
    const { model: answered, ...body } = sent() as Record<string, unknown>;
    const names = ['reasoning_effort', 'enable_thinking', 'thinking', 'thinking_budget'];
    return [answered, ...names.filter((name) => name in body).map((name) => body[name])];
  };
  for (const off of OFF) {
    expect(await switchesOf('acme/plain', off)).toEqual(['acme/plain']);
    const given = 'thinking' in off ? Object.values(off) : ['none'];
    expect(await switchesOf('acme/unknown', off)).toEqual(['acme/unknown', ...given]);
    suite.harness.upstream.script({ status: 404 });
    expect(await switchesOf('acme/plain', off)).toEqual(['acme/thinks', ...given]);
  }
  expect(await switchesOf('acme/plain', { think: true })).toEqual(['acme/plain', 'medium']);
});

it('the list of models has one for Codex, beside that of all clients', async () => {
  const headers = { Authorization: `Bearer ${suite.caller.key}` };
  const read = async (query: string) =>
    (await suite.harness.client().get<{ data: unknown[]; models?: unknown }>(`/api/v1/models${query}`, { headers }))
      .body;
  const all = await read('');
  expect([all.data.length > 0, all.models]).toEqual([true, undefined]);
  expect(await read('?client_version=0.145.0')).toEqual({ ...all, models: [] });
});

it('a picture of 1.2 MB, a history of 1.3 million characters and many texts arrive whole', async () => {
  const { key } = await suite.harness.caller();
  const url = `data:image/png;base64,${Buffer.alloc(900_000, 7).toString('base64')}`;
  await suite.harness.post(
    key,
    ask(undefined as never, { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }),
  );
  expect(JSON.stringify(sent())).toContain(url);
  const messages = Array.from({ length: 401 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: 'x'.repeat(3_250),
  }));
  await suite.harness.post(key, { model: MODEL, messages });
  expect(sent().messages).toHaveLength(401);
  const output = [{ type: 'input_image', image_url: url }];
  const { input } = items('{}');
  await suite.harness.post(
    key,
    { model: MODEL, input: [...input.slice(0, 2), { ...input[2], output }] },
    {},
    '/api/v1/responses',
  );
  expect(JSON.stringify(sent())).toContain(url);
});
