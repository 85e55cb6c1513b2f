import type { ProviderEvent } from '../../provider.js';
import { readingCalls } from './written-calls.js';

const parameters = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } };
const TOOLS = [{ name: 'weather', parameters }, { name: 'now' }];

/** What an answer becomes, sent in pieces of so many characters. */
function read(
  text: string,
  size: number,
  reason: 'stop' | 'length' = 'stop',
): [text: string, calls: unknown[], end: unknown] {
  const events: ProviderEvent[] = [];
  const listener = readingCalls(TOOLS, (batch) => events.push(...batch));
  for (let at = 0; at < text.length; at += size) listener([{ type: 'text-delta', text: text.slice(at, at + size) }]);
  listener([{ type: 'finish', reason }]);
  const said = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [[event.name, event.args]] : []));
  const begun = events.flatMap((event) =>
    event.type === 'tool-call-delta' ? [[event.start?.name, JSON.parse(event.json) as unknown]] : [],
  );
  expect(begun).toEqual(calls);
  const last = events.at(-1);
  return [said, calls, last?.type === 'finish' && last.reason];
}

const BOGOR = ['weather', { city: 'Bogor', days: 3 }];
const JSON_ARGS = '{"city": "Bogor", "days": 3}';
const OBJECT = `{"name": "weather", "arguments": ${JSON_ARGS}}`;
const XML = '<parameter=city>\nBogor\n</parameter>\n<parameter=days>\n3\n</parameter>\n';

const FORMS: [string, string][] = [
  ['Hermes and Qwen', `<tool_call>\n${OBJECT}\n</tool_call>`],
  ['Qwen without its end', `<tool_call>\n${OBJECT}\n`],
  ['Qwen with its stop token', `<tool_call>\n${OBJECT}\n</tool_call><|im_end|>`],
  ['Qwen Coder', `<tool_call>\n<function=weather>\n${XML}</function>\n</tool_call>`],
  ['Qwen Coder without its beginning', `<function=weather>\n${XML}</function>\n</tool_call>`],
  [
    'GLM',
    '<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Bogor</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  ],
  ['Llama', `<|python_tag|>{"name": "weather", "parameters": ${JSON_ARGS}}<|eom_id|>`],
  ['Llama with tags', `<function=weather>${JSON_ARGS}</function>`],
  ['Mistral', `[TOOL_CALLS][{"name": "weather", "arguments": ${JSON_ARGS}}]</s>`],
  ['Mistral of later', `[TOOL_CALLS]weather[ARGS]${JSON_ARGS}`],
  [
    'Kimi',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>${JSON_ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  [
    'DeepSeek',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n\`\`\`json\n${JSON_ARGS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    'DeepSeek of later',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>${JSON_ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    'DeepSeek of today',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Bogor</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Bogor</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  [
    'Claude',
    '<function_calls>\n<invoke name="weather">\n<parameter name="city">Bogor</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</function_calls>',
  ],
  ['arguments as a text', `<tool_call>{"name": "weather", "arguments": ${JSON.stringify(JSON_ARGS)}}</tool_call>`],
  ['JSON of Python', `<tool_call>{'name': 'weather', 'arguments': {'city': 'Bogor', 'days': 3,}}</tool_call>`],
];

it.each(FORMS)('reads the call in the form of %s', (_, text) => {
  for (const size of [1, 7, text.length]) {
    expect(read(text, size)).toEqual(['', [BOGOR], 'tool-calls']);
    expect(read(`I look.\n\n${text}`, size)).toEqual(['I look.\n\n', [BOGOR], 'tool-calls']);
  }
});

it('reads several calls, and one without arguments', () => {
  const now = '<tool_call>{"name": "now"}</tool_call>';
  expect(read(`${now}\n<tool_call>\n${OBJECT}\n</tool_call>`, 5)).toEqual(['', [['now', {}], BOGOR], 'tool-calls']);
  expect(read('<tool_call>now</tool_call>', 5)[1]).toEqual([['now', {}]]);
});

it('leaves the values of texts as they are', () => {
  const text = '<tool_call><function=weather><parameter=city>\n 7 < 8\n</parameter></function></tool_call>';
  expect(read(text, 3)[1]).toEqual([['weather', { city: ' 7 < 8' }]]);
});

it.each([
  ['of an unknown tool', '<tool_call>{"name": "other", "arguments": {}}</tool_call>'],
  ['with a text behind it', `<tool_call>${OBJECT}</tool_call> And so on.`],
  ['of which one is wrong', `<tool_call>${OBJECT}</tool_call><tool_call>{"name": </tool_call>`],
  ['in quotes', `Write "<tool_call>${OBJECT}</tool_call>"`],
  ['in code', `So:\n\`\`\`xml\n<tool_call>${OBJECT}</tool_call>`],
  ['that is only named', 'The <tool_call> tag begins a call. '.repeat(20)],
  ['that is cut', '<function=weather><parameter=city>Bog'],
  ['of one opening', '<tool_call>'],
  ['of half an opening', 'a <tool_c'],
  ['of a list', 'a [TOO] b [1] <b>'],
])('leaves a text %s as it is', (_, text) => {
  for (const size of [1, 7, text.length]) expect(read(text, size)).toEqual([text, [], 'stop']);
});

it('leaves an answer that is cut as it is', () => {
  const text = `<tool_call>${OBJECT}</tool_call>`;
  expect(read(text, 7, 'length')).toEqual([text, [], 'length']);
});

it('leaves a text beside real calls as it is', () => {
  const events: ProviderEvent[] = [];
  const call = { type: 'tool-call' as const, id: 'a', name: 'now', args: {} };
  const text = `<tool_call>${OBJECT}</tool_call>`;
  readingCalls(TOOLS, (batch) => events.push(...batch))([
    { type: 'text-delta', text },
    call,
    { type: 'finish', reason: 'tool-calls' },
  ]);
  expect(events).toEqual([{ type: 'text-delta', text }, call, { type: 'finish', reason: 'tool-calls' }]);
});

it('passes on what may be a call no longer when it cannot be one', () => {
  const events: ProviderEvent[] = [];
  const listener = readingCalls(TOOLS, (batch) => events.push(...batch));
  listener([{ type: 'text-delta', text: `<tool_call> is a tag, ${'as all know '.repeat(30)}` }]);
  expect(events).toHaveLength(1);
});

it.each([
  ['openings', '<tool_call>'.repeat(5_800)],
  ['calls', `<tool_call>{"name":"now"}</tool_call>`.repeat(1_700)],
  ['values', `<function=weather>${'<parameter=a>{</parameter>'.repeat(2_300)}</function>`],
  ['brackets', `[TOOL_CALLS]${'[ '.repeat(32_000)}`],
  ['levels', `<tool_call>${'{"a":'.repeat(13_000)}`],
  ['keys', `<tool_call>now${'<arg_key>a</arg_key><arg_value>'.repeat(2_100)}`],
])('reads 64 kB of %s in time', (_, text) => {
  const start = performance.now();
  read(text, 64_000);
  expect(performance.now() - start).toBeLessThan(150);
});
