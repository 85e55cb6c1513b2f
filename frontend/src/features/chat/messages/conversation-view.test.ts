import { aiMessage, userMessage } from '../client/chat-fixtures';
import { firstWords, toItems } from './conversation-view';
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

test('a sent message and the thinking answer show at once at the end', () => {
  expect(keys(toItems(messages, [pending(start())]))).toEqual([
    'message-1',
    'message-2',
    'message-3',
    'message-4',
    'sent-c',
    'thinking-c',
  ]);
});

test('an edited message shows at the place of the old one', () => {
  expect(keys(toItems(messages, [pending(start(3))]))).toEqual(['message-1', 'message-2', 'sent-c', 'thinking-c']);
});

test('a regenerated answer gives way to the thinking one', () => {
  const request: PendingRequest = {
    event: 'generation:regenerate',
    payload: { clientMessageId: 'c', messageId: 4 },
  };
  expect(keys(toItems(messages, [pending(request)]))).toEqual(['message-1', 'message-2', 'message-3', 'thinking-c']);
});

test('a refused message stays without a thinking answer', () => {
  const error = { code: 'thread_busy' as const, message: 'Busy' };
  expect(keys(toItems(messages, [pending(start(), { state: 'failed', error })])).at(-1)).toBe('sent-c');
});

test('an acknowledged message shows once, before and after its messages are there', () => {
  const send = pending(start(), { ackedAs: 6 });
  expect(keys(toItems(messages, [send])).slice(-2)).toEqual(['sent-c', 'thinking-c']);
  const after = toItems([...messages, userMessage(5, 4), aiMessage(6, 5)], [send]);
  expect(keys(after).slice(-2)).toEqual(['message-5', 'message-6']);
});

describe('the words that a conversation begins with', () => {
  it.each([
    ['before they are acknowledged', toItems([], [pending(start())]), 'new'],
    [
      'while their answer is written',
      toItems([userMessage(1, null), aiMessage(2, 1, { status: 'streaming' })], []),
      'question 1',
    ],
  ])('are known %s', (_, items, words) => {
    expect(firstWords(items)).toBe(words);
  });

  it.each([
    ['once they are answered', toItems(messages.slice(0, 2), [])],
    ['later in it', toItems(messages.slice(0, 2), [pending(start())])],
    ['where they were refused', toItems([], [pending(start(), { state: 'failed', error: null })])],
  ])('are of no matter %s', (_, items) => {
    expect(firstWords(items)).toBeNull();
  });
});
