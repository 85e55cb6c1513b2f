import type { MessagePart, ToolPart } from '@tanya/contract';
import { answerMessages, resultOf, stepMessages, withoutCalls, withUniqueCalls } from './prompt-calls.js';

const call = (callId: string, more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId,
  tool: 'add',
  title: 'Add',
  args: { x: 1 },
  state: 'done',
  result: '2',
  ...more,
});

const text = (value: string): MessagePart => ({ type: 'text', text: value });

const called = (id: string) => ({ id, name: 'add', args: { x: 1 } });

describe('the messages of an answer', () => {
  it('have all of the reasoning that its provider may require back', () => {
    const thought = (value: string) => ({ type: 'reasoning', text: value, name: 'reasoning_content' }) as const;
    const steps = [
      thought('First '),
      text('One. '),
      call('a'),
      thought('then '),
      call('b'),
      call('c'),
      thought('last'),
    ];
    const messages = answerMessages([...steps, text('End.')]);
    expect(messages.filter(({ role }) => role === 'assistant')).toEqual([
      { role: 'assistant', content: 'One. ', toolCalls: [called('a')], reasoningContent: 'First ' },
      { role: 'assistant', content: '', toolCalls: [called('b'), called('c')], reasoningContent: 'then ' },
      { role: 'assistant', content: 'End.', reasoningContent: 'last' },
    ]);
  });

  it('are its steps and its last text, without reasoning and sources', () => {
    const source: MessagePart = { type: 'source', index: 1, url: 'https://example.org', title: 'A' };
    const parts = [
      { type: 'reasoning' as const, text: 'hm' },
      text('One. '),
      call('a'),
      source,
      call('b'),
      text('Two. '),
      call('c'),
    ];
    expect(answerMessages([...parts, text('End.')])).toEqual([
      { role: 'assistant', content: 'One. ', toolCalls: [called('a'), called('b')] },
      { role: 'tool', callId: 'a', content: '2' },
      { role: 'tool', callId: 'b', content: '2' },
      { role: 'assistant', content: 'Two. ', toolCalls: [called('c')] },
      { role: 'tool', callId: 'c', content: '2' },
      { role: 'assistant', content: 'End.' },
    ]);
  });

  it('have a result for a call in every state', () => {
    const states = (['running', 'waiting', 'denied', 'interrupted', 'failed'] as const).map((state) =>
      resultOf(call('a', { state, result: undefined })),
    );
    expect(states.map((result) => result.split(' ').slice(0, 4).join(' '))).toEqual([
      'The call was interrupted.',
      'The call was interrupted.',
      'The user denied this',
      'The call was interrupted.',
      'The call failed.',
    ]);
    expect(resultOf(call('a', { state: 'failed', error: 'no such town' }))).toBe('no such town');
  });

  it('become text for a model that takes no tools', () => {
    expect(withoutCalls([{ role: 'user', content: 'q' }, ...answerMessages([text('One.'), call('a')])])).toEqual([
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'One.\n\n[add({"x":1}) gave: 2]' },
    ]);
  });

  it('get other ids where a later answer repeats them', () => {
    const step = () => stepMessages({ text: '', calls: [call('a'), call('b')] });
    const messages = withUniqueCalls([...step(), { role: 'user', content: 'again' }, ...step()]);
    const ids = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
    );
    const results = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
    expect(new Set(ids).size).toBe(4);
    expect(ids.slice(2)).toEqual(['a', 'b']);
    expect(results).toEqual(ids);
  });
});
