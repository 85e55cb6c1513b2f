import type { ResponseObject } from '@tanya/contract';
import type { Step } from '../harness/scripted-answers.js';
import { textAnswer } from './client-cases.js';
import { errorIn, MODEL, useOneCaller } from './public-api-harness.js';

const PATH = '/api/v1/responses';

const spawn = { type: 'function', name: 'spawn', description: 'Starts an agent', parameters: { type: 'object' } };
const agents = { type: 'namespace', name: 'agents', description: 'Sub-agents', tools: [spawn] };
const shell = { type: 'function', name: 'shell', parameters: { type: 'object' } };

const GRAMMAR = 'start: "a"+';
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files',
  format: { type: 'grammar', syntax: 'lark', definition: GRAMMAR },
};
const search = { type: 'tool_search', execution: 'client', parameters: { type: 'object' } };

const callOf = (name: string, args: string): Step[] => [
  { call: { index: 0, id: 'call_1', name, args: '' } },
  { call: { index: 0, args: args.slice(0, 7) } },
  { call: { index: 0, args: args.slice(7) } },
  { finish: 'tool_calls' },
  { usage: { prompt: 3, completion: 5 } },
  { done: true },
];

const SPAWN = callOf('agents__spawn', '{ "a": 1 }');

describe('tools of responses', () => {
  const suite = useOneCaller();

  const respond = async (body: object) =>
    suite.harness.post(suite.caller.key, { model: MODEL, tools: [shell, agents], ...body }, {}, PATH);

  const sent = () => suite.harness.upstream.callsOf().at(-1)!.body;

  const toolNames = () => (sent()['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name);

  const eventsIn = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)) as { type: string } & Record<string, unknown>);

  it('in a namespace reach the model as functions, whose calls have the names of the client', async () => {
    suite.harness.upstream.script({ steps: SPAWN }, { steps: textAnswer('Done.') }, { steps: textAnswer('Done.') });
    const first = (await respond({ input: 'go' })).body as ResponseObject;
    expect(toolNames()).toEqual(['shell', 'agents__spawn']);
    const [call] = first.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'spawn', namespace: 'agents', call_id: 'call_1' });
    expect(first.tools).toMatchObject([shell, agents]);
    const output = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
    const items = [{ role: 'user', content: 'go' }, call, output];
    for (const body of [{ input: items }, { previous_response_id: first.id, input: [output] }]) {
      expect(((await respond(body)).body as ResponseObject).status).toBe('completed');
      expect(sent()['messages']).toMatchObject([
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'agents__spawn' } }] },
        { role: 'tool', tool_call_id: 'call_1' },
      ]);
    }
  });

  it('whose arguments OpenAI would encrypt are called with plain ones, and say so', async () => {
    const message = { type: 'string', description: 'The task', encrypted: true };
    const secret = { ...spawn, parameters: { type: 'object', properties: { message } } };
    const tools = [
      { ...secret, name: 'tell' },
      { ...agents, tools: [secret, { ...spawn, name: 'wait' }] },
    ];
    const plain = { encrypted_function_args: [] };
    for (const [name, more] of [
      ['tell', plain],
      ['agents__spawn', plain],
      ['agents__wait', {}],
    ] as const) {
      const steps = callOf(name, '{"message":"Count."}');
      suite.harness.upstream.script({ steps }, { steps });
      const whole = (await respond({ input: 'go', tools })).body as ResponseObject;
      const events = eventsIn((await respond({ input: 'go', tools, stream: true })).text);
      const items = events.filter(({ item }) => item !== undefined).map(({ item }) => item as object);
      expect(items).toHaveLength(2);
      for (const item of [whole.output[0], ...items])
        expect(item).toEqual({
          ...{ id: expect.any(String), type: 'function_call', status: expect.any(String), call_id: 'call_1' },
          ...{ name: expect.any(String), arguments: expect.any(String), ...more },
          ...(name !== 'tell' && { namespace: 'agents' }),
        });
    }
  });

  it('in a namespace are in the events of a stream, and chosen by their names', async () => {
    suite.harness.upstream.script({ steps: SPAWN });
    const choice = { type: 'function', name: 'spawn', namespace: 'agents' };
    const { text } = await respond({ input: 'go', stream: true, tool_choice: choice });
    expect(sent()['tool_choice']).toEqual({ type: 'function', function: { name: 'agents__spawn' } });
    const done = eventsIn(text).find(({ type }) => type === 'response.output_item.done');
    expect(done?.['item']).toMatchObject({ name: 'spawn', namespace: 'agents' });
  });

  it.each([
    ['JSON with the input', JSON.stringify({ input: '*** Begin "Patch"\n' })],
    ['JSON under another name', JSON.stringify({ patch: '*** Begin "Patch"\n' })],
    ['the text alone', '*** Begin "Patch"\n'],
  ])('of the kind custom get their text, whole and streamed, and go on: %s', async (_name, args) => {
    suite.harness.upstream.script(...[1, 2].map(() => ({ steps: callOf('apply_patch', args) })));
    const first = (await respond({ input: 'go', tools: [patch] })).body as ResponseObject;
    const { function: offered } = (sent()['tools'] as { function: Record<string, unknown> }[])[0]!;
    expect(offered).toMatchObject({ name: 'apply_patch', parameters: { required: ['input'] } });
    expect(offered['description']).toMatch(/^Edits files\n.*lark.*\nstart: "a"\+$/);
    const input = '*** Begin "Patch"\n';
    const item = { type: 'custom_tool_call', status: 'completed', call_id: 'call_1', name: 'apply_patch', input };
    expect(first.output).toMatchObject([item]);
    const choice = { type: 'custom', name: 'apply_patch' };
    const streamed = eventsIn((await respond({ input: 'go', tools: [patch], stream: true, tool_choice: choice })).text);
    expect(sent()['tool_choice']).toEqual({ type: 'function', function: { name: 'apply_patch' } });
    expect(streamed.slice(2)).toMatchObject([
      { type: 'response.output_item.added', item: { type: 'custom_tool_call', input: '', status: 'in_progress' } },
      { type: 'response.custom_tool_call_input.delta', delta: input },
      { type: 'response.custom_tool_call_input.done', input },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { output: [item] } },
    ]);
    const output = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'patched' };
    const items = [{ role: 'user', content: 'go' }, first.output[0], output];
    const reference = { type: 'item_reference', id: first.output[0]!.id };
    for (const body of [
      { input: items },
      { input: [items[0], reference, output] },
      { previous_response_id: first.id, input: [output] },
    ]) {
      suite.harness.upstream.script({ steps: textAnswer('Done.') });
      expect((await respond({ ...body, tools: [patch] })).status).toBe(200);
      expect(sent()['messages']).toMatchObject([
        { role: 'user' },
        {
          role: 'assistant',
          tool_calls: [{ function: { name: 'apply_patch', arguments: JSON.stringify({ input }) } }],
        },
        { role: 'tool', content: 'patched' },
      ]);
    }
  });

  it('are searched for by the client, and those that it found can be called', async () => {
    suite.harness.upstream.script({ steps: callOf('tool_search', '{"query":"mail"}') }, { steps: SPAWN });
    const first = (await respond({ input: 'go', tools: [shell, search] })).body as ResponseObject;
    const found = { type: 'tool_search_call', execution: 'client', call_id: 'call_1', arguments: { query: 'mail' } };
    expect(first.output).toMatchObject([found]);
    const output = { type: 'tool_search_output', call_id: 'call_1', execution: 'client', tools: [agents] };
    const second = (
      await respond({ input: [{ role: 'user', content: 'go' }, first.output[0], output], tools: [shell, search] })
    ).body as ResponseObject;
    expect(toolNames()).toEqual(['shell', 'tool_search', 'agents__spawn']);
    expect(sent()['messages']).toMatchObject([
      { role: 'user' },
      { tool_calls: [{ function: { name: 'tool_search', arguments: '{"query":"mail"}' } }] },
      { role: 'tool', content: expect.stringContaining('agents') },
    ]);
    expect(second.output).toMatchObject([{ type: 'function_call', name: 'spawn', namespace: 'agents' }]);
  });

  it('may be named by items of the input, where a later one replaces an earlier one', async () => {
    const own = { type: 'namespace', name: 'functions', description: '', tools: [{ ...patch, name: 'exec' }] };
    const more = {
      ...own,
      tools: [
        { ...patch, name: 'exec', description: 'Later' },
        { ...spawn, name: 'wait' },
      ],
    };
    suite.harness.upstream.script({ steps: callOf('functions__exec', '{"input":"1 + 1"}') });
    const { body } = await respond({
      tools: undefined,
      input: [
        { type: 'additional_tools', role: 'developer', tools: [own] },
        { role: 'user', content: 'go' },
        { type: 'additional_tools', role: 'developer', tools: [more, shell] },
      ],
    });
    expect(sent()['messages']).toMatchObject([{ role: 'user', content: 'go' }]);
    expect(toolNames()).toEqual(['functions__exec', 'functions__wait', 'shell']);
    expect(JSON.stringify(sent()['tools'])).toContain('Later');
    const item = { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input: '1 + 1' };
    expect((body as ResponseObject).output).toMatchObject([item]);
  });

  it.each(['web_search', 'web_search_preview', 'web_search_2025_08_26', 'image_generation'])(
    'that OpenAI runs are left out beside others, and the response says so: %s',
    async (type) => {
      const { status, body } = await respond({ input: 'go', tools: [shell, { type, external_web_access: true }] });
      expect(status).toBe(200);
      expect(toolNames()).toEqual(['shell']);
      expect((body as ResponseObject).tools).toMatchObject([{ type: 'function', name: 'shell', strict: null }]);
    },
  );

  it('may be allowed in part', async () => {
    const tools = [{ type: 'function', name: 'spawn', namespace: 'agents' }];
    await respond({ input: 'go', tool_choice: { type: 'allowed_tools', mode: 'required', tools } });
    expect(toolNames()).toEqual(['agents__spawn']);
    expect(sent()['tool_choice']).toBe('required');
    const endless = [{ type: 'function', name: 'n'.repeat(100_000) }];
    for (const wrong of [{ tools: [] }, { tools: [{ type: 'mcp' }] }, { tools, mode: 'maybe' }, { tools: endless }]) {
      const answer = await respond({ input: 'go', tool_choice: { type: 'allowed_tools', ...wrong } });
      expect([answer.status, errorIn(answer.body).param]).toEqual([400, 'tool_choice']);
    }
    const unknown = [{ type: 'function', name: 'nowhere' }];
    const answer = await respond({ input: 'go', tool_choice: { type: 'allowed_tools', tools: unknown } });
    expect(errorIn(answer.body)).toMatchObject({
      param: 'tool_choice.tools',
      message: expect.stringContaining('nowhere'),
    });
  });

  it.each<[string, unknown[]]>([
    ['tools.0.name', [{ ...agents, name: 'a b' }]],
    ['tools.0.tools', [{ ...agents, tools: 'spawn' }]],
    ['tools.0.tools', [{ ...agents, tools: undefined }]],
    ['tools.0.tools', [{ ...agents, tools: [null] }]],
    ['tools.0.tools.0.type', [{ ...agents, tools: [{ type: 'namespace', name: 'inner' }] }]],
    ['tools.0.format', [{ ...patch, format: 'lark' }]],
    ['tools.0.format.type', [{ ...patch, format: { type: 'yaml' } }]],
    ['tools.0.execution', [{ ...search, execution: 'server' }]],
    ['tools', [patch, { ...shell, name: 'apply_patch' }]],
    ['tools.0.tools.0.name', [{ ...agents, tools: [{ ...spawn, name: '' }] }]],
    ['tools', [agents, agents]],
    [
      'tools',
      [{ ...agents, tools: Array.from({ length: 128 }, (_, index) => ({ ...spawn, name: `f${index}` })) }, shell],
    ],
    ['tools.0.type', [{ type: 'web_search' }]],
    ['tools.0.type', [{ type: 'image_generation' }]],
    ['tools.1.type', [agents, { type: 'file_search', vector_store_ids: ['x'] }]],
  ])('are refused by the name of a wrong field, free: %s', async (param, tools) => {
    const used = await suite.harness.usedBy(suite.caller);
    const answer = await respond({ input: 'go', tools });
    expect([answer.status, errorIn(answer.body).param]).toEqual([400, param]);
    expect(await suite.harness.usedBy(suite.caller)).toBe(used);
  });
});
