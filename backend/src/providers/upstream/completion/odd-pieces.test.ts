import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

/** Pieces of answers in forms of their own, which lost the whole answer or sold a blank. */

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, more: object = {}): string => data({ choices: [{ index: 0, delta, ...more }] });
const end = (reason: string): string => `${chunk({}, { finish_reason: reason })}data: [DONE]\n\n`;

function read(stream: string): { events: ProviderEvent[]; reason: string | null } {
  const decoder = new CompletionDecoder({ toolNames: ['search', 'add', 'mcp.add'] });
  const events = [...decoder.push(Buffer.from(stream)), ...decoder.end()];
  const last = events.at(-1);
  return { events, reason: decoder.failure?.code ?? (last?.type === 'finish' ? last.reason : null) };
}

function textOf(stream: string, type: 'text-delta' | 'reasoning-delta'): string {
  const { events, reason } = read(stream);
  expect(reason).toBe('stop');
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

it.each([
  ['a part whose text is an object', chunk({ content: [{ type: 'text', text: { value: 'So.', annotations: [] } }] })],
  ['a delta that is a text', chunk('So.')],
  [
    'a part whose text is its content',
    chunk({
      content: [
        { type: 'tool_result', content: '{"a":1}' },
        { type: 'text', content: 'So.' },
      ],
    }),
  ],
  ['a chunk in a list', data([{ choices: [{ index: 0, delta: { content: 'So.' } }] }])],
  ['a chunk whose error is a word of Python', data({ choices: [{ delta: { content: 'So.' } }], error: 'None' })],
  ['an envelope', data({ code: 0, message: 'ok', data: { choices: [{ index: 0, delta: { content: 'So.' } }] } })],
  ['another envelope', data({ result: { choices: [{ delta: { content: 'So.' } }] }, success: true })],
])('the text of %s is read', (_, stream) => {
  expect(textOf(stream + end('stop'), 'text-delta')).toBe('So.');
});

it.each([
  ['an object', { reasoning: { content: 'Well.' } }],
  ['an object of parts', { reasoning_content: { summary: [{ text: 'We' }, { text: 'll.' }] } }],
  ['a list of thoughts', { thinking: [{ type: 'thinking', thinking: 'Well.' }] }],
  ['another name', { thinking_content: 'Well.' }],
  ['a third name', { thoughts: 'Well.' }],
  ['blocks alone', { thinking_blocks: [{ type: 'thinking', thinking: 'Well.', signature: '' }] }],
  ['the text of a thought', { content: 'Well.', thought: true }],
])('reasoning in %s is read', (_, delta) => {
  expect(textOf(chunk(delta) + chunk({ content: 'So.' }) + end('stop'), 'reasoning-delta')).toBe('Well.');
});

describe('calls that a gateway has run itself', () => {
  const call = (name: string, more: object = {}): string =>
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: '{"q":"x"}' }, ...more }] });
  const ran = chunk({ role: 'tool', tool_call_id: 'a', content: '12 pages' });
  const own = call('add', { index: 1, id: 'b' });
  const called = ({ events }: { events: ProviderEvent[] }) =>
    events.flatMap((event) => {
      if (event.type === 'tool-call') return [event.name];
      return event.type === 'tool-call-delta' ? [event.start?.name, event.index] : [];
    });

  it.each([
    ['a result', ran],
    ['a result without an id', chunk({ role: 'function', name: 'web', content: '12 pages' })],
    ['a message with it', data({ choices: [{ message: { role: 'tool', tool_call_id: 'a', content: '12' } }] })],
  ])('are none of its client, by %s', (_, result) => {
    const answer = read(call('web') + result + chunk({ content: 'So.' }) + end('stop'));
    expect([called(answer), answer.reason]).toEqual([[], 'stop']);
    expect(called(read(call('web') + result + own + end('tool_calls')))).toEqual(['add', 0, 'add']);
  });

  it('are withdrawn where they had been passed on, as calls of offered tools are', () => {
    const withdrawn = { type: 'tool-calls-withdrawn', indexes: [0] };
    const answer = read(call('search') + ran + chunk({ content: 'So.' }) + end('stop'));
    expect([called(answer), answer.events.slice(-2)]).toEqual([
      ['search', 0],
      [withdrawn, { type: 'finish', reason: 'stop' }],
    ]);
    const { events, reason } = read(call('search') + ran + own + end('tool_calls'));
    expect(called({ events })).toEqual(['search', 0, 'add', 1, 'add']);
    expect([events.filter(({ type }) => type === withdrawn.type), reason]).toEqual([[withdrawn], 'tool-calls']);
  });

  it('are withdrawn after the last piece of the others, such as empty arguments, which come at the end', () => {
    const bare = chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'add', arguments: '{}' } }] });
    const { events } = read(call('search') + ran + bare + end('tool_calls'));
    const types = events.map(({ type }) => type);
    expect(types.lastIndexOf('tool-call-delta')).toBeLessThan(types.indexOf('tool-calls-withdrawn'));
  });

  it('are told from those that it has not run', () => {
    expect(called(read(call('web') + own + end('tool_calls')))).toEqual(['add', 0, 'web', 1, 'add', 'web']);
  });
});

it('an envelope with an error is none of an answer', () => {
  expect(read(data({ error: { message: 'full' }, data: { choices: [{ delta: { content: 'x' } }] } })).reason).toBe(
    'provider_error',
  );
});

it('pages under the name of Z.AI are sources', () => {
  const { events } = read(
    data({ web_search: [{ title: 'T', link: 'https://example.com/t' }] }) + chunk({ content: 'a' }) + end('stop'),
  );
  expect(events).toContainEqual({ type: 'source', url: 'https://example.com/t', title: 'T' });
});

const PAGE = { url: 'https://a.example/', title: 'T' };
const OF_GOOGLE = { web: { uri: 'https://a.example/', title: 'T' } };

it.each([
  [
    'annotations of Responses',
    chunk({ annotations: [{ type: 'url_citation', url: 'https://a.example/', title: 'T' }] }),
  ],
  ['a message', data({ choices: [{ message: { content: 'a', citations: ['https://a.example/'] } }] })],
  ['Volcengine', data({ choices: [], references: [{ url: 'https://a.example/', title: 'T' }] })],
  ['Hunyuan', data({ choices: [], search_info: { search_results: [PAGE] } })],
  [
    'Groq',
    chunk({
      executed_tools: [
        {
          index: 0,
          type: 'search',
          arguments: '{"q":"a"}',
          search_results: { images: ['https://i.example/'], results: [PAGE] },
        },
      ],
    }),
  ],
  ['Azure', chunk({ role: 'assistant', context: { citations: [{ ...PAGE, chunk_id: '0' }], intent: '["a"]' } })],
  ['LiteLLM and Anthropic', chunk({ provider_specific_fields: { citation: { ...PAGE, cited_text: 'x' } } })],
  ['LiteLLM, of the whole', chunk({ provider_specific_fields: { citations: [[PAGE, PAGE]] } })],
  ['LiteLLM and Gemini', data({ choices: [], vertex_ai_grounding_metadata: [{ groundingChunks: [OF_GOOGLE] }] })],
  ['gateways of Gemini', chunk({ content: 'a' }, { groundingMetadata: { groundingChunks: [OF_GOOGLE] } })],
  ['Open WebUI', data({ sources: [{ source: { name: 'T' }, metadata: [{ source: PAGE.url, name: 'T' }] }] })],
  ['Cohere', chunk({ citations: [{ start: 0, text: 'a', sources: [{ type: 'document', document: PAGE }] }] })],
  ['Venice', data({ choices: [], venice_parameters: { web_search_citations: [PAGE] } })],
])('the pages of %s are sources', (_, stream) => {
  const sources = read(stream + end('stop')).events.filter(({ type }) => type === 'source');
  expect(sources).toEqual([expect.objectContaining({ type: 'source', url: PAGE.url })]);
});

it('a page deep in its objects, or behind thousands of values, is not looked for', () => {
  const deep = (levels: number): unknown => (levels === 0 ? PAGE : { inner: deep(levels - 1) });
  const long = Array.from({ length: 2_000 }, () => ({ a: {} }));
  const { events } = read(chunk({ sources: [deep(8), ...long, PAGE] }) + end('stop'));
  expect(events.map(({ type }) => type)).toEqual(['finish']);
});

it.each(['tool', 'function'])('the text of the role %s is none of the answer', (role) => {
  const result = chunk({ role, content: 'secret', tool_call_id: 'x' });
  const answer = chunk({ role: 'assistant', content: 'So' }) + chunk({ content: ' it is.' });
  for (const stream of [result + result + answer, answer + result])
    expect(textOf(stream + end('stop'), 'text-delta')).toBe('So it is.');
  const message = (fields: object) => data({ choices: [{ index: 0, message: fields }] });
  const messages = message({ role, content: 'secret' }) + message({ role: 'assistant', content: 'So it is.' });
  expect(textOf(messages + end('stop'), 'text-delta')).toBe('So it is.');
  expect(read(result + end('content_filter')).events).toEqual([]);
});

it.each(['user', 'system'])('the text of the role %s is the answer, as of servers that name the wrong one', (role) => {
  const stream = chunk({ role, content: 'So' }) + chunk({ role, content: [{ type: 'text', text: ' it is.' }] });
  expect(textOf(stream + end('stop'), 'text-delta')).toBe('So it is.');
});

const call = (...tool_calls: unknown[]): string => chunk({ tool_calls });
const named = (name: unknown, json: unknown, more: object = {}): object => ({
  function: { name, arguments: json },
  ...more,
});
const calls = (stream: string): unknown[] =>
  read(stream + end('tool_calls')).events.flatMap((event) =>
    event.type === 'tool-call' ? [[event.name, event.invalid ?? event.args]] : [],
  );
const ADD = [['add', { a: 2 }]];
const JSON_OF_ADD = JSON.stringify({ index: 0, id: 'x', ...named('add', '{"a":2}') });

it.each(['', '[]', '[{', 'none', null])('no call is read in the text %j', (tool_calls) => {
  expect(textOf(chunk({ content: 'So.', tool_calls }) + end('stop'), 'text-delta')).toBe('So.');
});

describe('chunks that count where the number of their choice belongs', () => {
  const counted = (index: number, content: string, finish_reason: string | null = null): string =>
    data({ choices: [{ index, delta: { content }, finish_reason }] });

  it.each([
    ['from 0', [0, 1, 2, 3, 4, 5]],
    ['from 1', [1, 2, 3, 4, 5, 6]],
    ['to 1', [0, 1]],
    ['to 2', [0, 1, 2]],
  ])('are one answer: %s', (_, indices) => {
    const last = indices.at(-1)!;
    const stream = indices.map((index) => counted(index, String(index), index === last ? 'stop' : null)).join('');
    expect(textOf(stream, 'text-delta')).toBe(indices.join(''));
  });

  it.each([[[0, 1, 0, 1, 0]], [[0, 1, 2, 0, 1, 2, 0]], [[0, 0, 0, 1, 1]]])(
    'are those of several answers in the order %j',
    (indices) => {
      const stream = indices.map((index) => counted(index, index === 0 ? 'a' : 'b')).join('');
      expect(textOf(stream + counted(0, '', 'stop') + counted(1, 'b', 'stop'), 'text-delta')).toBe(
        'aaa'.slice(0, indices.filter((index) => index === 0).length),
      );
    },
  );
});

it.each<[string, string, unknown[]]>([
  ['with arguments as input', call({ index: 0, id: 'i', function: { name: 'add', input: { a: 2 } } }), ADD],
  ['as a part of the text', chunk({ content: [{ type: 'tool_use', id: 'i', name: 'add', input: { a: 2 } }] }), ADD],
  ['in an object of numbers', chunk({ tool_calls: { 0: named('add', '{"a":2}') } }), ADD],
  ['with arguments as args', call({ id: 'i', name: 'add', args: { a: 2 } }), ADD],
  ['in a text of JSON', chunk({ tool_calls: `[${JSON_OF_ADD}]` }), ADD],
  ['alone in a text of JSON', chunk({ tool_calls: JSON_OF_ADD }), ADD],
  ['in a text of Python', chunk({ tool_calls: "[{'function': {'name': 'add', 'arguments': {'a': 2}}}]" }), ADD],
  ['as a text in the list', chunk({ tool_calls: [JSON_OF_ADD] }), ADD],
  ['whose function is a text of JSON', call({ id: 'i', function: '{"name":"add","arguments":{"a":2}}' }), ADD],
  ['whose function is its name', call({ id: 'i', function: 'add', arguments: '{"a":2}' }), ADD],
  ['alone', chunk({ tool_call: named('add', '{"a":2}') }), ADD],
  ['of a library', call(named('default_api.add', '{"a":2}', { index: 0 })), ADD],
  ['of a library with a colon', call(named('tools:add', '{"a":2}', { index: 0 })), ADD],
  ['of a name with a point', call(named('mcp.add', '{"a":2}', { index: 0 })), [['mcp.add', { a: 2 }]]],
  ['of a library that nobody knows', call(named('os.remove', '{"a":2}', { index: 0 })), [['os.remove', { a: 2 }]]],
  ['in quotes', call(named('`add`', '{"a":2}', { index: 0 })), ADD],
  ['with a last comma', call(named('add', '{"a":2, }', { index: 0 })), ADD],
  ['in a block of code', call(named('add', '```json\n{"a":2}\n```', { index: 0 })), ADD],
  [
    'in words of Python',
    call(named('add', '{"a":True,"b":None,"c":"True, None"}', { index: 0 })),
    [['add', { a: true, b: null, c: 'True, None' }]],
  ],
  ['in quotes of Python', call(named('add', "{'a': 2}", { index: 0 })), ADD],
  [
    'with both quotes',
    call(named('add', `{'a': 'it\\'s "x"}', "b": "don't"}`, { index: 0 })),
    [['add', { a: 'it\'s "x"}', b: "don't" }]],
  ],
  [
    'with names without quotes',
    call(named('add', '{ a: 2, b_1: "c: d, e: f" }')),
    [['add', { a: 2, b_1: 'c: d, e: f' }]],
  ],
  ['with escaped line ends between values', call(named('add', '{"a": \\n2\\n\\n}')), ADD],
  ['with a pattern', call(named('add', String.raw`{"a":"^\d+\.\w$"}`)), [['add', { a: String.raw`^\d+\.\w$` }]]],
  ['with an escaped apostrophe', call(named('add', String.raw`{"a":"it\'s\n"}`)), [['add', { a: "it's\n" }]]],
  [
    'beside one, with texts as numbers',
    call(named('add', '{"a"', { index: '0', id: 'x' }), named('search', '{"q"', { index: '1', id: 'y' })) +
      call({ index: '0', function: { arguments: ':2}' } }, { index: '1', function: { arguments: ':"z"}' } }),
    [...ADD, ['search', { q: 'z' }]],
  ],
  [
    'behind one of the same number, and its rest under the next one',
    call(named('search', '{"q":"z"}', { index: 0, id: 'x' })) +
      call(named('add', '{"a"', { index: 0, id: 'y' })) +
      call({ index: 1, function: { arguments: ':2}' } }),
    [['search', { q: 'z' }], ...ADD],
  ],
  [
    'beside one of the same number, by their ids',
    call(named('add', '{"a"', { index: 0, id: 'x' }), named('search', '{"q"', { index: 0, id: 'y' })) +
      call(
        { index: 0, id: 'x', function: { arguments: ':2}' } },
        { index: 0, id: 'y', function: { arguments: ':"z"}' } },
      ),
    [...ADD, ['search', { q: 'z' }]],
  ],
])('a call %s is read', (_, stream, expected) => {
  expect(calls(stream)).toEqual(expected);
});

it('a call alone in another choice of one answer is read, as of Copilot', () => {
  const message = { tool_calls: [{ id: 'x', ...named('add', '{"a":2}') }] };
  const finish_reason = 'tool_calls';
  const first = { index: 0, message: { content: 'Let me add.' }, finish_reason };
  const decoder = new CompletionDecoder({ toolNames: ['add'] });
  const choices = [first, { index: 1, message, finish_reason }];
  const events = [...decoder.pushJson(JSON.stringify({ choices })), ...decoder.end()];
  expect(events).toContainEqual({ type: 'tool-call', id: 'x', name: 'add', args: { a: 2 } });
  expect(events).toContainEqual({ type: 'text-delta', text: 'Let me add.' });
});

it('no text in a list of more pieces than a model has calls is read as JSON', () => {
  const listOf = (count: number) =>
    read(chunk({ tool_calls: Array(count).fill(JSON_OF_ADD) }) + end('tool_calls')).events;
  const hasCall = (count: number) => listOf(count).some(({ type }) => type === 'tool-call');
  expect([hasCall(8), hasCall(9)]).toEqual([true, false]);
});

it.each([
  ['an apostrophe within its quotes', "{'a': 'it's'}"],
  ['a path whose backslashes may be escapes', String.raw`{"a":"C:\new\data"}`],
  ['no quotes around a value', '{"a": two words}'],
  ['no end', "{'a': 'b"],
])('arguments with %s may mean two things, and are not guessed', (_, json) => {
  const [read] = calls(call(named('add', json, { index: 0 }))) as [string, unknown][];
  expect(read?.[1] ?? 'no call').toEqual(expect.any(String));
});
