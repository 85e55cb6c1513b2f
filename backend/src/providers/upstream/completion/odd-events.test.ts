import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

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
    { data: { message: 'Searching', code: 500 } },
    { message: 'Bad day.' },
  ])('is an error where it tells of one: %j', (event) => {
    expect(answer(text('Hel') + data(event) + DONE)).toEqual(['Hel', 'provider_error']);
  });
});
