import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

/** Shapes that users of other products reported, of no one server. Those of a server are in servers.test.ts. */

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, finish_reason: unknown = null, choice: object = {}, more: object = {}): string =>
  data({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason, ...choice }], ...more });
const text = (content: string): string => chunk({ content });
const calls = (...tool_calls: unknown[]): string => chunk({ tool_calls });
const piece = (name: unknown, args: unknown, more: object = {}): object => ({
  type: 'function',
  function: { name, arguments: args },
  ...more,
});
const USED = (completion: number): object => ({ usage: { prompt_tokens: 7, completion_tokens: completion } });
const DONE = 'data: [DONE]\n\n';
const END = chunk({}, 'stop') + DONE;
const CALLS_END = chunk({}, 'tool_calls') + DONE;

function read(stream: string): { events: ProviderEvent[]; end: string | null; decoder: CompletionDecoder } {
  const decoder = new CompletionDecoder();
  const events = [...decoder.push(Buffer.from(stream)), ...decoder.end()];
  const last = events.at(-1);
  return { events, end: decoder.failure?.code ?? (last?.type === 'finish' ? last.reason : null), decoder };
}

const joined = (events: readonly ProviderEvent[], type: string): string =>
  events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');

const answer = (stream: string): [text: string, end: string | null] => {
  const { events, end } = read(stream);
  return [joined(events, 'text-delta'), end];
};

const callsIn = (stream: string): unknown[] =>
  read(stream).events.flatMap((event) =>
    event.type === 'tool-call' ? [[event.id, event.name, event.invalid ?? event.args]] : [],
  );

describe('calls', () => {
  const ONE = [['a', 'list', { p: 1 }]];
  const NO_ID = [[null, 'list', { p: 1 }]];
  const TWO = ['x', 'y'].map((p) => [null, 'read', { p }]);
  const [x, y] = ['{"p":"x"}', '{"p":"y"}'];

  it.each<[string, string, unknown[]]>([
    [
      'two with one index and no id',
      calls(piece('read', x, { index: 0 })) + calls(piece('read', y, { index: 0 })),
      TWO,
    ],
    ['two in one delta with one index', calls(piece('read', x, { index: 0 }), piece('read', y, { index: 0 })), TWO],
    ['two with neither index nor id', calls(piece('read', x)) + calls(piece('read', y)), TWO],
    [
      'two with one id and no index',
      calls(piece('read', x, { id: 'a' }), piece('read', y, { id: 'a' })),
      [
        ['a', 'read', { p: 'x' }],
        ['a', 'read', { p: 'y' }],
      ],
    ],
    [
      'one again under the next index',
      [0, 1].map((index) => calls(piece('list', '{"p":1}', { index, id: 'a' }))).join(''),
      ONE,
    ],
    [
      'the name "null" after the first piece',
      calls(piece('list', '{"p":', { index: 0, id: 'a' })) +
        calls(piece('null', '1}', { index: 0, id: '' })) +
        calls(piece('null', '', { index: 0, id: '' })),
      ONE,
    ],
    [
      'a new id with each piece',
      calls(piece('list', '{"p"', { index: 0, id: 'a' })) + calls(piece(null, ':1}', { index: 0, id: 'b' })),
      ONE,
    ],
    [
      'a new id and the name with each piece',
      calls(piece('list', '{"p"', { index: 0, id: 'a' })) + calls(piece('list', ':1}', { index: 0, id: 'b' })),
      ONE,
    ],
    [
      'a new id with each piece and no index',
      calls(piece('list', '{"p"', { id: 'a' })) + calls(piece(null, ':1}', { id: 'b' })),
      ONE,
    ],
    ['the name with each piece and no index', calls(piece('list', '{"p"')) + calls(piece('list', ':1}')), NO_ID],
    [
      'an index from the second piece on',
      calls(piece('list', '', { id: 'a' })) + calls(piece(null, '{"p":1}', { index: 0 })),
      ONE,
    ],
    ['fields beside the id', calls({ index: 0, id: 'a', name: 'list', arguments: '{"p":1}' }), ONE],
    ['parameters', calls({ index: 0, id: 'a', function: { name: 'list', parameters: { p: 1 } } }), ONE],
    ['one without a list', chunk({ tool_calls: piece('list', '{"p":1}', { index: 0, id: 'a' }) }), ONE],
    [
      'the one call of older servers',
      chunk({ function_call: { name: 'list', arguments: '' } }) + chunk({ function_call: { arguments: '{"p":1}' } }),
      NO_ID,
    ],
    [
      'a number as text for its index',
      calls(piece('list', '{"p"', { index: '0', id: 'a' })) + calls(piece(null, ':1}', { index: '0' })),
      ONE,
    ],
    [
      'null for all that is not said',
      calls(piece('list', null, { index: 0, id: 'a' })) + calls(piece(null, '{"p":1}', { index: 0, id: null })),
      ONE,
    ],
    ...['[]', '""', 'None', 'undefined'].map((none): [string, string, unknown[]] => [
      `${none} before the arguments`,
      calls(piece('list', none, { index: 0, id: 'a' })) + calls(piece(null, '{"p":1}', { index: 0 })),
      ONE,
    ]),
    ...['[]', '""', 'None', 'undefined', '[ ]'].map((none): [string, string, unknown[]] => [
      `${none} for no arguments`,
      calls(piece('list', none.slice(0, 1), { index: 0, id: 'a' })) + calls(piece(null, none.slice(1), { index: 0 })),
      [['a', 'list', {}]],
    ]),
    ...['<|call|>', '</tool_call>', '}<|im_end|>\n'].map((mark): [string, string, unknown[]] => [
      `${JSON.stringify(mark)} behind the arguments`,
      calls(piece('list', '{"p":1}', { index: 0, id: 'a' })) + calls(piece(null, mark, { index: 0 })),
      ONE,
    ]),
    ['arguments as JSON in JSON', calls(piece('list', '"{\\"p\\":1}"', { index: 0, id: 'a' })), ONE],
    [
      'such arguments whose first piece is a quotation mark, before the text so far',
      calls(piece('list', '"', { index: 0, id: 'a' })) +
        calls(piece(null, '"{\\"p\\"', { index: 0 })) +
        calls(piece(null, '"{\\"p\\":1}"', { index: 0 })),
      ONE,
    ],
    [
      'such arguments in pieces, of which the first is a quotation mark',
      calls(piece('list', '"', { index: 0, id: 'a' })) + calls(piece(null, '{\\"p\\":1}"', { index: 0 })),
      ONE,
    ],
    [
      'a line end in a text of the arguments',
      calls(piece('list', '{"p":"x\ny"}', { id: 'a' })),
      [['a', 'list', { p: 'x\ny' }]],
    ],
  ])('%s', (_name, stream, expected) => {
    expect(callsIn(stream + CALLS_END)).toEqual(expected);
    expect(read(stream + CALLS_END).end).toBe('tool-calls');
  });

  it('that is cut at the limit of tokens ends there, though the server says only that there is one', () => {
    const piecesOf = (args: string): string =>
      calls(piece('list', args, { index: 0, id: 'a' })) + chunk({}, 'tool_calls');
    const cut = piecesOf('{"p":"wo');
    const used = data({ choices: [], ...USED(9) });
    const endOf = (stream: string, maxTokens?: number): unknown => {
      const decoder = new CompletionDecoder({ maxTokens });
      return [...decoder.push(Buffer.from(stream + DONE)), ...decoder.end()].at(-1);
    };
    expect(endOf(cut + used, 9)).toEqual({ type: 'finish', reason: 'length' });
    for (const [stream, most] of [
      [cut + used, 10],
      [cut + used, undefined],
      [cut, 9],
      [piecesOf('{}') + used, 9],
      [piecesOf('"{}"') + used, 9],
      [piecesOf('') + used, 9],
    ] as const)
      expect(endOf(stream, most)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  it.each([
    ['none', chunk({ content: '' })],
    ['none after reasoning', chunk({ reasoning: 'Hm.' })],
    ['one without a name', calls({ index: 0, id: 'a', function: { arguments: '{}' } })],
  ])('are missing in an answer that ends with them and has no text: %s', (_name, stream) => {
    expect(read(stream + CALLS_END).end).toBe('provider_error');
    expect(read(stream + END).end).toBe('stop');
    expect(answer(text('Hello.') + CALLS_END)).toEqual(['Hello.', 'stop']);
  });
});

describe('reasoning', () => {
  it.each([
    ['reasoning_text', { reasoning_text: 'Hm.' }],
    ['thinking', { thinking: 'Hm.' }],
    ['details alone', { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] }],
    ['a summary in details', { reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.', index: 0 }] }],
    ['two names', { reasoning: 'Hm.', reasoning_text: 'Hm.' }],
    ['a part of its own type', { content: [{ type: 'thinking', thinking: 'Hm.' }] }],
    ['a part with the text of its type', { content: [{ type: 'reasoning', text: 'Hm.' }] }],
    ['a part of Gemini', { content: [{ text: 'Hm.', thought: true }] }],
    ['an object', { reasoning: { text: 'Hm.' } }],
    ['parts', { reasoning_content: [{ type: 'text', text: 'H' }, null, 'm.'] }],
    ['a name and details', { reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }],
  ])('as %s', (_name, delta) => {
    const { events, end } = read(chunk(delta) + text('Yes.') + END);
    expect([joined(events, 'reasoning-delta'), joined(events, 'text-delta'), end]).toEqual(['Hm.', 'Yes.', 'stop']);
  });
});

describe('a whole answer', () => {
  it.each([
    [
      'the field twice',
      `data: ${text('Hel')}data:data: ${JSON.stringify({ choices: [{ delta: { content: 'lo.' } }] })}\ndata:\ndata:\n\ndata: ${END}`,
    ],
    [
      'no field at all',
      (text('Hel') + text('lo.') + chunk({}, 'stop')).replaceAll('data: ', '').replaceAll('\n\n', '\n'),
    ],
    ['blanks before the field', (text('Hello.') + END).replaceAll('data', ' data')],
    ['[DONE] in quotes', `${text('Hello.')}data: "[DONE]"\n\n`],
    [
      'NaN of Python',
      text('Hel') + 'data: {"choices":[{"delta":{"content":"lo."},"logprobs":[NaN,-Infinity]}]}\n\n' + END,
    ],
    [
      'text in place of a delta',
      data({ choices: [{ text: 'Hello.' }] }) + data({ choices: [{ text: '', finish_reason: 'stop' }] }),
    ],
    ['one part in place of a text', chunk({ content: { type: 'text', text: 'Hello.' } }) + END],
    ['texts as parts', chunk({ content: ['Hel', 'lo.'] }) + END],
    ['parts that no chat has', chunk({ content: [{ type: 'audio', data: 'x' }, { text: 'Hello.' }, null] }) + END],
    ['a refusal as a part', chunk({ content: [{ type: 'refusal', refusal: 'Hello.' }] }) + END],
    ['the text beside the delta', chunk({ content: 'Hello.' }, null, { text: 'Hello.' }) + END],
    ['the reason of Gemini', text('Hello.') + chunk({}, null, { finishReason: 'STOP' })],
    ['the reason within its delta', text('Hel') + chunk({ content: 'lo.', finish_reason: 'stop' })],
    ['a reason with each piece', chunk({ content: 'Hel' }, 'stop') + chunk({ content: 'lo.' }, 'stop') + DONE],
    ['two events in one line', `${text('Hel').trimEnd()}${text('lo.')}${END}`],
    ['two objects in one line', `${text('Hel').trimEnd()}${text('lo.').slice(6)}${END}`],
    ['its end behind the last event', `${text('Hello.').trimEnd()}data: [DONE]\n\n`],
    [
      'more of the text in its last message',
      text('Hel') + data({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }) + DONE,
    ],
    ['a remark behind the text', text('Hello.') + data({ type: 'metrics', data: { ms: 1 } }) + DONE],
    ['an error within an event before its end', text('Hello.') + data({ header: { code: 10_013 } }) + END],
    ...[{ conversation_id: 'x' }, { done: true }, { related_questions: ['x'] }, { title: 'x' }].map(
      (event): [string, string] => [
        `${JSON.stringify(event)} before [DONE] alone`,
        text('Hello.') + data(event) + DONE,
      ],
    ),
    ['pages that cannot be read', text('Hello.') + 'data: {"sources":[{"text":"page",},...]}\n\n' + END],
    [
      'another text in its last message',
      text('Hello.') +
        data({ choices: [{ message: { content: 'A wholly other text.' }, finish_reason: 'stop' }] }) +
        DONE,
    ],
    [
      'more of the text in its last message, with the reason of Gemini',
      text('Hel') + data({ choices: [{ message: { content: 'Hello.' }, finishReason: 'STOP' }] }) + DONE,
    ],
    [
      'its text in the last message, after reasoning in deltas',
      chunk({ reasoning_content: 'plan' }) +
        data({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }] }) +
        DONE,
    ],
    ['a part whose type is no text', chunk({ content: [{ type: { toString: 1 }, text: 'Hello.' }] }) + END],
    ['usage without counts', chunk({ content: 'Hello.' }, null, {}, { usage: { prompt_tokens_details: {} } }) + END],
    [
      'the end of a filter after the end',
      text('Hello.') + chunk({}, 'stop') + data({ choices: [{ content_filter_results: { error: { code: 'x' } } }] }),
    ],
  ])('with %s', (_name, stream) => {
    expect(answer(stream)).toEqual(['Hello.', 'stop']);
  });

  it.each([
    [
      'in each chunk',
      chunk({ content: 'Hel' }, null, {}, USED(1)) + chunk({ content: 'lo.' }, 'stop', {}, USED(2)) + DONE,
    ],
    ['in a chunk without choices before the end', text('Hello.') + data({ choices: [], ...USED(2) }) + END],
    ['in a chunk that has no list of them', text('Hello.') + chunk({}, 'stop') + data(USED(2))],
    ['beside an empty delta behind the end', text('Hello.') + chunk({}, 'stop') + chunk({}, null, {}, USED(2)) + DONE],
    ['right after [DONE]', text('Hello.') + END + data({ choices: [], ...USED(2) })],
  ])('with its usage %s', (_name, stream) => {
    const { events } = read(stream);
    expect(answer(stream)).toEqual(['Hello.', 'stop']);
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', promptTokens: 7, completionTokens: 2 },
    ]);
  });

  it('with a tab within a text', () => {
    expect(answer(`data: {"choices":[{"delta":{"content":"a\tb \\"c\\""}}]}\n\n${END}`)).toEqual(['a\tb "c"', 'stop']);
  });

  it('with the pages that its provider searched', () => {
    const pages = {
      citations: ['https://a.example/1', 'https://b.example/2', 7],
      search_results: [{ title: 'A', url: 'https://a.example/1', snippet: 'about a', date: null }],
    };
    const { events } = read(
      chunk({ content: 'So ' }, null, {}, pages) + chunk({ content: 'it is [1].' }, 'stop', {}, pages),
    );
    expect(events.filter(({ type }) => type === 'source')).toEqual([
      { type: 'source', url: 'https://a.example/1', title: 'A', snippet: 'about a' },
      { type: 'source', url: 'https://b.example/2', title: 'b.example' },
    ]);
  });
});

describe('an event without an end to its oddity', () => {
  it.each([
    ['the field again and again', `data: ${'data:'.repeat(400_000)} ${text('Hello.')}`, 'Hello.'],
    ['many lines of words', `${'data: word\n'.repeat(100_000)}${text('Hello.')}`, ''],
  ])('is read as far as a server would send it: %s', (_name, event, said) => {
    expect(answer(event + text('So.') + END)).toEqual([`${said}So.`, 'stop']);
  });

  it('stands in no way of a whole answer in one', () => {
    const lines = Array.from({ length: 9_000 }, (_, at) => chunk({ content: `${at} ` }).replace('\n\n', '\n'));
    const [said, end] = answer(`${lines.join('')}data: word\n${END}`);
    expect([said.length, end]).toEqual([43_890, 'stop']);
  });
});

describe('an answer that failed', () => {
  it.each([
    ['words', 'data: [ERROR] upstream timeout\n\n'],
    ['other words', 'data: error: engine died\n\n'],
    ['the page of a proxy', '<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n</html>\r\n\r\n'],
    ['an exception of AWS', data({ __type: 'ThrottlingException' })],
    ['another page', '<!DOCTYPE html><html lang="en">\n\n'],
    ['a field of its delta', chunk({ error: 'over capacity' })],
    ['an error under another name', data({ internalServerException: { message: 'x' } })],
    ['an error that is the name of its field', data({ 'error parsing tool call': 'invalid character' })],
    ['the field of Groq', chunk({}, null, {}, { x_groq: { id: 'r', error: 'over capacity' } })],
  ])('by %s, whatever follows', (_name, bad) => {
    for (const last of ['', DONE, END]) expect(answer(text('Hel') + bad + last)).toEqual(['Hel', 'provider_error']);
  });

  it.each([{ header: { code: 10_013, message: 'x' } }, { data: { error: 'x' } }])(
    'by an error within an event, without an end after it: %j',
    (event) => {
      expect(answer(text('Hel') + data(event) + DONE)).toEqual(['Hel', 'provider_error']);
      expect(answer(text('Hel') + data(event) + text('lo.') + DONE)).toEqual(['Hello.', 'stop']);
    },
  );

  it('by a piece that cannot be read', () => {
    const broken = 'data: {"choices":[{"index":0,"delta":{"content":"lo, w\n\n';
    expect(answer(text('Hel') + broken + text('rld.') + END)).toEqual(['Hel', 'provider_unreachable']);
  });

  it.each([
    ['audio', { audio: { id: 'a', data: 'AAAA' } }],
    ['a part of audio', { content: [{ type: 'output_audio', data: 'AAAA' }] }],
    ['a picture', { image: { url: 'x' } }],
    ['the address of a picture', { image_url: { url: 'x' } }],
    ['a picture of Gemini', { content: [{ inline_data: { mime_type: 'image/png', data: 'x' } }] }],
    ['a picture of Anthropic', { content: [{ type: 'image', source: { type: 'base64', data: 'x' } }] }],
    ['a picture of Responses', { content: [{ type: 'output_image', image_url: 'x' }] }],
  ])('by %s alone, which no chat has', (_name, delta) => {
    expect(answer(chunk({ content: '', ...delta }) + END)).toEqual(['', 'provider_error']);
    expect(answer(chunk({ content: '', ...delta }) + text('Here.') + END)).toEqual(['Here.', 'stop']);
  });

  it('by JSON without a field keeps what the server says', () => {
    const bad = '{"error":{"message":"No channel","type":"one_api_error","code":429}}';
    expect(answer(text('Hel') + bad)).toEqual(['Hel', 'provider_busy']);
    expect(answer(bad)).toEqual(['', 'provider_busy']);
  });
});

describe('events that are no JSON', () => {
  const bad = (event: string, count: number): string => event.repeat(count);

  it('are skipped between the pieces of an answer, in thousands too', () => {
    expect(answer(text('Hel') + bad('data: ping\n\n', 15_000) + text('lo') + END)).toEqual(['Hello', 'stop']);
  });

  it('may be JSON that has to be repaired after thousands of others', () => {
    const odd = `data: {"choices":[{"index":0,"delta":{"content":"lo"},"logprobs":NaN}]}\n\n`;
    expect(answer(text('Hel') + bad('data: ping\n\n', 2_000) + odd + END)).toEqual(['Hello', 'stop']);
  });

  it.each(['data: {\n\n', 'data: data: {\n\n', 'data\n\n', 'data:{\n\n', 'data: x\n\n', ' {x}\n'])(
    'end an answer that has tens of thousands of %j',
    (event) => {
      const { decoder } = read(text('Hel') + bad(event, 50_000) + text('lo') + END);
      expect(decoder.failure?.code).toBe('provider_error');
    },
  );

  it('do not hide a piece that is cut', () => {
    const cut = 'data: {"choices":[{"index":0,"delta":{"content":"lo\n\n';
    const { decoder } = read(text('Hel') + bad('data: ping\n\n', 2_000) + cut + END);
    expect(decoder.failure?.code).toBe('provider_unreachable');
  });

  it('do not end an answer that has its finish reason', () => {
    expect(answer(text('Hello') + chunk({}, 'stop') + bad('data: x\n\n', 50_000) + DONE)).toEqual(['Hello', 'stop']);
  });
});
