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
  const { listener } = readingCalls(TOOLS, (batch) => events.push(...batch));
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

it.each(FORMS)('reads a long call in the form of %s', (_, text) => {
  const city = 'Kota Bogor. '.repeat(300).trim();
  const long = text.replaceAll('Bogor', city);
  for (const size of [1, 50]) expect(read(long, size)).toEqual(['', [['weather', { city, days: 3 }]], 'tool-calls']);
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

it('leaves an example in a block of Markdown that has blocks of code as it is', () => {
  const text = `\`\`\`markdown\n# Use\n\`\`\`bash\nnpm i\n\`\`\`\n<tool_call>\n${OBJECT}\n</tool_call>\n\`\`\``;
  for (const size of [1, 7, text.length]) expect(read(text, size)).toEqual([text, [], 'stop']);
});

it('leaves a text beside real calls as it is', () => {
  const events: ProviderEvent[] = [];
  const call = { type: 'tool-call' as const, id: 'a', name: 'now', args: {} };
  const text = `<tool_call>${OBJECT}</tool_call>`;
  readingCalls(TOOLS, (batch) => events.push(...batch)).listener([
    { type: 'text-delta', text },
    call,
    { type: 'finish', reason: 'tool-calls' },
  ]);
  expect(events).toEqual([{ type: 'text-delta', text }, call, { type: 'finish', reason: 'tool-calls' }]);
});

it.each([
  ['a quotation', '> '],
  ['indented code', 'So:\n\n    '],
  ['a list', 'Either:\n- '],
  ['a table', '| '],
  ['a tag of code', '<code>'],
  ['a sentence', 'Write '],
  ['a quote that is open', 'Write " '],
  ['a block of code', 'Write ``` first.\n\n```xml\n'],
  ['a block of code with tildes', '~~~\n```\n'],
  ['a block of code with a longer mark', '````\n```\n'],
  ['a block of code in a list', '1. So:\n    ```xml\n'],
  ['a block of code in a list, with its mark', '- ```xml\n'],
  ['a block of code with marks inside', '```md\n    ```\n'],
])('leaves an example in %s as it is', (_, before) => {
  for (const after of ['', '\n```', '\n    ```\n']) {
    const text = `${before}<tool_call>${OBJECT}</tool_call>${after}`;
    for (const size of [1, 7, text.length]) expect(read(text, size)).toEqual([text, [], 'stop']);
  }
});

it.each([
  ['a block of code', '```sh\nls\n```\n'],
  ['a block of code in a list', '- ```sh\n  ls\n  ```\n\n'],
  ['words in code', 'I use ```weather```, or `now`.\n'],
  ['a blank', ' '],
])('reads a call behind %s', (_, before) => {
  const text = `${before}<tool_call>${OBJECT}</tool_call>`;
  for (const size of [1, 7, text.length]) expect(read(text, size)).toEqual([before, [BOGOR], 'tool-calls']);
});

it.each([
  ['beside the name', '{"name":"weather","city":"Bogor","days":3}'],
  ['under another name', '{"name":"weather","values":{"city":"Bogor"}}'],
  ['beside the others', '{"name":"weather","arguments":{"city":"Bogor"},"days":3}'],
])('reads no call without the arguments that stand %s', (_, object) => {
  const text = `<tool_call>${object}</tool_call>`;
  expect(read(text, 7)).toEqual([text, [], 'stop']);
});

it('reads a call beside fields that are no arguments', () => {
  const object = `{"name":"weather","arguments":${JSON_ARGS},"index":0,"thought":"Rain?","city":"Bogor"}`;
  expect(read(`<tool_call>${object}</tool_call>`, 7)).toEqual(['', [BOGOR], 'tool-calls']);
});

it('reads a call without arguments from an object with its name, its id and its type', () => {
  const text = '<tool_call>{"id":"a","type":"function","name":"now"}</tool_call>';
  expect(read(text, 7)).toEqual(['', [['now', {}]], 'tool-calls']);
});

/** The events of a text while it is written, without its end. */
function begun(text: string): { batches: ProviderEvent[][]; said(): string; reader: ReturnType<typeof readingCalls> } {
  const batches: ProviderEvent[][] = [];
  const reader = readingCalls(TOOLS, (batch) => batches.push([...batch]));
  for (let at = 0; at < text.length; at += 9) reader.listener([{ type: 'text-delta', text: text.slice(at, at + 9) }]);
  const said = () =>
    batches.flatMap((batch) => batch.map((event) => (event.type === 'text-delta' ? event.text : ''))).join('');
  return { batches, said, reader };
}

const PROSE = 'as all know '.repeat(40);
it.each([
  ['an opening in prose', `<tool_call> is a tag, ${PROSE}`],
  ['an example of a name', `<function=name>{...}</function>, ${PROSE}`],
  ['a call of another tool', `<tool_call>{"name":"other","arguments":{}}</tool_call>\n${PROSE}`],
  ['a call of another tool that goes on', `<tool_call>{"name":"other","arguments":{"text":"${PROSE}`],
  ['another tool in tags', `<invoke name="other">\n<parameter name="a">${PROSE}`],
  ['a call with prose behind it', `<tool_call>${OBJECT}</tool_call> And so on, ${PROSE}`],
  ['a call in tags with prose behind it', `<function=weather>${XML}</function> And so on, ${PROSE}`],
  ['a bracket in prose', `<tool_call>{ begins it, ${PROSE}`],
])('passes on %s before the end', (_, text) => {
  const { said } = begun(text);
  expect(said().length).toBeGreaterThan(text.length - 250);
});

it('holds a long call of an offered tool', () => {
  const city = 'Bogor '.repeat(5_000);
  for (const text of [
    `<tool_call>{"name": "weather", "arguments": {"city": "${city}`,
    `<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>${city}`,
    `<function=weather>\n<parameter=city>${city}`,
  ])
    expect(begun(text).said()).toBe('');
  const text = `<tool_call>{"name": "weather", "arguments": {"city": "${city}"}}</tool_call>`;
  expect(read(text, 50)).toEqual(['', [['weather', { city }]], 'tool-calls']);
});

it('tells of progress while it holds a text, and passes it on when the answer fails', () => {
  const text = '<tool_call>{"name": "weather", "argu';
  const { batches, said, reader } = begun(text);
  expect(batches).toEqual([[], [], [], []]);
  reader.release();
  expect(said()).toBe(text);
  reader.release();
  expect(batches).toHaveLength(5);
});

it('reads a call after a text that was reasoning', () => {
  const events: ProviderEvent[] = [];
  const { listener } = readingCalls(TOOLS, (batch) => events.push(...batch));
  for (const text of ['```\n', `<tool_call> is a tag, ${PROSE}`, '\n<tool_call>']) {
    listener([{ type: 'text-delta', text }, { type: 'text-was-reasoning' }]);
  }
  listener([
    { type: 'text-delta', text: `<tool_call>${OBJECT}` },
    { type: 'finish', reason: 'stop' },
  ]);
  expect(events.filter(({ type }) => type === 'tool-call')).toMatchObject([{ name: 'weather' }]);
});

it.each([
  ['openings', '<tool_call>'.repeat(5_800)],
  ['calls', `<tool_call>{"name":"now"}</tool_call>`.repeat(1_700)],
  ['values', `<function=weather>${'<parameter=a>{</parameter>'.repeat(2_300)}</function>`],
  ['most values', `<function=weather>${'<parameter=a>{</parameter>'.repeat(500)}</function>`],
  ['brackets', `[TOOL_CALLS]${'[ '.repeat(32_000)}`],
  ['levels', `<tool_call>${'{"a":'.repeat(13_000)}`],
  ['keys', `<tool_call>now${'<arg_key>a</arg_key><arg_value>'.repeat(2_100)}`],
])('reads 64 kB of %s in time', (_, text) => {
  const began = process.cpuUsage();
  read(text, 64_000);
  expect(process.cpuUsage(began).user).toBeLessThan(1_500_000);
});

it.each([
  ['lines', '\n'.repeat(1_000_000)],
  ['openings in lines', 'a\n<tool\n'.repeat(100_000)],
  ['fences', '```\n'.repeat(250_000)],
  ['blanks', ' '.repeat(1_000_000)],
])('reads 1 MB of %s in time', (_, text) => {
  const began = process.cpuUsage();
  read(text, text.length);
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
});
