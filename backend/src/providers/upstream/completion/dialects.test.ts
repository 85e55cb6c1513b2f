import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

const event = (chunk: object, end = '\n\n'): string => `data: ${JSON.stringify({ id: 'x', ...chunk })}${end}`;
const choice = (delta: object, finish_reason: unknown = null, more: object = {}): object => ({
  choices: [{ index: 0, delta, finish_reason, ...more }],
});
const text = (content: string): string => event(choice({ content }));
const END = event(choice({}, 'stop'));
const DONE = 'data: [DONE]\n\n';

interface Answer {
  text: string;
  finish?: string;
  failure: string | null;
}

function answerOf(...bytes: string[]): Answer {
  const decoder = new CompletionDecoder();
  const events: ProviderEvent[] = bytes.flatMap((piece) => decoder.push(Buffer.from(piece)));
  events.push(...decoder.end());
  return {
    text: events.map((each) => (each.type === 'text-delta' ? each.text : '')).join(''),
    finish: events.flatMap((each) => (each.type === 'finish' ? [each.reason] : []))[0],
    failure: decoder.failure?.code ?? null,
  };
}

const whole = (expected: string): Answer => ({ text: expected, finish: 'stop', failure: null });

describe('an answer that is not whole', () => {
  it.each([
    ['vLLM', event({ object: 'error', message: 'engine died', type: 'InternalServerError', code: 500 })],
    ['FastAPI', event({ id: undefined, detail: 'engine died' })],
    ['a code', event({ code: 400, details: 'too long' })],
    ['Anthropic', event({ type: 'error', message: 'x' })],
    ['OpenRouter', event(choice({}, 'error', { error: { code: 502, message: 'x' } }))],
    ['a list', `data: [{"error":{"code":500}}]\n\n`],
    ['the name of the event', 'event: error\ndata: engine died\n\n'],
    ['the name of the event with [DONE]', 'event: error\ndata: [DONE]\n\n'],
    ['llama.cpp', 'error: {"code":500,"message":"engine died"}\n\n'],
    ['an unknown reason', event(choice({}, 'network_error'))],
    ['an unknown reason with text', event(choice({ content: '' }, 'abort'))],
  ])('fails by %s, whatever follows', (_name, bad) => {
    for (const last of ['', DONE, END + DONE]) {
      const answer = answerOf(text('The result is') + bad + last);
      expect(answer).toMatchObject({ text: 'The result is', finish: undefined });
      expect(answer.failure).not.toBeNull();
    }
  });

  it('fails by its end without a reason', () => {
    expect(answerOf(text('The result is'))).toMatchObject({ finish: undefined, failure: 'provider_unreachable' });
  });

  it('fails when the arguments of its call are cut, whether or not [DONE] follows', () => {
    const tool_calls = [{ index: 0, id: 'a', function: { name: 'add', arguments: '{"x"' } }];
    expect(answerOf(event(choice({ tool_calls })) + DONE)).toMatchObject({ failure: 'provider_unreachable' });
  });

  it('takes an empty error for none', () => {
    const more = event({ ...choice({ content: ' ok' }), error: '' });
    expect(answerOf(text('Fine') + more + END + DONE)).toEqual(whole('Fine ok'));
  });
});

describe('events as servers frame them', () => {
  it('two in one', () => {
    expect(answerOf(event(choice({ content: 'One ' }), '\n') + text('two') + text(' three.') + END + DONE)).toEqual(
      whole('One two three.'),
    );
  });

  it.each(['\n', '\r\n', '\r'])('with one line end %j each, for every cut', (end) => {
    const bytes = [text('One '), text('two'), END, DONE].join('').replaceAll('\n\n', end);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(answerOf(bytes.slice(0, at), bytes.slice(at))).toEqual(whole('One two'));
    }
  });

  it('with their text as they arrive', () => {
    const decoder = new CompletionDecoder();
    const [first, second] = [event(choice({ content: 'One ' }), '\n'), event(choice({ content: 'two' }), '\n')];
    expect(decoder.push(Buffer.from(first + second))).toEqual([{ type: 'text-delta', text: 'One ' }]);
  });

  it('on several lines', () => {
    const lines = JSON.stringify(choice({ content: 'One' }), null, 2).replaceAll('\n', '\ndata: ');
    expect(answerOf(`data: ${lines}\n\n${END}${DONE}`)).toEqual(whole('One'));
  });

  it('with a last one that repeats the answer as a message', () => {
    const last = event({
      choices: [{ index: 0, message: { role: 'assistant', content: 'One two.' }, finish_reason: 'stop' }],
    });
    expect(answerOf(text('One ') + text('two.') + last + DONE)).toEqual(whole('One two.'));
    expect(answerOf(last + DONE)).toEqual(whole('One two.'));
  });

  it.each([
    ['pieces', ['One ', 'two', '.']],
    ['the text so far', ['One ', 'One two', 'One two.']],
  ])('with messages in place of deltas: %s', (_name, contents) => {
    const messages = contents.map((content) => event({ choices: [{ index: 0, message: { content } }] }));
    expect(answerOf(messages.join('') + END)).toEqual(whole('One two.'));
  });

  it('of several choices: the first one alone', () => {
    const of = (index: number, content: string, finish_reason: string | null = null): object => ({
      ...{ index, delta: { content }, finish_reason },
    });
    const chunks = [[of(0, 'A1 ')], [of(1, 'B1 ')], [of(1, 'B2.', 'stop'), of(0, 'A2.')], [of(0, '', 'length')]];
    const bytes = chunks.map((choices) => event({ choices })).join('');
    expect(answerOf(bytes)).toEqual({ text: 'A1 A2.', finish: 'length', failure: null });
    expect(answerOf(event({ choices: [of(1, 'Only one.', 'stop')] }))).toEqual(whole('Only one.'));
  });
});
