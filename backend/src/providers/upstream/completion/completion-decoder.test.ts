import { LIMITS } from '@tanya/contract';
import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

const delta = (fields: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: fields, finish_reason: finish }] })}\n\n`;

const STREAM = [
  ': warming up\r\n\r\n',
  delta({ role: 'assistant', content: '' }),
  delta({ reasoning: 'Hm. ' }),
  delta({ content: 'Añjali ' }),
  delta({ content: '🙏 日本語' }),
  delta({}, 'stop'),
  'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}\n\n',
  'data: [DONE]\n\n',
].join('');

const ANSWER: ProviderEvent[] = [
  { type: 'reasoning-delta', text: 'Hm. ' },
  { type: 'text-delta', text: 'Añjali 🙏 日本語' },
  { type: 'usage', promptTokens: 7, completionTokens: 9 },
  { type: 'finish', reason: 'stop' },
];

/** Joins neighbouring deltas of the same type. */
function joined(events: ProviderEvent[]): ProviderEvent[] {
  const all: ProviderEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (last && 'text' in last && 'text' in event && last.type === event.type) last.text += event.text;
    else all.push({ ...event });
  }
  return all;
}

function decode(parts: Buffer[]): { events: ProviderEvent[]; decoder: CompletionDecoder } {
  const decoder = new CompletionDecoder();
  const events = parts.flatMap((part) => decoder.push(part));
  return { events: [...events, ...decoder.end()], decoder };
}

it('decodes the same answer for every cut between two bytes', () => {
  const bytes = Buffer.from(STREAM);
  for (let at = 0; at <= bytes.length; at += 1) {
    const { events, decoder } = decode([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(joined(events)).toEqual(ANSWER);
    expect(decoder.failure).toBeNull();
  }
});

it.each(['\r\n', '\r'])('decodes the same answer with line ends %j', (end) => {
  const bytes = Buffer.from(STREAM.replace(/\r?\n/g, end));
  for (let at = 0; at <= bytes.length; at += 1) {
    const { events } = decode([bytes.subarray(0, at), bytes.subarray(at)]);
    expect(joined(events)).toEqual(ANSWER);
  }
});

it('reads the usage after the end by a filter, which is a refusal', () => {
  const { events, decoder } = decode([Buffer.from(STREAM.replace('"stop"', '"content_filter"'))]);
  expect(joined(events)).toEqual(ANSWER.slice(0, -1));
  expect(decoder.failure).toMatchObject({ code: 'provider_refused', isFiltered: true });
});

it('emits reasoning once that was sent under both names', () => {
  const { events } = decode([
    Buffer.from(delta({ reasoning: 'a', reasoning_content: 'a' })),
    Buffer.from('data: [DONE]\n\n'),
  ]);
  expect(events).toEqual([
    { type: 'reasoning-content' },
    { type: 'reasoning-delta', text: 'a' },
    { type: 'finish', reason: 'stop' },
  ]);
});

it('keeps the filter as the failure when an error follows', () => {
  const filtered = STREAM.replace('"stop"', '"content_filter"').replace('data: [DONE]', 'data: {"error":{"code":500}}');
  expect(decode([Buffer.from(filtered)]).decoder.failure).toMatchObject({ isFiltered: true });
});

it('ignores bytes after [DONE]', () => {
  const { events, decoder } = decode([Buffer.from(`${STREAM}${delta({ content: 'late' })}`), Buffer.from('garbage')]);
  expect(joined(events)).toEqual(ANSWER);
  expect(decoder.done).toBe(true);
});

it('keeps the events before an error event and sets the failure', () => {
  const { events, decoder } = decode([Buffer.from(`${delta({ content: 'half' })}data: {"error":{"code":429}}\n\n`)]);
  expect(events).toEqual([{ type: 'text-delta', text: 'half' }]);
  expect(decoder.failure).toMatchObject({ code: 'provider_busy', interrupted: false });
});

it('ignores usage that is not in whole numbers', () => {
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":"7","completion_tokens":-1}}\n\n';
  const { events } = decode([Buffer.from(`${delta({ content: 'x' }, 'stop')}${usage}data: [DONE]\n\n`)]);
  expect(events.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
});

it.each([
  ['tool_calls', 'stop'],
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['eos', 'stop'],
])('maps the finish reason %s to %s', (reason, expected) => {
  const { events } = decode([Buffer.from(delta({ content: 'x' }, reason))]);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: expected });
});

describe.each(['', 'null'])('the finish reason %j with every chunk', (none) => {
  it('is no end', () => {
    const { events, decoder } = decode([Buffer.from(delta({ role: 'assistant', content: '' }, none))]);
    expect([events, decoder.finished, decoder.failure?.interrupted]).toEqual([[], false, false]);
  });

  it('does not make a lost connection an end', () => {
    const { decoder } = decode([Buffer.from(delta({ content: 'a' }, none) + delta({ content: 'b' }, none))]);
    expect(decoder.failure).toMatchObject({ code: 'provider_unreachable', interrupted: true });
  });

  it.each(['stop', 'length'])('leaves the reason %s as it is', (reason) => {
    const { events } = decode([Buffer.from(delta({ content: 'a' }, none) + delta({}, reason) + delta({}, none))]);
    expect(events.at(-1)).toEqual({ type: 'finish', reason });
  });
});

it('keeps the reason length before a later reason', () => {
  const { events } = decode([Buffer.from(delta({ content: 'a' }, 'length') + delta({}, 'stop'))]);
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' });
});

it('reads text and reasoning in parts', () => {
  const thinking = {
    type: 'thinking',
    thinking: [
      { type: 'text', text: 'Hm, ' },
      { type: 'text', text: 'so.' },
    ],
  };
  const content = [
    thinking,
    { type: 'thinking', thinking: ' Yes.' },
    { type: 'text', text: 'One, ' },
    { type: 'reference', reference_ids: [1] },
    null,
    7,
    { type: 'text', text: 'two.' },
  ];
  const expected = [
    { type: 'reasoning-delta', text: 'Hm, so. Yes.' },
    { type: 'text-delta', text: 'One, two.' },
    { type: 'finish', reason: 'stop' },
  ];
  expect(decode([Buffer.from(delta({ content }, 'stop'))]).events).toEqual(expected);
  const decoder = new CompletionDecoder();
  const json = JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });
  expect([...decoder.pushJson(`\ufeff${json}`), ...decoder.end()]).toEqual(expected);
});

it('says once that the reasoning has the name reasoning_content, also when it is empty', () => {
  const { events } = decode([
    Buffer.from(delta({ role: 'assistant', content: null, reasoning_content: '' })),
    Buffer.from(delta({ reasoning_content: 'Hm' }) + delta({ content: 'Yes' }, 'stop')),
  ]);
  expect(events).toEqual([
    { type: 'reasoning-content' },
    { type: 'reasoning-delta', text: 'Hm' },
    { type: 'text-delta', text: 'Yes' },
    { type: 'finish', reason: 'stop' },
  ]);
  expect(decode([Buffer.from(delta({ reasoning: 'Hm', reasoning_content: null }))]).events[0]?.type).toBe(
    'reasoning-delta',
  );
});

it.each([
  ['vLLM', { stop_reason: 'END' }, 'END'],
  ['SGLang', { matched_stop: 'END' }, 'END'],
  ['a token of vLLM', { stop_reason: 128_009 }, undefined],
  ['a reason of a gateway', { stop_reason: 'end_turn' }, undefined],
  ['another end', { stop_reason: 'END', finish_reason: 'length' }, undefined],
])('names the stop sequence of the request at which an answer ended: %s', (_server, more, stopSequence) => {
  const decoder = new CompletionDecoder({ stops: ['STOP', 'END'] });
  const choice = { index: 0, delta: { content: 'Yes' }, finish_reason: 'stop', ...more };
  decoder.push(Buffer.from(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`));
  expect(decoder.end().at(-1)).toEqual({
    type: 'finish',
    reason: choice.finish_reason,
    ...(stopSequence !== undefined && { stopSequence }),
  });
});

it('emits the blocks of LiteLLM as details, which its model demands back', () => {
  const block = (fields: object): object => ({ thinking_blocks: [{ type: 'thinking', ...fields }] });
  const { events } = decode([
    Buffer.from(delta({ reasoning_content: 'Hm, ', ...block({ thinking: 'Hm, ', signature: null }) })),
    Buffer.from(delta({ reasoning_content: 'so.', ...block({ thinking: 'so.', signature: '' }) })),
    Buffer.from(delta(block({ thinking: '', signature: 'abc' }))),
    Buffer.from(delta(block({ thinking: 'And?', signature: 'def' }))),
    Buffer.from(delta({ thinking_blocks: [{ type: 'redacted_thinking', data: 'x' }] })),
    Buffer.from(delta({ content: 'Yes' }, 'stop')),
  ]);
  expect(events.filter(({ type }) => type !== 'reasoning-delta')).toEqual([
    { type: 'reasoning-content' },
    { type: 'text-delta', text: 'Yes' },
    {
      type: 'reasoning-details',
      details: [
        { type: 'thinking', thinking: 'Hm, so.', signature: 'abc' },
        { type: 'thinking', thinking: 'And?', signature: 'def' },
        { type: 'redacted_thinking', data: 'x' },
      ],
    },
    { type: 'finish', reason: 'stop' },
  ]);
});

it('emits the details of the reasoning of an answer without calls', () => {
  const details = [{ type: 'reasoning.text', text: 'Hm', index: 0 }];
  const { events } = decode([Buffer.from(delta({ content: 'Yes', reasoning_details: details }, 'stop'))]);
  expect(events).toEqual([
    { type: 'reasoning-delta', text: 'Hm' },
    { type: 'text-delta', text: 'Yes' },
    { type: 'reasoning-details', details },
    { type: 'finish', reason: 'stop' },
  ]);
});

it('fails on an event without end', () => {
  const decoder = new CompletionDecoder();
  const part = Buffer.alloc(1024 * 1024, 'x');
  decoder.push(Buffer.from('data: '));
  for (let count = 0; count < 20; count += 1) decoder.push(part);
  expect(decoder.failure).toMatchObject({ code: 'provider_error' });
});

it('fails on an event without end in one chunk', () => {
  const decoder = new CompletionDecoder();
  expect(decoder.push(Buffer.from(`data: ${'x'.repeat(9 * 1024 * 1024)}`))).toEqual([]);
  expect(decoder.failure).toMatchObject({ code: 'provider_error' });
});

it.each([64 * 1024, 1024 * 1024, 8 * 1024 * 1024])(
  'decodes the beginning of an oversized event and the events after it, in chunks of %d bytes',
  (size) => {
    const bytes = Buffer.from(
      delta({ reasoning: 'Hm. ', content: 'word '.repeat(1_000_000) }) + delta({ content: 'on' }) + 'data: [DONE]\n\n',
    );
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const { events, decoder } = decode(parts);
    const [thought, ...rest] = events as { type: string; text: string }[];
    const answer = rest.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    expect(thought).toEqual({ type: 'reasoning-delta', text: 'Hm. ' });
    expect(answer.length).toBeGreaterThan(LIMITS.answerCharacters);
    expect(answer.length).toBeLessThan(2 * size + 1_000_000);
    expect(answer.endsWith('on')).toBe(true);
    expect(rest.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(decoder.failure).toBeNull();
  },
);

it.each(['\n', '\r\n'])('decodes only the beginning of an event with very many lines that end in %j', (end) => {
  const lists = `data: [],${end}`.repeat(300_000);
  const large = `data: {"choices":[{"delta":{"content":"so far "}}],"x":[${end}${lists}data: 0],"usage":{${end}`;
  const usage = `data: "prompt_tokens":7,"completion_tokens":9}}${end}${end}`;
  const bytes = Buffer.from(large + usage + delta({ content: 'on' }, 'stop'));
  const parts = Array.from({ length: 100 }, (_, at) => bytes.subarray(at * 64 * 1024, (at + 1) * 64 * 1024));
  expect(joined(decode(parts).events)).toEqual([
    { type: 'text-delta', text: 'so far on' },
    { type: 'finish', reason: 'stop' },
  ]);
});

it('decodes the longest answer and reasoning in full, with every character escaped', () => {
  const text = '\u0001'.repeat(LIMITS.answerCharacters);
  const bytes = Buffer.from(delta({ reasoning: text, content: text }, 'stop'));
  const parts = Array.from({ length: 40 }, (_, at) => bytes.subarray(at * 64 * 1024, (at + 1) * 64 * 1024));
  const { events } = decode(parts);
  expect(events.map((event) => ('text' in event ? event.text.length : event.type))).toEqual([
    LIMITS.answerCharacters,
    LIMITS.answerCharacters,
    'finish',
  ]);
});

it('decodes the beginning of an oversized JSON completion', () => {
  const decoder = new CompletionDecoder();
  const content = 'word '.repeat(1_000_000);
  const [answer] = decoder.pushJson(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
  expect(answer).toMatchObject({ type: 'text-delta' });
  expect(decoder.end()).toEqual([{ type: 'finish', reason: 'stop' }]);
});

it('emits calls, the reasoning to repeat and sources before the end', () => {
  const citation = {
    type: 'url_citation',
    url_citation: { url: 'https://example.org/a', title: 'A', content: 'about a' },
  };
  const { events, decoder } = decode([
    Buffer.from(
      delta({ content: 'Let me see. ', annotations: [citation, citation, { url_citation: { url: 'javascript:1' } }] }),
    ),
    Buffer.from(delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] })),
    Buffer.from(delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{"x"' } }] })),
    Buffer.from(delta({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, 'tool_calls')),
    Buffer.from('data: [DONE]\n\n'),
  ]);
  expect(events).toEqual([
    { type: 'text-delta', text: 'Let me see. ' },
    { type: 'source', url: 'https://example.org/a', title: 'A', snippet: 'about a' },
    { type: 'tool-call-delta', index: 0, start: { id: 'a', name: 'add' }, json: '{"x"' },
    { type: 'tool-call-delta', index: 0, json: ':1}' },
    { type: 'reasoning-details', details: [{ type: 'reasoning.encrypted', data: 'x' }] },
    { type: 'tool-call', id: 'a', name: 'add', args: { x: 1 } },
    { type: 'finish', reason: 'tool-calls' },
  ]);
  expect(decoder.deltas).toBe(3);
});

it('emits only pieces of a call of an answer that was cut at its length', () => {
  const { events } = decode([
    Buffer.from(delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{"x"' } }] }, 'length')),
  ]);
  expect(events).toEqual([
    { type: 'tool-call-delta', index: 0, start: { id: 'a', name: 'add' }, json: '{"x"' },
    { type: 'finish', reason: 'length' },
  ]);
});

it('takes calls of servers that send another finish reason or no stream', () => {
  const tool_calls = [{ id: 'a', function: { name: 'add', arguments: '{}' } }];
  expect(decode([Buffer.from(delta({ tool_calls }, 'stop'))]).events.at(-1)).toEqual({
    type: 'finish',
    reason: 'tool-calls',
  });
  const decoder = new CompletionDecoder();
  decoder.pushJson(
    JSON.stringify({ choices: [{ message: { content: null, tool_calls }, finish_reason: 'tool_calls' }] }),
  );
  expect(decoder.end()).toEqual([
    { type: 'tool-call-delta', index: 0, json: '{}' },
    { type: 'tool-call', id: 'a', name: 'add', args: {} },
    { type: 'finish', reason: 'tool-calls' },
  ]);
});

describe('chunks that differ only in their text', () => {
  const chunk = (content: string, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'one', choices: [{ delta: { content, ...more }, finish_reason: null }] })}\n\n`;

  it('are read like any others, with other chunks between them', () => {
    const stream = [
      chunk('Hello'),
      chunk(' "wörld"\n'),
      chunk(' 🙏'),
      chunk(''),
      chunk(' and', { reasoning: 'Hm. ' }),
      chunk(' so on'),
      chunk(' now'),
      delta({ content: '!' }, 'stop'),
      'data: [DONE]\n\n',
    ].join('');
    const { events, decoder } = decode([Buffer.from(stream)]);
    expect(joined(events)).toEqual([
      { type: 'text-delta', text: 'Hello "wörld"\n 🙏' },
      { type: 'reasoning-delta', text: 'Hm. ' },
      { type: 'text-delta', text: ' and so on now!' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(decoder.deltas).toBe(8);
  });
});
