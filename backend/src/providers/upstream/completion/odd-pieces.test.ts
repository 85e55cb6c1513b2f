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
  ['an envelope', data({ code: 0, message: 'ok', data: { choices: [{ index: 0, delta: { content: 'So.' } }] } })],
  ['another envelope', data({ result: { choices: [{ delta: { content: 'So.' } }] }, success: true })],
])('the text of %s is read', (_, stream) => {
  expect(textOf(stream + end('stop'), 'text-delta')).toBe('So.');
});

it.each([
  ['an object', { reasoning: { content: 'Well.' } }],
  ['an object of parts', { reasoning_content: { summary: [{ text: 'We' }, { text: 'll.' }] } }],
  ['a list of thoughts', { thinking: [{ type: 'thinking', thinking: 'Well.' }] }],
])('reasoning in %s is read', (_, delta) => {
  expect(textOf(chunk(delta) + chunk({ content: 'So.' }) + end('stop'), 'reasoning-delta')).toBe('Well.');
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

it.each<[string, string, unknown[]]>([
  ['with arguments as input', call({ index: 0, id: 'i', function: { name: 'add', input: { a: 2 } } }), ADD],
  ['as a part of the text', chunk({ content: [{ type: 'tool_use', id: 'i', name: 'add', input: { a: 2 } }] }), ADD],
  ['in an object of numbers', chunk({ tool_calls: { 0: named('add', '{"a":2}') } }), ADD],
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

it.each([
  ['an apostrophe within its quotes', "{'a': 'it's'}"],
  ['a path whose backslashes may be escapes', String.raw`{"a":"C:\new\data"}`],
  ['no quotes around a value', '{"a": two words}'],
  ['no end', "{'a': 'b"],
])('arguments with %s may mean two things, and are not guessed', (_, json) => {
  const [read] = calls(call(named('add', json, { index: 0 }))) as [string, unknown][];
  expect(read?.[1] ?? 'no call').toEqual(expect.any(String));
});
