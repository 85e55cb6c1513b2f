import { jest } from '@jest/globals';
import { ApiError } from '../../../app/api/api-error';
import { serve } from '../../../app/api/fake-server';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { useThreadActivity } from '../../../app/state/thread-activity';
import { aiMessage, delta, end, GENERATION_ID, userMessage } from './chat-fixtures';
import { flush, openHarness, started } from './chat-client-harness';
import { isWithdrawable } from './is-withdrawable';
import type { MessagePath } from './message-path';

test('a send stays in the outbox until its ack, which creates the thread', async () => {
  const { socket, outbox, send, created, messages } = openHarness();
  socket.handlers['generation:start'] = () => started();
  send();
  expect(outbox.all()).toMatchObject([{ state: 'sending', conversation: 'draft' }]);
  await flush();
  expect(outbox.all()).toEqual([]);
  expect(created).toEqual([['draft', 1]]);
  expect(messages()?.map((message) => message.id)).toEqual([1, 2]);
});

test('the end event writes the message to the cache and removes the running answer', async () => {
  const { socket, streaming, send, messages, finished } = openHarness();
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  socket.emit(delta(1, 'Ha'), delta(2, 'lo'));
  expect(streaming.current(GENERATION_ID)?.text).toBe('Halo');
  socket.emit(end(3, 'Halo'));
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'Halo' });
  expect(finished).toHaveLength(1);
});

test('a refused send keeps its error and is retried with the same id', async () => {
  const { socket, outbox, chatClient, send } = openHarness();
  socket.handlers['generation:start'] = () => {
    throw ApiError.fromBody({ statusCode: 409, code: 'thread_busy', message: 'Busy', retryable: true, requestId: 'r' });
  };
  send();
  await flush();
  const [refused] = outbox.all();
  expect(refused).toMatchObject({ state: 'failed', after: null, error: { code: 'thread_busy', message: 'Busy' } });
  socket.handlers['generation:start'] = () => started();
  chatClient.retry(refused?.clientMessageId ?? '');
  await flush();
  expect(socket.called('generation:start')[1]?.payload.clientMessageId).toBe(refused?.clientMessageId);
  expect(outbox.all()).toEqual([]);
});

test.each(['password_change_required', 'unauthenticated'])(
  'a message that may have been accepted cannot be changed after %s',
  async (code) => {
    const { socket, outbox, chatClient, send } = openHarness();
    socket.handlers['generation:start'] = () => {
      throw ApiError.timeout();
    };
    send();
    await flush();
    const { clientMessageId } = outbox.all()[0]!;
    socket.handlers['generation:start'] = () => {
      throw ApiError.fromBody({ statusCode: 403, code, message: 'Refused', retryable: false, requestId: 'r' } as never);
    };
    chatClient.retry(clientMessageId);
    await flush();
    const [refused] = outbox.all();
    expect(refused).toMatchObject({ state: 'failed', error: { code }, isUnanswered: true });
    expect(isWithdrawable(refused!)).toBe(false);
  },
);

test('the retry of a message that was accepted long ago keeps the messages after it', async () => {
  const path = [userMessage(1, null), aiMessage(2, 1), userMessage(3, 2), aiMessage(4, 3)];
  serve({ '/api/chat/threads/1/messages': path });
  const { socket, outbox, chatClient, queryClient, messages } = openHarness();
  queryClient.setQueryData(threadMessagesQuery(1).queryKey, { items: path, nextCursor: null });
  socket.handlers['generation:start'] = () => {
    throw ApiError.timeout();
  };
  chatClient.send({ conversation: '1', threadId: 1, model: 'openai/gpt-4o-mini', content: { text: 'halo' } });
  await flush();
  socket.handlers['generation:start'] = () => started({ duplicate: true, aiMessage: aiMessage(2, 1) });
  chatClient.retry(outbox.all()[0]?.clientMessageId ?? '');
  await flush();
  expect(outbox.all()).toEqual([]);
  expect(messages()?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

test('a sequence gap triggers a resume after the last applied event', async () => {
  const { socket, streaming, send } = openHarness();
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(2, 'b'), delta(3, 'c')] });
  socket.emit(delta(1, 'a'), delta(3, 'c'), delta(4, 'd'));
  await flush();
  expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 1 } }]);
  expect(streaming.current(GENERATION_ID)?.text).toBe('abcd');
});

test('a new connection resumes every running answer', async () => {
  const { socket, streaming, send } = openHarness();
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  socket.emit(delta(1, 'a'));
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(2, 'b'), end(3, 'ab')] });
  socket.connect();
  await flush();
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
});

test('a silent answer is resumed and receives its lost end', async () => {
  jest.useFakeTimers();
  try {
    const { socket, streaming, send, messages } = openHarness();
    socket.handlers['generation:start'] = () => started();
    socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [end(2, 'Halo')] });
    send();
    await jest.advanceTimersByTimeAsync(10);
    socket.emit(delta(1, 'Halo'));
    expect(socket.called('generation:resume')).toEqual([]);
    await jest.advanceTimersByTimeAsync(25_000);
    expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 1 } }]);
    expect(streaming.current(GENERATION_ID)).toBeUndefined();
    expect(messages()?.[1]).toMatchObject({ status: 'complete' });
  } finally {
    jest.useRealTimers();
  }
});

test('a gap that a resume does not close is asked for again once, not once for each later event', async () => {
  jest.useFakeTimers();
  try {
    const { socket, send } = openHarness();
    socket.handlers['generation:start'] = () => started();
    socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [] });
    send();
    await jest.advanceTimersByTimeAsync(10);
    for (let seq = 3; seq < 30; seq += 1) {
      socket.emit(delta(seq, 'x'));
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(2_500);
    expect(socket.called('generation:resume')).toHaveLength(2);
    socket.emit(end(30, 'Halo'));
    await jest.advanceTimersByTimeAsync(20_000);
    expect(socket.called('generation:resume')).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});

test('a resync takes over the stored message', async () => {
  const { socket, streaming, send, messages } = openHarness();
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  const stored = aiMessage(2, 1, { status: 'interrupted', content: 'so far' });
  socket.handlers['generation:resume'] = () => ({ outcome: 'resync', message: stored });
  socket.emit(delta(5, 'late'));
  await flush();
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
  expect(messages()?.[1]).toEqual(stored);
});

test('an answer that was running when the page loaded is resumed from its first event', async () => {
  const { socket, streaming, chatClient } = openHarness();
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(1, 'a'), delta(2, 'b')] });
  chatClient.attach([userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: '' })]);
  socket.emit(delta(3, 'c'));
  await flush();
  expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 0 } }]);
  expect(streaming.current(GENERATION_ID)?.text).toBe('abc');
});

test('an answer that waits for approval when the page loaded is shown with its calls, and goes on', async () => {
  const { socket, streaming, chatClient } = openHarness();
  const call = { type: 'tool', callId: 'a', tool: 'search', title: 'Search', args: {}, state: 'waiting' } as const;
  const waiting = aiMessage(2, 1, { status: 'waiting', content: 'a', parts: [{ type: 'text', text: 'a' }, call] });
  socket.handlers['generation:resume'] = () => ({ outcome: 'resync', message: waiting, seq: 2 });
  chatClient.attach([userMessage(1, null), waiting]);
  await flush();
  expect(streaming.current(GENERATION_ID)).toMatchObject({ lastSeq: 2, parts: waiting.parts });
  socket.emit(delta(3, 'b'));
  expect(streaming.current(GENERATION_ID)).toMatchObject({ lastSeq: 3, text: 'ab' });
});

test('an answer that another tab requested is received if its thread is loaded', async () => {
  const { socket, streaming, queryClient } = openHarness();
  const items = [userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: '' })];
  queryClient.setQueryData<MessagePath>(threadMessagesQuery(1).queryKey, { items, nextCursor: null });
  socket.emit(delta(1, 'a'), delta(2, 'b'));
  expect(streaming.current(GENERATION_ID)?.text).toBe('ab');
  expect(socket.calls).toEqual([]);
});

test('a late event does not open a finished answer again', async () => {
  const { socket, streaming, queryClient } = openHarness();
  const items = [userMessage(1, null), aiMessage(2, 1)];
  queryClient.setQueryData<MessagePath>(threadMessagesQuery(1).queryKey, { items, nextCursor: null });
  socket.emit(delta(7, 'late'));
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
});

test('the text of a finished answer stays until its message is rendered', async () => {
  const { socket, streaming, send } = openHarness();
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  socket.emit(delta(1, 'Halo'), end(2, 'Halo'));
  expect(streaming.store.getState().entries[GENERATION_ID]?.text).toBe('Halo');
  await flush();
  expect(streaming.store.getState().entries).toEqual({});
});

test('an answer that ended before its ack is resumed', async () => {
  const { socket, messages, send } = openHarness();
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(1, 'Halo'), end(2, 'Halo')] });
  socket.handlers['generation:start'] = () => {
    socket.emit(delta(1, 'Halo'), end(2, 'Halo'));
    return started();
  };
  send();
  await flush();
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'Halo' });
});

test('an answer that an outdated read shows as running is finished by a resume', async () => {
  const { socket, chatClient, send, finished, messages } = openHarness();
  socket.handlers['generation:start'] = () => started();
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(1, 'Halo'), end(2, 'Halo')] });
  send();
  await flush();
  socket.emit(delta(1, 'Halo'), end(2, 'Halo'));
  finished.length = 0;
  chatClient.attach([userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: 'Ha' })]);
  await flush();
  expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 0 } }]);
  expect(finished).toHaveLength(1);
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'Halo' });
});

test('a new connection keeps the streaming marks of known answers only', async () => {
  const { socket, send } = openHarness();
  const marked = () => [...useThreadActivity.getState().streaming];
  socket.handlers['generation:start'] = () => started();
  send();
  await flush();
  socket.emit(delta(1, 'a', { generationId: 'another', threadId: 9, messageId: 90 }));
  expect(marked()).toEqual([1, 9]);
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [] });
  socket.connect();
  await flush();
  expect(marked()).toEqual([1]);
});

test('a send that was accepted is not sent again, even if the page fails to store it', async () => {
  const { socket, queryClient, chatClient, send } = openHarness();
  socket.handlers['generation:start'] = () => started();
  jest.spyOn(queryClient, 'setQueryData').mockImplementation(() => {
    throw new TypeError('A fault of the page.');
  });
  const deliver = jest.spyOn(chatClient as unknown as { deliver: () => Promise<void> }, 'deliver');
  send();
  await expect(deliver.mock.results[0]?.value).rejects.toThrow('A fault of the page.');
  expect(socket.called('generation:start')).toHaveLength(1);
});
