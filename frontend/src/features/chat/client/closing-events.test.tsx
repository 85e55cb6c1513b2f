import type { GenerationEvent, Message } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { quotaQuery } from '../../../app/queries/user.query';
import { flush, openHarness, started } from './chat-client-harness';
import { aiMessage, delta, end, GENERATION_ID, userMessage } from './chat-fixtures';
import { applyEvent, emptyEntry } from './generation-reducer';
import type { MessagePath } from './message-path';

/** The closing event of an answer that a reaper has finalized. */
function interruption(seq: number, content: string): GenerationEvent {
  const message = aiMessage(2, 1, { content, status: 'interrupted' });
  const error = { code: 'interrupted', message: 'Interrupted' };
  return { ...delta(seq, ''), type: 'error', error, message } as GenerationEvent;
}

const CLOSINGS: [string, (seq: number, content: string) => GenerationEvent, Message['status']][] = [
  ['end', end, 'complete'],
  ['error', interruption, 'interrupted'],
];
const RECEIVED = [delta(1, 'a'), delta(2, 'b'), delta(3, 'c'), delta(4, 'd')];
const SEQS: [string, number][] = [
  ['far below', 1],
  ['below', 3],
  ['equal to', 4],
  ['right above', 5],
  ['far above', 90],
];
const CASES = CLOSINGS.flatMap(([type, close, status]) =>
  SEQS.map(([position, seq]) => ({ type, position, seq, event: close(seq, 'stored text'), status })),
);

/** A chat client with one running answer of four events. */
async function openAnswer() {
  const harness = openHarness();
  harness.socket.handlers['generation:start'] = () => started();
  harness.send();
  await flush();
  harness.socket.emit(...RECEIVED);
  const resumes = () => harness.socket.called('generation:resume');
  return { ...harness, resumes };
}

describe('the reducer', () => {
  test.each(CASES)('applies $type with a seq $position the last one', ({ event, status }) => {
    const empty = emptyEntry({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });
    const applied = applyEvent({ ...empty, lastSeq: 4, text: 'abcd' }, event);
    expect(applied).toMatchObject({ outcome: 'finished', message: { content: 'stored text', status } });
  });
});

describe('the stream subscriber', () => {
  test.each(CASES)('closes the answer by $type with a seq $position the last one', async ({ event, status }) => {
    const { socket, streaming, messages, finished, resumes } = await openAnswer();
    socket.emit(event);
    expect(streaming.current(GENERATION_ID)).toBeUndefined();
    expect(messages()?.[1]).toMatchObject({ content: 'stored text', status });
    expect(finished).toHaveLength(1);
    await flush();
    expect(resumes()).toEqual([]);
    expect(streaming.store.getState().entries).toEqual({});
  });

  test.each(CASES)('ignores duplicates of $type with a seq $position the last one', async ({ event }) => {
    const { socket, streaming, messages, finished, resumes } = await openAnswer();
    socket.emit(event);
    await flush();
    const path = messages();
    socket.emit(event, { ...event, seq: event.seq + 1 }, end(5, 'another text'), delta(5, 'late'));
    await flush();
    expect(messages()).toBe(path);
    expect(streaming.all()).toEqual([]);
    expect(finished).toHaveLength(1);
    expect(resumes()).toEqual([]);
  });

  test('applies a closing event of a resume whose seq was received before', async () => {
    const { socket, messages, finished } = await openAnswer();
    socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [interruption(3, 'stored text')] });
    socket.connect();
    await flush();
    expect(messages()?.[1]).toMatchObject({ content: 'stored text', status: 'interrupted' });
    expect(finished).toHaveLength(1);
  });

  test('leaves the quota as it is by a resume, whose end may carry an old one', async () => {
    const { socket, queryClient, finished } = await openAnswer();
    const current = { used: 2, max: 3, remaining: 1, resetsAt: null };
    queryClient.setQueryData(quotaQuery.queryKey, current);
    socket.handlers['generation:resume'] = () => ({ outcome: 'resumed', events: [end(5, 'stored text')] });
    socket.connect();
    await flush();
    expect(finished).toHaveLength(1);
    expect(queryClient.getQueryData(quotaQuery.queryKey)).toEqual(current);
  });

  test('applies a live closing event during a resume that fails', async () => {
    const { socket, streaming, messages, finished, resumes } = await openAnswer();
    let fail: (error: Error) => void = () => undefined;
    socket.handlers['generation:resume'] = () => new Promise((_, reject) => (fail = reject));
    socket.emit(delta(8, 'after a gap'), interruption(4, 'stored text'));
    expect(messages()?.[1]).toMatchObject({ content: 'stored text', status: 'interrupted' });
    await flush();
    fail(new Error('timeout'));
    await flush();
    expect(streaming.all()).toEqual([]);
    expect(finished).toHaveLength(1);
    expect(resumes()).toHaveLength(1);
  });

  test('a resume that ends after the closing event changes nothing', async () => {
    const { socket, streaming, messages, finished } = await openAnswer();
    let answer: (events: unknown) => void = () => undefined;
    socket.handlers['generation:resume'] = () => new Promise((resolve) => (answer = resolve));
    socket.emit(delta(8, 'after a gap'), interruption(4, 'stored text'));
    await flush();
    answer({ outcome: 'resumed', events: [delta(5, 'late'), interruption(4, 'stored text')] });
    await flush();
    expect(streaming.all()).toEqual([]);
    expect(messages()?.[1]).toMatchObject({ content: 'stored text' });
    expect(finished).toHaveLength(1);
  });

  test('reports the end of an answer in a thread that is not loaded once', () => {
    const { socket, finished } = openHarness();
    socket.emit(delta(1, 'a'), end(1, 'a'), end(1, 'a'), end(2, 'a'));
    expect(finished).toHaveLength(1);
  });

  test('reports the end of an answer whose message is not loaded once', async () => {
    const { socket, queryClient, streaming, finished } = openHarness();
    serve({ '/api/chat/threads/1/messages': [userMessage(1, null), aiMessage(2, 1)] });
    const items = [userMessage(1, null)];
    queryClient.setQueryData<MessagePath>(threadMessagesQuery(1).queryKey, { items, nextCursor: null });
    socket.emit(end(1, 'a'), end(1, 'a'), delta(2, 'late'));
    await flush();
    expect(finished).toHaveLength(1);
    expect(streaming.all()).toEqual([]);
  });
});
