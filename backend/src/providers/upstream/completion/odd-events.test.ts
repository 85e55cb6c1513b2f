import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const choice = (delta: object, finish_reason: unknown = null): object => ({ index: 0, delta, finish_reason });
const text = (content: string): string => data({ choices: [choice({ content })] });
const DONE = 'data: [DONE]\n\n';
const END = data({ choices: [choice({}, 'stop')] }) + DONE;

function answer(stream: string, isJson = false): [text: string, end: unknown] {
  const decoder = new CompletionDecoder();
  const events: ProviderEvent[] = isJson ? decoder.pushJson(stream) : decoder.push(Buffer.from(stream));
  events.push(...decoder.end());
  const last = events.at(-1);
  const said = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return [said, decoder.failure?.code ?? (last?.type === 'finish' ? last.reason : null)];
}

describe('all events in one list', () => {
  const list = (...deltas: object[]): string => JSON.stringify(deltas.map((delta) => ({ choices: [delta] })));
  const whole = list(choice({ content: 'Hel' }), choice({ content: 'lo.' }), choice({}, 'stop'));

  it.each([
    ['as a body', whole, true],
    ['before [DONE]', `${whole}\n\n${DONE}`, true],
    ['as an event', `data: ${whole}\n\n${DONE}`, false],
  ])('is read %s', (_name, stream, isJson) => {
    expect(answer(stream, isJson)).toEqual(['Hello.', 'stop']);
  });

  it('fails with the error that it has', () => {
    const failed = `[{"choices":[{"delta":{"content":"Hel"}}]},{"error":{"message":"full","code":500}},{}]`;
    expect(answer(failed, true)).toEqual(['Hel', 'provider_error']);
  });

  it('is no answer without an end', () => {
    expect(answer(`data: ${list(choice({ content: 'Hel' }))}\n\n`)).toEqual(['Hel', 'provider_unreachable']);
  });

  it('fails where they are too many for one turn', () => {
    const long = (events: number): string => list(...Array<object>(events).fill(choice({ content: 'a' }, 'stop')));
    expect([answer(long(5_000), true)[1], answer(long(5_001), true)[1]]).toEqual(['stop', 'provider_error']);
  });
});

describe('choices that are no list', () => {
  const message = { message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' };

  it.each([
    ['one', data({ choices: choice({ content: 'Hello.' }) }) + data({ choices: choice({}, 'stop') }) + DONE],
    [
      'one between lists',
      data({ choices: [choice({ role: 'assistant' })] }) + data({ choices: choice({ content: 'Hello.' }) }) + END,
    ],
    [
      'by their numbers',
      data({ choices: { 0: choice({ content: 'Hello.' }) } }) + data({ choices: { 0: choice({}, 'stop') } }) + DONE,
    ],
    ['an empty one', data({ choices: {} }) + text('Hello.') + END],
  ])('are read: %s', (_name, stream) => {
    expect(answer(stream)).toEqual(['Hello.', 'stop']);
  });

  it('are read in an answer in one piece', () => {
    for (const choices of [message, { 0: message }])
      expect(answer(JSON.stringify({ choices }), true)).toEqual(['Hello.', 'stop']);
  });

  it('may hold an error', () => {
    const failed = { error: { message: 'No capacity', code: 503 } };
    expect(answer(text('Hel') + data({ choices: failed }) + END)).toEqual(['Hel', 'provider_error']);
  });
});

it.each(['<html><body>502', '<!DOCTYPE html><title>Login'])('the page %s in place of JSON says so', (page) => {
  for (const stream of [page, `data: ${page}\n\n`]) {
    const decoder = new CompletionDecoder();
    void (stream === page ? decoder.pushJson(stream) : decoder.push(Buffer.from(stream)));
    decoder.end();
    expect(decoder.failure).toMatchObject({ code: 'provider_error', fault: 'html' });
  }
});

describe('an error told by words alone, at the end of an answer', () => {
  it.each([
    ['data_inspection_failed', 'provider_refused'],
    ['AccountQuotaExceeded', 'provider_credit'],
    ['model is not loaded', 'provider_error'],
    ['"rate_limit_exceeded"', 'provider_busy'],
  ])('fails the answer: %s', (words, code) => {
    expect(answer(text('Hel') + `data: ${words}\n\n${DONE}`)).toEqual(['Hel', code]);
    expect(answer(`${words}\n`)).toEqual(['', code]);
    expect(answer(words, true)).toEqual(['', code]);
    expect(answer(JSON.stringify({ error: words.replaceAll('"', '') }), true)).toEqual(['', code]);
  });

  it('says nothing in an answer that goes on', () => {
    const stream = text('Hel') + 'data: retry failed, waiting\n\n' + text('lo.');
    expect(answer(stream + DONE)).toEqual(['Hello.', 'stop']);
    expect(answer(stream + 'data: connection closed\n\n' + END)).toEqual(['Hello.', 'stop']);
  });
});

describe('an event with a message inside, before [DONE] alone', () => {
  it.each([
    { type: 'log', data: { message: 'Searching the web' } },
    { event: 'step', payload: { msg: 'Reading 3 pages' } },
  ])('is a remark: %j', (event) => {
    expect(answer(text('Hello.') + data(event) + DONE)).toEqual(['Hello.', 'stop']);
  });

  it.each([
    { data: { message: 'The upstream failed.' } },
    { data: { message: 'Quota exceeded' } },
    { output: { msg: 'Server busy, please try again later' } },
    { data: { message: 'Connection closed' } },
    { data: { message: 'Searching', code: 500 } },
    { message: 'Bad day.' },
  ])('is an error where it tells of one: %j', (event) => {
    expect(answer(text('Hel') + data(event) + DONE)).toEqual(['Hel', 'provider_error']);
  });

  it('is an error of the account where it tells of its credit', () => {
    const event = { data: { message: 'Insufficient balance.' } };
    expect(answer(text('Hel') + data(event) + DONE)).toEqual(['Hel', 'provider_credit']);
  });
});

describe('numbers in place of texts', () => {
  const said = (...pieces: unknown[]): string =>
    pieces.map((content) => data({ choices: [choice({ content })] })).join('');

  it('are the text', () => {
    expect(answer(said(4, 2) + END)).toEqual(['42', 'stop']);
    expect(answer(said('It is ', 0, '.') + END)).toEqual(['It is 0.', 'stop']);
    const message = { message: { content: 42 }, finish_reason: 'stop' };
    expect(answer(JSON.stringify({ choices: [message] }), true)).toEqual(['42', 'stop']);
    expect(answer(data({ choices: [{ text: 0 }] }) + DONE)).toEqual(['0', 'stop']);
  });

  it('are a part of arguments', () => {
    const decoder = new CompletionDecoder();
    const piece = (called: object): object => choice({ tool_calls: [{ index: 0, id: 'a', function: called }] });
    const pieces = [{ name: 'add', arguments: '{"a":' }, { arguments: 12 }, { arguments: '}' }].map(piece);
    const stream =
      pieces.map((each) => data({ choices: [each] })).join('') + data({ choices: [choice({}, 'tool_calls')] });
    const events = [...decoder.push(Buffer.from(stream)), ...decoder.end()];
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({ name: 'add', args: { a: 12 } });
  });
});

it.each([
  'get_weather',
  ' get_weather\n',
  'functions.get_weather',
  'functions.get_weather:0',
  'get_weather<|channel|>commentary',
  'get_weather<|constrain|>json',
])('the name of a call is read without what its server left around it: %j', (name) => {
  const decoder = new CompletionDecoder();
  const called = { tool_calls: [{ index: 0, id: 'a', function: { name, arguments: '{}' } }] };
  const events = [...decoder.push(Buffer.from(data({ choices: [choice(called, 'tool_calls')] }))), ...decoder.end()];
  expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({ name: 'get_weather' });
});

describe('deltas that repeat the text so far', () => {
  const pieces = ['The', 'The sky', 'The sky is', 'The sky is blue', 'The sky is blue.'];
  const stream = (field: string, before = ''): string =>
    before + pieces.map((piece) => data({ choices: [choice({ [field]: piece })] })).join('');

  it('are one text', () => {
    expect(answer(stream('content') + END)).toEqual(['The sky is blue.', 'stop']);
    expect(answer(pieces.map((piece) => data({ choices: [{ text: piece }] })).join('') + END)[0]).toBe(
      'The sky is blue.',
    );
  });

  it('are one text after reasoning, which may repeat itself too', () => {
    const decoder = new CompletionDecoder();
    const events = decoder.push(Buffer.from(stream('content', stream('reasoning_content')) + END));
    events.push(...decoder.end());
    const said = events.flatMap((event) => ('text' in event ? [event.type] : []));
    expect(said.indexOf('text-delta')).toBeGreaterThan(said.lastIndexOf('reasoning-delta'));
    for (const type of ['text-delta', 'reasoning-delta'])
      expect(events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('')).toBe(
        'The sky is blue.',
      );
  });

  it('stand before what follows them', () => {
    const call = choice({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }] });
    const decoder = new CompletionDecoder();
    const events = [
      text('1'),
      text('10'),
      data({ choices: [call] }),
      data({ choices: [choice({}, 'tool_calls')] }),
    ].flatMap((event) => decoder.push(Buffer.from(event)));
    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'text-delta', 'tool-call-delta']);
    expect(answer(text('1') + text('10') + END)).toEqual(['110', 'stop']);
  });

  it.each(['delta', 'message'])('take the memory of one text: in each %s', (name) => {
    const decoder = new CompletionDecoder();
    let [whole, said] = ['', ''];
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 1_000; count += 1) {
      whole += `${count} bottles of beer. `;
      for (const event of decoder.push(Buffer.from(data({ choices: [{ index: 0, [name]: { content: whole } }] }))))
        if (event.type === 'text-delta') said += event.text;
    }
    collectGarbage();
    // All of the texts have 10 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(3_000_000);
    expect(said).toBe(whole);
  });

  it('stand before the rest in the last message', () => {
    for (const content of ['110', '110 or so'])
      expect(
        answer(text('1') + text('10') + data({ choices: [{ message: { content }, finish_reason: 'stop' }] }) + DONE),
      ).toEqual([content, 'stop']);
  });
});

it('keeps the text of an answer alone, not the events that brought it', () => {
  const decoder = new CompletionDecoder();
  const rest = { obfuscation: 'x'.repeat(2_000) };
  let said = '';
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 2_000; count += 1)
    for (const event of decoder.push(
      Buffer.from(data({ ...rest, choices: [choice({ content: `${count} bottles of beer. ` })] })),
    ))
      if (event.type === 'text-delta') said += event.text;
  collectGarbage();
  // The events have 4 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_500_000);
  expect(said).toMatch(/^0 bottles of beer\. 1 .*1999 bottles of beer\. $/);
});
