import { jest } from '@jest/globals';
import type { ErrorBody, GenerationEvent } from '@tanya/contract';
import { ApiError } from '../../../app/api/api-error';
import { aiMessage, delta, end, userMessage } from './chat-fixtures';
import { flush, openHarness, started } from './chat-client-harness';
import { isWithdrawable } from './is-withdrawable';
import { trackChange } from './thread-changes';

/** A chat client whose thread 1 has a running answer. */
async function openAnswering() {
  const page = openHarness();
  page.socket.handlers['generation:start'] = () => started();
  page.send();
  await flush();
  page.socket.emit(delta(1, 'Once'));
  const say = (text: string, editOf?: number) =>
    page.chatClient.send({ conversation: '1', threadId: 1, model: 'm', content: { text }, editOf });
  const sent = () =>
    page.socket.called('generation:start').map(({ payload }) => (payload.content as { text: string }).text);
  return { ...page, say, sent };
}

/** The ack of a message that begins another answer in thread 1. */
const next = (generationId: string) =>
  started({
    generationId,
    userMessage: userMessage(3, 2),
    aiMessage: aiMessage(4, 3, { status: 'streaming', content: '', generationId }),
  });

test('messages that are sent during an answer go out after it, one after each answer', async () => {
  const { socket, outbox, say, sent } = await openAnswering();
  say('second');
  say('third');
  await flush();
  expect(sent()).toEqual(['halo']);
  expect(outbox.all()).toMatchObject([{ state: 'queued' }, { state: 'queued' }]);
  expect(outbox.all().every(isWithdrawable)).toBe(true);
  socket.handlers['generation:start'] = () => next('g2');
  socket.emit(end(2, 'Once'));
  await flush();
  expect(sent()).toEqual(['halo', 'second']);
  expect(outbox.all()).toMatchObject([{ state: 'queued' }]);
  socket.handlers['generation:start'] = () => next('g3');
  socket.emit({ ...end(1, 'Two'), generationId: 'g2', messageId: 4, message: aiMessage(4, 3) } as GenerationEvent);
  await flush();
  expect(sent()).toEqual(['halo', 'second', 'third']);
  expect(outbox.all()).toEqual([]);
});

test('a message that is refused after the end of the answer keeps its place below those before it', async () => {
  const { socket, outbox, say } = await openAnswering();
  say('second');
  say('third');
  socket.handlers['generation:start'] = () => next('g2');
  socket.emit(end(2, 'Once'));
  await flush();
  expect(outbox.all()).toMatchObject([{ after: 2 }]);
  socket.handlers['generation:start'] = () => {
    throw ApiError.fromBody({ statusCode: 402, code: 'quota_exceeded', message: 'No' } as ErrorBody);
  };
  socket.emit({ ...end(1, 'Two'), generationId: 'g2', messageId: 4, message: aiMessage(4, 3) } as GenerationEvent);
  await flush();
  expect(outbox.all()).toMatchObject([{ state: 'failed', after: 4 }]);
});

test('a message that is cancelled before the end of the answer is not sent', async () => {
  const { socket, outbox, chatClient, say, sent } = await openAnswering();
  say('second');
  chatClient.discard(outbox.all()[0]!.clientMessageId);
  socket.emit(end(2, 'Once'));
  await flush();
  expect(sent()).toEqual(['halo']);
});

test('of several messages that wait at a new connection the first goes out alone', async () => {
  const earlier = await openAnswering();
  earlier.say('second');
  earlier.say('third');
  const page = openHarness();
  for (const send of earlier.outbox.all()) page.outbox.add(send);
  page.socket.handlers['generation:start'] = () => next('g2');
  page.socket.connect();
  await flush();
  expect(page.socket.called('generation:start')).toMatchObject([{ payload: { content: { text: 'second' } } }]);
  expect(page.outbox.all()).toMatchObject([{ state: 'queued' }]);
});

test('a message goes out after one whose answer had ended before its ack', async () => {
  const earlier = await openAnswering();
  earlier.say('second');
  earlier.say('third');
  const { socket, outbox } = openHarness();
  for (const send of earlier.outbox.all()) outbox.add(send);
  const ended = started({ userMessage: userMessage(3, 2), aiMessage: aiMessage(4, 3), duplicate: true });
  socket.handlers['generation:start'] = () => (socket.calls.length === 1 ? ended : next('g2'));
  socket.connect();
  await flush();
  expect(socket.called('generation:start')).toMatchObject([
    { payload: { content: { text: 'second' } } },
    { payload: { content: { text: 'third' } } },
  ]);
  expect(outbox.all()).toEqual([]);
});

test.each([
  ['that is refused', 'second', 'quota_exceeded'],
  ['that is too large', 'x'.repeat(400_000), 'too_large'],
])('a message goes out after one %s', async (_, text, code) => {
  const earlier = await openAnswering();
  earlier.say(text);
  earlier.say('third');
  const { socket, outbox } = openHarness();
  for (const send of earlier.outbox.all()) outbox.add(send);
  socket.handlers['generation:start'] = (payload: { content: { text: string } }) => {
    if (payload.content.text === 'third') return next('g2');
    throw ApiError.fromBody({ statusCode: 402, code, message: 'No', retryable: false, requestId: 'r' } as ErrorBody);
  };
  socket.connect();
  await flush();
  expect(socket.called('generation:start').at(-1)).toMatchObject({ payload: { content: { text: 'third' } } });
  expect(outbox.all()).toMatchObject([{ state: 'failed', error: { code } }]);
});

test('a message goes out after one that is cancelled before its request', async () => {
  const { socket, outbox, chatClient } = openHarness();
  socket.handlers['generation:start'] = () => started();
  let endChange: () => void = () => undefined;
  void trackChange(1, new Promise<void>((resolve) => (endChange = resolve)));
  chatClient.send({ conversation: '1', threadId: 1, model: 'm', content: { text: 'first' } });
  const [first] = outbox.all();
  outbox.add({ ...first!, clientMessageId: 'second', state: 'queued' });
  chatClient.discard(first!.clientMessageId);
  endChange();
  await flush();
  expect(socket.called('generation:start')).toMatchObject([{ payload: first!.request.payload }]);
});

test('an edit and a message of another thread do not wait', async () => {
  const { chatClient, say, sent } = await openAnswering();
  say('edited', 1);
  chatClient.send({ conversation: '7', threadId: 7, model: 'm', content: { text: 'elsewhere' } });
  await flush();
  expect(sent()).toEqual(['halo', 'edited', 'elsewhere']);
});

test('a message goes out after an answer that ended while the page had no connection', async () => {
  const { socket, outbox, say, sent } = await openAnswering();
  say('second');
  socket.connected = false;
  socket.handlers['generation:resume'] = () => ({ outcome: 'resync', message: aiMessage(2, 1), seq: 9 });
  socket.connect();
  await flush();
  expect(sent()).toEqual(['halo', 'second']);
  expect(outbox.all()).toEqual([]);
});

function refuseBusy(): never {
  const body = { statusCode: 409, code: 'thread_busy', message: 'Busy', retryable: true, requestId: 'r' };
  throw ApiError.fromBody(body as ErrorBody);
}

test('a message that waits after a reload asks for its turn less and less often', async () => {
  const earlier = await openAnswering();
  earlier.say('second');
  jest.useFakeTimers();
  const { socket, outbox } = openHarness();
  for (const send of earlier.outbox.all()) outbox.add(send);
  socket.handlers['generation:start'] = refuseBusy;
  socket.connect();
  await jest.advanceTimersByTimeAsync(600_000);
  jest.useRealTimers();
  // After 2, 4, 8, 16 and 32 seconds, then each minute.
  const { length } = socket.called('generation:start');
  expect(length).toBeGreaterThan(10);
  expect(length).toBeLessThan(20);
});

test('after a reload a message that waits is sent again once the answer has ended', async () => {
  const earlier = await openAnswering();
  earlier.say('second');
  const queued = earlier.outbox.all();
  const { socket, outbox } = openHarness();
  for (const send of queued) outbox.add(send);
  socket.handlers['generation:start'] = refuseBusy;
  socket.connect();
  await flush();
  expect(outbox.all()).toMatchObject([{ state: 'queued' }]);
  socket.handlers['generation:start'] = () => next('g2');
  socket.emit(end(5, 'Once'));
  await flush();
  expect(socket.called('generation:start')).toHaveLength(2);
});
