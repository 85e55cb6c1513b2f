import type { ResponseObject } from '@tanya/contract';
import type { Step } from '../harness/scripted-answers.js';
import { textAnswer } from './client-cases.js';
import { type Caller, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const PATH = '/api/v1/responses';

const spawn = { type: 'function', name: 'spawn', description: 'Starts an agent', parameters: { type: 'object' } };
const agents = { type: 'namespace', name: 'agents', description: 'Sub-agents', tools: [spawn] };
const shell = { type: 'function', name: 'shell', parameters: { type: 'object' } };

const SPAWN: Step[] = [
  { call: { index: 0, id: 'call_spawn', name: 'agents__spawn', args: '{}' } },
  { finish: 'tool_calls' },
  { usage: { prompt: 3, completion: 5 } },
  { done: true },
];

describe('namespaces of tools in responses', () => {
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis: false });
    caller = await harness.caller();
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const respond = async (body: object) =>
    harness.post(caller.key, { model: MODEL, tools: [shell, agents], ...body }, {}, PATH);

  const sent = () => harness.upstream.callsOf().at(-1)!.body;

  it('reach the model as functions, whose calls have the names of the client', async () => {
    harness.upstream.script({ steps: SPAWN }, { steps: textAnswer('Done.') }, { steps: textAnswer('Done.') });
    const first = (await respond({ input: 'go' })).body as ResponseObject;
    const names = (sent()['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names).toEqual(['shell', 'agents__spawn']);
    const [call] = first.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'spawn', namespace: 'agents', call_id: 'call_spawn' });
    expect(first.tools).toMatchObject([shell, agents]);
    const output = { type: 'function_call_output', call_id: 'call_spawn', output: 'ok' };
    const items = [{ role: 'user', content: 'go' }, call, output];
    for (const body of [{ input: items }, { previous_response_id: first.id, input: [output] }]) {
      expect(((await respond(body)).body as ResponseObject).status).toBe('completed');
      expect(sent()['messages']).toMatchObject([
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'call_spawn', function: { name: 'agents__spawn' } }] },
        { role: 'tool', tool_call_id: 'call_spawn' },
      ]);
    }
  });

  it('are in the events of a stream, and chosen by their names', async () => {
    harness.upstream.script({ steps: SPAWN });
    const choice = { type: 'function', name: 'spawn', namespace: 'agents' };
    const { text } = await respond({ input: 'go', stream: true, tool_choice: choice });
    expect(sent()['tool_choice']).toEqual({ type: 'function', function: { name: 'agents__spawn' } });
    const items = text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)) as { type: string; item?: object });
    const done = items.find(({ type }) => type === 'response.output_item.done');
    expect(done?.item).toMatchObject({ name: 'spawn', namespace: 'agents' });
  });

  it.each<[string, unknown[]]>([
    ['tools.0.name', [{ ...agents, name: 'a b' }]],
    ['tools.0.tools', [{ ...agents, tools: 'spawn' }]],
    ['tools.0.tools', [{ ...agents, tools: undefined }]],
    ['tools.0.tools', [{ ...agents, tools: [null] }]],
    ['tools.0.tools.0.type', [{ ...agents, tools: [{ type: 'custom', name: 'patch' }] }]],
    ['tools.0.tools.0.name', [{ ...agents, tools: [{ ...spawn, name: '' }] }]],
    ['tools', [agents, agents]],
    [
      'tools',
      [{ ...agents, tools: Array.from({ length: 128 }, (_, index) => ({ ...spawn, name: `f${index}` })) }, shell],
    ],
    ['tools.1.type', [agents, { type: 'web_search' }]],
  ])('are refused by the name of a wrong field, free: %s', async (param, tools) => {
    const used = await harness.usedBy(caller);
    const answer = await respond({ input: 'go', tools });
    expect([answer.status, errorIn(answer.body).param]).toEqual([400, param]);
    expect(await harness.usedBy(caller)).toBe(used);
  });
});
