import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { aiMessage, delta, end, futureEvent, GENERATION_ID, userMessage } from './chat-fixtures';
import { flush, openHarness, started } from './chat-client-harness';
import { applyEvent, emptyEntry, entryFromMessage } from './generation-reducer';
import type { MessagePath } from './message-path';
import { StreamingStore } from './streaming-store';

/** A chat client with one running answer. */
async function openAnswer() {
  const harness = openHarness();
  harness.socket.handlers['generation:start'] = () => started();
  harness.send();
  await flush();
  const entry = () => harness.streaming.current(GENERATION_ID);
  const resumes = () => harness.socket.called('generation:resume').map(({ payload }) => payload.afterSeq);
  return { ...harness, entry, resumes };
}

describe('the reducer', () => {
  const empty = emptyEntry({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });

  it.each(['canvas', 'text', 'constructor'])(
    'counts the seq of an event of type %s and changes nothing else',
    (type) => {
      const applied = applyEvent(empty, futureEvent(1, type));
      expect(applied).toEqual({ outcome: 'applied', entry: { ...empty, lastSeq: 1 } });
    },
  );

  it('counts a future event after a resync without a sequence number', () => {
    const entry = entryFromMessage(aiMessage(2, 1, { content: 'so far' }), GENERATION_ID);
    expect(applyEvent(entry, futureEvent(7))).toMatchObject({ entry: { text: 'so far', reasoning: '', lastSeq: 7 } });
  });

  it('drops a repeated future event and reports a gap before a later one', () => {
    const entry = { ...empty, lastSeq: 3 };
    expect(applyEvent(entry, futureEvent(3))).toEqual({ outcome: 'dropped' });
    expect(applyEvent(entry, futureEvent(5))).toEqual({ outcome: 'gap' });
  });
});

test('the store keeps text and reasoning over a future event', () => {
  const streaming = new StreamingStore((commit) => commit());
  for (const event of [delta(1, 'hm', { type: 'reasoning-delta' }), futureEvent(2), delta(3, 'yes')])
    streaming.receive(event);
  expect(streaming.store.getState().entries[GENERATION_ID]).toMatchObject({ reasoning: 'hm', text: 'yes', lastSeq: 3 });
});

test('live future events neither change the text nor cause a resume', async () => {
  const { socket, entry, resumes } = await openAnswer();
  socket.emit(futureEvent(1), delta(2, 'a'), futureEvent(3), futureEvent(4), delta(5, 'b'));
  expect(entry()).toMatchObject({ text: 'ab', reasoning: '', lastSeq: 5 });
  expect(resumes()).toEqual([]);
});

test('a lost future event is a gap and is resumed once', async () => {
  const { socket, entry, resumes } = await openAnswer();
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [futureEvent(2), delta(3, 'b')] });
  socket.emit(delta(1, 'a'), delta(3, 'b'), futureEvent(4), delta(5, 'c'));
  await flush();
  expect(entry()).toMatchObject({ text: 'abc', lastSeq: 5 });
  expect(resumes()).toEqual([1]);
});

test('a future event after a gap triggers the resume that closes it', async () => {
  const { socket, entry, resumes } = await openAnswer();
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(2, 'b'), futureEvent(3)] });
  socket.emit(delta(1, 'a'), futureEvent(3), delta(4, 'c'));
  await flush();
  expect(entry()).toMatchObject({ text: 'abc', lastSeq: 4 });
  expect(resumes()).toEqual([1]);
});

test('a resume continues after a future event that was the last one received', async () => {
  const { socket, entry, resumes } = await openAnswer();
  socket.emit(delta(1, 'a'), futureEvent(2));
  socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [delta(3, 'b')] });
  socket.connect();
  await flush();
  expect(entry()).toMatchObject({ text: 'ab', lastSeq: 3 });
  expect(resumes()).toEqual([2]);
});

test.each([
  ['live', false],
  ['resumed', true],
])('a future event as the last one before the end is followed by the end (%s)', async (_, isResumed) => {
  const { socket, entry, messages, finished, resumes } = await openAnswer();
  const last = [futureEvent(2), end(3, 'a')];
  socket.emit(delta(1, 'a'));
  if (isResumed) {
    socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: last });
    socket.connect();
    await flush();
  } else {
    socket.emit(...last);
  }
  expect(entry()).toBeUndefined();
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: 'a' });
  expect(finished).toHaveLength(1);
  expect(resumes()).toEqual(isResumed ? [1] : []);
});

test('a future event that arrives during a resync is applied after its seq', async () => {
  const { socket, entry, resumes } = await openAnswer();
  const message = aiMessage(2, 1, { status: 'streaming', content: 'stored' });
  socket.handlers['generation:resume'] = () => ({ outcome: 'resync', message, seq: 8 });
  socket.emit(futureEvent(6), delta(7, 'in the text'), futureEvent(8), futureEvent(9), delta(10, ' and more'));
  await flush();
  expect(entry()).toMatchObject({ text: 'stored and more', lastSeq: 10 });
  expect(resumes()).toEqual([0]);
});

test('the first event of an answer from another tab may be a future one', async () => {
  const { socket, streaming, queryClient } = openHarness();
  const items = [userMessage(1, null), aiMessage(2, 1, { status: 'streaming', content: '' })];
  queryClient.setQueryData<MessagePath>(threadMessagesQuery(1).queryKey, { items, nextCursor: null });
  socket.emit(futureEvent(1), delta(2, 'a'));
  expect(streaming.current(GENERATION_ID)).toMatchObject({ text: 'a', lastSeq: 2 });
  expect(socket.calls).toEqual([]);
});

test('a resync takes the text of a message with unknown parts', async () => {
  const { socket, entry } = await openAnswer();
  const parts = [{ type: 'hologram' }, { type: 'text', text: 'stored' }];
  const message = { ...aiMessage(2, 1, { status: 'streaming', content: 'stored' }), parts };
  socket.handlers['generation:resume'] = () => ({ outcome: 'resync', message, seq: 4, parts });
  socket.emit(delta(5, ' and more'));
  await flush();
  expect(entry()).toMatchObject({ text: 'stored and more', lastSeq: 5 });
});
