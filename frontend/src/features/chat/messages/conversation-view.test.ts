import { aiMessage, userMessage } from '../client/chat-fixtures';
import { firstMessageText, toItems } from './conversation-view';
import type { PendingSend, PendingRequest } from '../client/outbox-store';

const messages = [userMessage(1, null), aiMessage(2, 1), userMessage(3, 2), aiMessage(4, 3)];

const pending = (request: PendingRequest, change: Partial<PendingSend> = {}): PendingSend => ({
  owner: 'user:1',
  clientMessageId: 'c',
  conversation: '1',
  request,
  createdAt: '2026-01-01T00:00:00.000Z',
  state: 'sending',
  error: null,
  ...change,
});

const start = (editOf?: number): PendingRequest => ({
  event: 'generation:start',
  payload: { clientMessageId: 'c', threadId: 1, model: 'm', content: { text: 'new' }, editOf },
});

const keys = (items: ReturnType<typeof toItems>) => items.map((item) => item.key);

test('a pending send adds its message and a placeholder of the answer', () => {
  expect(keys(toItems(messages, [pending(start())]))).toEqual([
    'message-1',
    'message-2',
    'message-3',
    'message-4',
    'sent-c',
    'thinking-c',
  ]);
});

test('an edited message replaces the old one', () => {
  expect(keys(toItems(messages, [pending(start(3))]))).toEqual(['message-1', 'message-2', 'sent-c', 'thinking-c']);
});

const regenerate = (messageId: number): PendingRequest => ({
  event: 'generation:regenerate',
  payload: { clientMessageId: 'c', messageId },
});

test('a regeneration replaces the answer by the placeholder', () => {
  const items = toItems(messages, [pending(regenerate(4))]);
  expect(keys(items)).toEqual(['message-1', 'message-2', 'message-3', 'thinking-c']);
});

describe('a refused send', () => {
  const refused = { state: 'failed', error: { code: 'thread_busy', message: 'Busy' } } as const;

  it('has no placeholder of an answer', () => {
    expect(keys(toItems(messages, [pending(start(), refused)])).at(-1)).toBe('sent-c');
  });

  it.each([
    ['a regeneration', regenerate(2), ['message-1', 'message-2', 'thinking-c', 'message-3', 'message-4']],
    ['an edit', start(1), ['message-1', 'sent-c', 'message-2', 'message-3', 'message-4']],
    ['an edit of a message of another version', start(9), [...keys(toItems(messages, [])), 'sent-c']],
  ])('that is %s hides none of the messages', (_, request, expected) => {
    expect(keys(toItems(messages, [pending(request, refused)]))).toEqual(expected);
  });

  it('that is ignored stays where it was written', () => {
    const first = pending(start(), { ...refused, after: null });
    const second = pending(start(), { ...refused, after: null, clientMessageId: 'd' });
    const third = pending(start(), { ...refused, after: 2, clientMessageId: 'e' });
    expect(keys(toItems(messages, [first, second, third]))).toEqual([
      'sent-c',
      'sent-d',
      'message-1',
      'message-2',
      'sent-e',
      'message-3',
      'message-4',
    ]);
    const ofAnotherVersion = pending(start(), { ...refused, after: 9 });
    expect(keys(toItems(messages, [ofAnotherVersion])).at(-1)).toBe('sent-c');
  });

  it.each([regenerate(4), start(3)])('that is ignored hides no later message', (request) => {
    const later = pending(start(), { clientMessageId: 'd' });
    expect(keys(toItems(messages, [pending(request, refused), later])).slice(-2)).toEqual(['sent-d', 'thinking-d']);
    const answered = [...messages, userMessage(5, 4), aiMessage(6, 5)];
    const shown = toItems(answered, [pending(request, refused)]).filter(({ kind }) => kind === 'message');
    expect(shown).toHaveLength(answered.length);
  });
});

test('an acknowledged message is shown once, before and after its messages are loaded', () => {
  const send = pending(start(), { ackedAs: 6 });
  expect(keys(toItems(messages, [send])).slice(-2)).toEqual(['sent-c', 'thinking-c']);
  const after = toItems([...messages, userMessage(5, 4), aiMessage(6, 5)], [send]);
  expect(keys(after).slice(-2)).toEqual(['message-5', 'message-6']);
});

describe('the text of the first message', () => {
  it.each([
    ['before the ack', toItems([], [pending(start())]), 'new'],
    [
      'while its answer is running',
      toItems([userMessage(1, null), aiMessage(2, 1, { status: 'streaming' })], []),
      'question 1',
    ],
  ])('is returned %s', (_, items, text) => {
    expect(firstMessageText(items)).toBe(text);
  });

  it.each([
    ['once it is answered', toItems(messages.slice(0, 2), [])],
    ['after the first turn', toItems(messages.slice(0, 2), [pending(start())])],
    ['if it was refused', toItems([], [pending(start(), { state: 'failed', error: null })])],
  ])('is null %s', (_, items) => {
    expect(firstMessageText(items)).toBeNull();
  });
});
