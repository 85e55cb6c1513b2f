import { MODEL, useOneCaller } from './public-api-harness.js';

/** Tools and histories in the form of another API, as Cursor, LibreChat and gateways send them. */
const suite = useOneCaller();

const USER = [{ role: 'user', content: 'Add 1 and 2' }];
const PARAMETERS = { type: 'object', properties: { a: { type: 'number' } } };
const FUNCTION = { name: 'add', description: 'Adds.', parameters: PARAMETERS };
const TOOL = { type: 'function', function: FUNCTION };

/** The request that the provider received for one of a program. */
async function sent(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: answer } = await suite.harness.post(suite.caller.key, { model: MODEL, ...body }, {}, path);
  expect([status, status === 200 ? null : answer]).toEqual([200, null]);
  return suite.harness.upstream.callsOf().at(-1)!.body;
}

const CHAT = '/api/v1/chat/completions';

it.each<[string, object]>([
  ['of Responses', { type: 'function', ...FUNCTION }],
  ['of Responses without a type', FUNCTION],
  ['of chat completions without a type', { function: FUNCTION }],
  ['of Anthropic', { name: 'add', description: 'Adds.', input_schema: PARAMETERS }],
  ['of Anthropic with its type', { type: 'custom', name: 'add', description: 'Adds.', input_schema: PARAMETERS }],
])('a chat completion takes functions in the form %s', async (_name, tool) => {
  expect((await sent(CHAT, { messages: USER, tools: [tool] }))['tools']).toEqual([TOOL]);
});

it.each([
  [
    { type: 'function', name: 'add' },
    { type: 'function', function: { name: 'add' } },
  ],
  [
    { type: 'tool', name: 'add' },
    { type: 'function', function: { name: 'add' } },
  ],
  [{ type: 'any' }, 'required'],
  [{ type: 'auto' }, 'auto'],
  ['any', 'required'],
])('a chat completion takes the choice %j', async (tool_choice, expected) => {
  expect((await sent(CHAT, { messages: USER, tools: [TOOL], tool_choice }))['tool_choice']).toEqual(expected);
});

it.each<[string, object]>([
  ['tools.0.type', { tools: [{ type: 'custom', custom: { name: 'add' } }] }],
  ['tools.0.type', { tools: [{ type: 'web_search', name: 'search' }] }],
  ['tools.0.function', { tools: [{ type: 'function' }] }],
  ['tool_choice', { tools: [TOOL], tool_choice: { type: 'function', function: {} } }],
  ['tool_choice', { tools: [TOOL], tool_choice: { type: 'some' } }],
  ['tool_choice', { tools: [TOOL], tool_choice: 'some' }],
  ['tool_choice', { tools: [TOOL], tool_choice: { type: 'function', name: 'other' } }],
])('a chat completion refuses %s: %j', async (param, body) => {
  const { status, body: answer } = await suite.harness.post(suite.caller.key, {
    model: MODEL,
    messages: USER,
    ...body,
  });
  expect([status, answer]).toMatchObject([400, { error: { param } }]);
});

it.each<[string, object, string, RegExp]>([
  [CHAT, { input: 'Hi' }, 'messages', /input belongs to POST \/responses/],
  [CHAT, { prompt: 'Hi' }, 'messages', /prompt is not supported/],
  [CHAT, { prompt: [1, 2] }, 'messages', /prompt is not supported/],
  ['/api/v1/responses', { messages: USER }, 'input', /messages belongs to POST \/chat\/completions/],
])('%s refuses the conversation of another call and names it: %j', async (path, body, param, words) => {
  const { status, body: answer } = await suite.harness.post(suite.caller.key, { model: MODEL, ...body }, {}, path);
  expect([status, answer]).toMatchObject([400, { error: { param, message: expect.stringMatching(words) as string } }]);
});

it('a chat completion takes calls and results as the blocks of Anthropic', async () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'add', input: { a: 1 } });
  const result = (id: string, more: object) => ({ type: 'tool_result', tool_use_id: id, ...more });
  const { messages } = await sent(CHAT, {
    messages: [
      ...USER,
      { role: 'assistant', content: [{ type: 'text', text: 'I add.' }, call('c1'), call('c2'), call('c3')] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go on' },
          result('c1', { content: '1' }),
          result('c2', { content: [{ type: 'text', text: 'no' }], is_error: true }),
          result('c3', {}),
        ],
      },
      { role: 'assistant', content: [call('c4')] },
      { role: 'user', content: [result('c4', { content: '4' })] },
    ],
  });
  const called = (id: string) => ({ id, type: 'function', function: { name: 'add', arguments: '{"a":1}' } });
  expect(messages).toEqual([
    ...USER,
    { role: 'assistant', content: 'I add.', tool_calls: ['c1', 'c2', 'c3'].map(called) },
    { role: 'tool', tool_call_id: 'c1', content: '1' },
    { role: 'tool', tool_call_id: 'c2', content: 'Error: no' },
    { role: 'tool', tool_call_id: 'c3', content: '' },
    { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
    { role: 'assistant', content: null, tool_calls: [called('c4')] },
    { role: 'tool', tool_call_id: 'c4', content: '4' },
  ]);
});

it('a chat completion keeps an answer that refused, and leaves out one without content', async () => {
  const refused = { role: 'assistant', content: null, refusal: 'I cannot.' };
  const { messages } = await sent(CHAT, { messages: [...USER, refused, ...USER, { role: 'assistant' }, ...USER] });
  expect(messages).toEqual([...USER, { role: 'assistant', content: 'I cannot.' }, ...USER, ...USER]);
});

it.each(['x-api-key', 'api-key'])('the key may stand in %s', async (name) => {
  const headers = { Authorization: '', [name]: suite.caller.key };
  const body = { model: MODEL, messages: USER };
  expect((await suite.harness.client().post(CHAT, body, { headers })).status).toBe(200);
});

it('a response takes functions in the form of chat completions', async () => {
  const body = { input: 'Add 1 and 2', tools: [TOOL], tool_choice: { type: 'function', function: { name: 'add' } } };
  expect(await sent('/api/v1/responses', body)).toMatchObject({
    tools: [TOOL],
    tool_choice: { type: 'function', function: { name: 'add' } },
  });
});

it('a response takes the names of settings in chat completions, after its own', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'sum', schema, strict: true } };
  const given = { input: 'Add', max_tokens: 50, reasoning_effort: 'low', response_format };
  const limitOf = ({ max_tokens, max_completion_tokens }: Record<string, unknown>): unknown =>
    max_completion_tokens ?? max_tokens;
  const first = await sent('/api/v1/responses', given);
  expect([limitOf(first), first['response_format']]).toEqual([50, response_format]);
  expect(JSON.stringify(first)).toContain('"low"');
  const own = { max_output_tokens: 70, text: { format: { type: 'json_object' } }, reasoning: { effort: 'high' } };
  const second = await sent('/api/v1/responses', { ...given, ...own });
  expect([limitOf(second), second['response_format']]).toEqual([70, { type: 'json_object' }]);
  expect(JSON.stringify(second)).not.toContain('"low"');
});

it.each(['web_search_20250305', 'web_fetch_20250910', 'advisor_20260301', 'tool_search_tool_regex_20251119'])(
  'a message leaves %s of Anthropic out beside other tools, as a response does a search',
  async (type) => {
    const search = { type, name: 'search' };
    const own = { name: 'add', description: 'Adds.', input_schema: PARAMETERS };
    const body = { max_tokens: 50, messages: USER };
    expect((await sent('/api/v1/messages', { ...body, tools: [search, own] }))['tools']).toEqual([TOOL]);
    const alone = { model: MODEL, ...body, tools: [search] };
    expect((await suite.harness.post(suite.caller.key, alone, {}, '/api/v1/messages')).status).toBe(400);
  },
);

it('a message takes functions in the form of chat completions', async () => {
  const { tools } = await sent('/api/v1/messages', { max_tokens: 50, messages: USER, tools: [TOOL] });
  expect(tools).toEqual([TOOL]);
});

const MESSAGES = '/api/v1/messages';
const OWN = { name: 'add', description: 'Adds.', input_schema: PARAMETERS };

it.each<[unknown, unknown]>([
  ['auto', 'auto'],
  ['required', 'required'],
  ['none', 'none'],
  [{ type: 'required' }, 'required'],
  [
    { type: 'function', function: { name: 'add' } },
    { type: 'function', function: { name: 'add' } },
  ],
  [
    { type: 'function', name: 'add' },
    { type: 'function', function: { name: 'add' } },
  ],
])('a message takes the choice %j of chat completions', async (tool_choice, expected) => {
  const body = { max_tokens: 50, messages: USER, tools: [OWN], tool_choice };
  expect((await sent(MESSAGES, body))['tool_choice']).toEqual(expected);
});

it.each<unknown>(['some', 7, { type: 'function' }, { type: 'some' }, ['auto']])(
  'a message refuses the choice %j',
  async (tool_choice) => {
    const body = { model: MODEL, max_tokens: 50, messages: USER, tools: [OWN], tool_choice };
    const { status, body: answer } = await suite.harness.post(suite.caller.key, body, {}, MESSAGES);
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining('tool_choice')]);
  },
);

describe('tools of Anthropic that a client runs', () => {
  it.each<[string, string, string[]]>([
    ['bash_20250124', 'bash', ['command', 'restart']],
    ['text_editor_20250124', 'str_replace_editor', ['command', 'insert_line', 'new_str', 'old_str', 'path']],
    ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'insert_text', 'old_str', 'view_range']],
    ['memory_20250818', 'memory', ['command', 'new_path', 'old_path', 'path']],
  ])('%s is a function that every model reads', async (type, name, arguments_) => {
    const body = { max_tokens: 50, messages: USER, tools: [{ type, name }, OWN], tool_choice: { type: 'tool', name } };
    const { tools, tool_choice: choice } = await sent(MESSAGES, body);
    const [first, second] = tools as { function: { name: string; parameters: { properties: object } } }[];
    expect([first!.function.name, second]).toEqual([name, TOOL]);
    expect(Object.keys(first!.function.parameters.properties)).toEqual(expect.arrayContaining(arguments_));
    expect(choice).toEqual({ type: 'function', function: { name } });
  });

  it('without a name has its usual one, and others are refused by their names', async () => {
    const { tools } = await sent(MESSAGES, { max_tokens: 50, messages: USER, tools: [{ type: 'bash_20241022' }] });
    expect(tools).toMatchObject([{ function: { name: 'bash' } }]);
    const body = {
      model: MODEL,
      max_tokens: 50,
      messages: USER,
      tools: [{ type: 'code_execution_20250825', name: 'x' }],
    };
    expect(await suite.harness.post(suite.caller.key, body, {}, MESSAGES)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('tools.0.type') as string } },
    });
  });
});

it('a message leaves out the line of Claude Code that differs in each request', async () => {
  const line = 'x-anthropic-billing-header: cc_version=2.1.0; cch=a1b2c;';
  const text = (value: string) => ({ type: 'text', text: value });
  for (const system of [[text(line), text('Be short.')], `${line}\nBe short.`]) {
    const { messages } = await sent(MESSAGES, { max_tokens: 50, system, messages: USER });
    expect(messages).toEqual([{ role: 'system', content: 'Be short.' }, ...USER]);
  }
  const said = [
    { role: 'system', content: [text(line), text('Be kind.')] },
    { role: 'system', content: line },
  ];
  const { messages } = await sent(MESSAGES, { max_tokens: 50, messages: [...USER, ...said] });
  expect(messages).toEqual([...USER, { role: 'system', content: 'Be kind.' }]);
});

it('a message has what is said to the system until the next message of the user', async () => {
  const said = (content: string) => ({ role: 'system', content, clear_at: 'next_user_message' });
  const stays = { role: 'system', content: 'Be kind.' };
  const messages = [...USER, said('Be short.'), { ...stays, clear_at: 'never' }, ...USER, said('Be brief.')];
  expect((await sent(MESSAGES, { max_tokens: 50, messages }))['messages']).toEqual([
    ...USER,
    stays,
    ...USER,
    { role: 'system', content: 'Be brief.' },
  ]);
});

it('a message takes tools that appear and disappear within the conversation', async () => {
  const reference = (name: string) => ({ type: 'tool_reference', name });
  const removal = (name: string) => ({ type: 'tool_removal', tool: reference(name) });
  const addition = (tool: object) => ({ type: 'tool_addition', tool });
  const defined = (definition: object) => addition({ type: 'tool_definition', definition });
  const system = (...content: object[]) => ({ role: 'system', content });
  const body = {
    max_tokens: 50,
    tools: [
      { type: 'bash_20250124', name: 'bash' },
      { ...OWN, name: 'back' },
      { ...OWN, description: 'Old.' },
    ],
    messages: [
      ...USER,
      system({ type: 'text', text: 'More tools.' }, defined(OWN), defined({ ...OWN, name: 'gone' }), removal('bash')),
      ...USER,
      system(removal('gone'), removal('back')),
      system(addition(reference('back'))),
    ],
  };
  const { tools, messages } = await sent(MESSAGES, body);
  expect(tools).toEqual([{ type: 'function', function: { ...FUNCTION, name: 'back' } }, TOOL]);
  expect(messages).toEqual([...USER, { role: 'system', content: 'More tools.' }, ...USER]);
  const summary = { type: 'compaction', content: 'Nothing.', tool_changes: [removal('add')] };
  const search = { type: 'web_search_20250305', name: 'search' };
  const only = { max_tokens: 50, tools: [search, OWN], messages: [{ role: 'assistant', content: [summary] }, ...USER] };
  expect(await sent(MESSAGES, only)).not.toHaveProperty('tools');
  const later = { max_tokens: 50, tools: [search], messages: [...USER, system(defined(OWN)), ...USER] };
  expect((await sent(MESSAGES, later))['tools']).toEqual([TOOL]);
});

it('base64 with line ends, as the command writes it, is read in pictures and recordings', async () => {
  const lines = 'iVBO\nRw0K\r\nGgo=\n';
  const parts = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${lines}` } },
    { type: 'input_audio', input_audio: { data: lines, format: 'wav' } },
  ];
  const { messages } = await sent(CHAT, { messages: [{ role: 'user', content: parts }] });
  expect(JSON.stringify(messages).match(/iVBORw0KGgo=/g)).toHaveLength(2);
});

describe('a picture', () => {
  const data = 'iVBORw0KGgo=';
  const url = `data:image/png;base64,${data}`;
  const text = { type: 'text', text: 'See' };
  const expected = [{ role: 'user', content: [text, { type: 'image_url', image_url: { url } }] }];
  const source = { type: 'base64', media_type: 'image/png', data };

  it.each<[string, object]>([
    ['of Responses', { type: 'input_image', image_url: url }],
    ['of Anthropic', { type: 'image', source }],
  ])('%s is taken in a chat completion', async (_name, part) => {
    const { messages } = await sent(CHAT, { messages: [{ role: 'user', content: [text, part] }] });
    expect(messages).toEqual(expected);
  });

  it('of chat completions is taken in a message', async () => {
    const content = [text, { type: 'image_url', image_url: { url } }];
    const { messages } = await sent('/api/v1/messages', { max_tokens: 50, messages: [{ role: 'user', content }] });
    expect(messages).toEqual(expected);
  });

  it.each([
    { type: 'image', source: { type: 'base64', data } },
    { type: 'image', image: url },
  ])('of no API is refused: %j', async (part) => {
    const messages = [{ role: 'user', content: [text, part] }];
    expect((await suite.harness.post(suite.caller.key, { model: MODEL, messages })).status).toBe(400);
  });
});

it('the summary of an earlier part is text of a message', async () => {
  const summary = { role: 'assistant', content: [{ type: 'compaction', content: 'Alice asked.' }] };
  const { messages } = await sent('/api/v1/messages', { max_tokens: 50, messages: [...USER, summary, ...USER] });
  expect(messages).toEqual([...USER, { role: 'assistant', content: 'Alice asked.' }, ...USER]);
});

it('the reasoning among the parts of an answer is no text of it', async () => {
  const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
  const text = { type: 'text', text: 'Hello.' };
  const { messages } = await sent(CHAT, {
    messages: [
      ...USER,
      { role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }, text] },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] },
      { role: 'user', content: 'So?' },
      { role: 'assistant', content: [{ type: 'think', think: 'Hm.' }], tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: '3' },
    ],
  });
  expect(messages).toEqual([
    ...USER,
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'And?' },
    { role: 'user', content: 'So?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: '3' },
  ]);
});

describe('the effort of a message', () => {
  const effort = async (messages: object[], more: object = {}): Promise<unknown> => {
    const { reasoning, reasoning_effort } = await sent('/api/v1/messages', { max_tokens: 50, messages, ...more });
    return reasoning_effort ?? (reasoning as { effort?: unknown } | undefined)?.effort;
  };

  it('counts from its turn on', async () => {
    const changed = (value: string): object => ({ role: 'system', output_config: { effort: value } });
    const output_config = { effort: 'high' };
    expect(await effort(USER, { output_config })).toBe('high');
    expect(await effort([...USER, changed('medium'), changed('low')], { output_config })).toBe('low');
    expect(await effort([changed('low'), ...USER])).toBe('low');
  });

  it('is that of the model where Claude Code sends a budget of 0', async () => {
    expect(await effort(USER, { thinking: { type: 'adaptive', budget_tokens: 0 } })).toBeUndefined();
    const body = { model: MODEL, max_tokens: 50, messages: USER, thinking: { type: 'enabled', budget_tokens: 0 } };
    expect((await suite.harness.post(suite.caller.key, body, {}, MESSAGES)).status).toBe(400);
  });

  it('is refused by its name', async () => {
    const messages = [{ ...USER[0], output_config: { effort: 'some' } }];
    const { status, body } = await suite.harness.post(
      suite.caller.key,
      { model: MODEL, max_tokens: 50, messages },
      {},
      '/api/v1/messages',
    );
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('effort') as string]);
  });
});

describe.each([true, false])('tools with longer names than OpenAI takes, streamed: %s', (stream) => {
  const name = `mcp__${'a'.repeat(110)}`;
  const short = expect.stringMatching(/^mcp__a{50}_[0-9a-f]{8}$/) as string;

  /** The text of an answer that calls the tool by its name at the provider. */
  async function answered(path: string, body: object): Promise<string> {
    const { tools, messages, tool_choice: choice } = (await sent(path, body)) as Record<string, { function: object }[]>;
    expect([tools![0], choice]).toMatchObject([{ function: { name: short } }, { function: { name: short } }]);
    expect(messages!.at(-2)).toMatchObject({ tool_calls: [{ function: { name: short } }] });
    const { name: called } = tools![0]!.function as { name: string };
    const call = { id: 'b', name: called, args: '{}' };
    suite.harness.upstream.script({ steps: [{ call }, { finish: 'tool_calls' }, { done: true }] });
    const request = { model: MODEL, stream, ...body };
    const { body: answer } = await suite.harness.post(suite.caller.key, request, {}, path);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    expect(text).not.toContain(`"${called}"`);
    return text;
  }

  it('are called by them in chat completions', async () => {
    const calls = [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }];
    const answer = await answered(CHAT, {
      messages: [...USER, { role: 'assistant', tool_calls: calls }, { role: 'tool', tool_call_id: 'a', content: 1 }],
      tools: [{ type: 'function', function: { ...FUNCTION, name } }],
      tool_choice: { type: 'function', function: { name } },
    });
    expect(answer).toContain(`"name":"${name}"`);
  });

  it('are called by them in responses', async () => {
    const answer = await answered('/api/v1/responses', {
      input: [
        ...USER,
        { type: 'function_call', call_id: 'a', name, arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: { sum: 3 } },
      ],
      tools: [{ type: 'function', ...FUNCTION, name }],
      tool_choice: { type: 'function', name },
    });
    expect(answer.match(/"type":"function_call"[^}]*"name":"(\w+)"/)?.[1]).toBe(name);
  });
});
