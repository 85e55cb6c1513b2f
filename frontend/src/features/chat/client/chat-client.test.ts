import { jest } from '@jest/globals';
import { ApiError } from '../../../app/api/api-error';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { aiMessage, delta, end, GENERATION_ID, userMessage } from './chat-fixtures';
import { settled, setUp, started } from './chat-client-fixtures';
import type { MessagePath } from './message-path';

test('a send waits in the outbox until it is acknowledged, then its thread is open', async () => {
  const { socket, outbox, send, opened, messages } = setUp();
  socket.answers['generation:start'] = () => started();
  send();
  expect(outbox.all()).toMatchObject([{ state: 'sending', conversation: 'draft' }]);
  await settled();
  expect(outbox.all()).toEqual([]);
  expect(opened).toEqual([['draft', 1]]);
  expect(messages()?.map((message) => message.id)).toEqual([1, 2]);
});

test('the end is one write to the cache and takes the answer off the stream', async () => {
  const { socket, streaming, send, messages, answered } = setUp();
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  socket.emit(delta(1, 'Ha'), delta(2, 'lo'));
  expect(streaming.current(GENERATION_ID)?.text).toBe('Halo');
  socket.emit(end(3, 'Halo'));
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'Halo' });
  expect(answered).toHaveLength(1);
});

test('a refused send stays with its reason and can be tried again with the same id', async () => {
  const { socket, outbox, session, send } = setUp();
  socket.answers['generation:start'] = () => {
    throw ApiError.fromBody({ statusCode: 409, code: 'thread_busy', message: 'Busy', retryable: true, requestId: 'r' });
  };
  send();
  await settled();
  const [refused] = outbox.all();
  expect(refused).toMatchObject({ state: 'failed', error: { code: 'thread_busy', message: 'Busy' } });
  socket.answers['generation:start'] = () => started();
  session.retry(refused?.clientMessageId ?? '');
  await settled();
  expect(socket.called('generation:start')[1]?.payload.clientMessageId).toBe(refused?.clientMessageId);
  expect(outbox.all()).toEqual([]);
});

test('a gap is filled by asking for what came after the last event', async () => {
  const { socket, streaming, send } = setUp();
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  socket.answers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(2, 'b'), delta(3, 'c')] });
  socket.emit(delta(1, 'a'), delta(3, 'c'), delta(4, 'd'));
  await settled();
  expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 1 } }]);
  expect(streaming.current(GENERATION_ID)?.text).toBe('abcd');
});

test('a new connection asks for the rest of every answer', async () => {
  const { socket, streaming, send } = setUp();
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  socket.emit(delta(1, 'a'));
  socket.answers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(2, 'b'), end(3, 'ab')] });
  socket.connect();
  await settled();
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
});

test('an answer whose end got lost on the way is asked after once it is silent', async () => {
  jest.useFakeTimers();
  try {
    const { socket, streaming, send, messages } = setUp();
    socket.answers['generation:start'] = () => started();
    socket.answers['generation:resume'] = () => ({ outcome: 'resumed', events: [end(2, 'Halo')] });
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

test('a resync takes the message as it is', async () => {
  const { socket, streaming, send, messages } = setUp();
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  const stored = aiMessage(2, 1, { status: 'interrupted', content: 'so far' });
  socket.answers['generation:resume'] = () => ({ outcome: 'resync', message: stored });
  socket.emit(delta(5, 'late'));
  await settled();
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
  expect(messages()?.[1]).toEqual(stored);
});

test('an answer that was streaming when the page was loaded is taken up from its beginning', async () => {
  const { socket, streaming, session } = setUp();
  socket.answers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(1, 'a'), delta(2, 'b')] });
  session.attach([userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: '' })]);
  socket.emit(delta(3, 'c'));
  await settled();
  expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 0 } }]);
  expect(streaming.current(GENERATION_ID)?.text).toBe('abc');
});

test('an answer that another tab asked for is followed where its thread is shown', async () => {
  const { socket, streaming, client } = setUp();
  const items = [userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: '' })];
  client.setQueryData<MessagePath>(threadMessagesQuery(1).queryKey, { items, nextCursor: null });
  socket.emit(delta(1, 'a'), delta(2, 'b'));
  expect(streaming.current(GENERATION_ID)?.text).toBe('ab');
  expect(socket.calls).toEqual([]);
});

test('an echo from before the end does not open the answer again', async () => {
  const { socket, streaming, client } = setUp();
  const items = [userMessage(1, null), aiMessage(2, 1)];
  client.setQueryData<MessagePath>(threadMessagesQuery(1).queryKey, { items, nextCursor: null });
  socket.emit(delta(7, 'echo'));
  expect(streaming.current(GENERATION_ID)).toBeUndefined();
});

test('the text of an ended answer stays until its message is shown', async () => {
  const { socket, streaming, send } = setUp();
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  socket.emit(delta(1, 'Halo'), end(2, 'Halo'));
  expect(streaming.store.getState().entries[GENERATION_ID]?.text).toBe('Halo');
  await settled();
  expect(streaming.store.getState().entries).toEqual({});
});

test('an answer that ended before its ack came is asked for', async () => {
  const { socket, messages, send } = setUp();
  socket.answers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(1, 'Halo'), end(2, 'Halo')] });
  socket.answers['generation:start'] = () => {
    socket.emit(delta(1, 'Halo'), end(2, 'Halo'));
    return started();
  };
  send();
  await settled();
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'Halo' });
});

test('an answer that a stale read shows as running again ends all the same', async () => {
  const { socket, session, send, answered, messages } = setUp();
  socket.answers['generation:start'] = () => started();
  socket.answers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(1, 'Halo'), end(2, 'Halo')] });
  send();
  await settled();
  socket.emit(delta(1, 'Halo'), end(2, 'Halo'));
  answered.length = 0;
  session.attach([userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: 'Ha' })]);
  await settled();
  expect(socket.called('generation:resume')).toMatchObject([{ payload: { afterSeq: 0 } }]);
  expect(answered).toHaveLength(1);
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'Halo' });
});
