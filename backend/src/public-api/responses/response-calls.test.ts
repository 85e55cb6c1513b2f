import { toProviderMessages } from '../answers/provider-messages.js';
import { withResultsAtCalls } from './response-calls.js';
import { requireResults, fromResponseInput } from './response-input.js';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const call = (name: string, args: object): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (content: string): object => ({ role: 'tool', tool_call_id: 'c', content });

it.each<[string, object, object, object[]]>([
  [
    'local shell',
    { type: 'local_shell_call', id: 'l', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
    { type: 'local_shell_call_output', id: 'c', output: 'a.txt' },
    [call('local_shell', { type: 'exec', command: ['ls'] }), result('a.txt')],
  ],
  [
    'local shell of Codex',
    { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } },
    { type: 'function_call_output', call_id: 'c', output: 'a.txt' },
    [call('local_shell', { command: ['ls'] }), result('a.txt')],
  ],
  [
    'shell',
    { type: 'shell_call', call_id: 'c', action: { commands: ['ls', 'x'] } },
    { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a.txt', stderr: '' }, { stderr: 'no x' }, null] },
    [call('shell', { commands: ['ls', 'x'] }), result('a.txt\nno x')],
  ],
  [
    'patch',
    { type: 'apply_patch_call', call_id: 'c', operation: { type: 'delete_file', path: 'a' } },
    { type: 'apply_patch_call_output', call_id: 'c', status: 'failed' },
    [call('apply_patch', { type: 'delete_file', path: 'a' }), result('failed')],
  ],
  [
    'computer',
    { type: 'computer_call', call_id: 'c', actions: [{ type: 'screenshot' }] },
    { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: PNG } },
    [
      call('computer', { actions: [{ type: 'screenshot' }] }),
      result(''),
      { role: 'user', content: [{ type: 'image_url', image_url: { url: PNG } }] },
    ],
  ],
])(
  'a call of a tool of OpenAI that the client ran is that of a function: %s',
  async (_name, asked, output, messages) => {
    expect(await fromResponseInput([asked, output])).toEqual(messages);
  },
);

it.each([
  { type: 'function_call', arguments: `{"a":"${'\n'.repeat(190_000)}` },
  { type: 'custom_tool_call', input: '\n'.repeat(190_000) },
])('a call of the type $type whose text is longer in JSON than it may be itself is taken', async (call) => {
  const messages = await fromResponseInput([
    { role: 'user', content: 'Hi' },
    { ...call, call_id: 'c', name: 'f' },
    { type: 'function_call_output', call_id: 'c', output: 'x' },
  ]);
  const [, asked] = await toProviderMessages(messages, { partsOf: () => Promise.resolve([]) });
  const json = asked?.role === 'assistant' ? asked.toolCalls?.[0]?.json : undefined;
  expect(Object.values(JSON.parse(json ?? '{}') as object)).toEqual([call.arguments ?? call.input]);
});

it.each(['quantum_call', 'shell_call_output_delta', 5, undefined])(
  'an item of another type is refused: %j',
  async (type) => {
    await expect(fromResponseInput([{ type: type ?? 'x', call_id: 'c' }])).rejects.toMatchObject({
      details: [{ field: 'input.0.type' }],
    });
  },
);

describe('results', () => {
  const U = { role: 'user' as const, content: 'and?' };
  const calls = (...ids: string[]) => ({
    role: 'assistant' as const,
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } })),
  });
  const of = (id: string, content = id) => ({ role: 'tool' as const, tool_call_id: id, content });

  it.each([
    ['a message', [U, calls('a'), U, of('a')], [U, calls('a'), of('a'), U]],
    ['another call', [calls('a'), U, calls('b'), of('b'), of('a')], [calls('a'), of('a'), U, calls('b'), of('b')]],
    [
      'the same id in a later turn',
      [calls('a'), of('a', '1'), calls('a'), U, of('a', '2')],
      [calls('a'), of('a', '1'), calls('a'), of('a', '2'), U],
    ],
    ['nothing', [calls('b', 'a'), of('a'), of('b'), U], [calls('b', 'a'), of('a'), of('b'), U]],
  ])('stand behind their calls, with %s between them', (_, given, expected) => {
    const moved = withResultsAtCalls(given);
    expect(moved).toEqual(expected);
    expect(() => requireResults(moved)).not.toThrow();
  });

  it.each([[[of('a'), calls('a')]], [[calls('a'), U]], [[calls('a'), of('a'), of('a')]], [[calls('a', 'a'), of('a')]]])(
    'are refused without a call of their own: %#',
    (given) => {
      expect(() => requireResults(withResultsAtCalls(given))).toThrow();
    },
  );
});
