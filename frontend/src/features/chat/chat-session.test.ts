import { jest } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import type { GenerationEvent, GenerationStarted, Message } from '@tanya/contract';
import { ApiError } from '../../app/api-error';
import { threadMessagesQuery } from '../../app/queries/threads.query';
import { aiMessage, delta, end, GENERATION_ID, quota, userMessage } from './chat-fixtures';
import type { ChatOwner, ChatSocket } from './chat-ports';
import { ChatSession } from './chat-session';
import type { MessagePath } from './message-path';
import { createOutbox, type PendingSend } from './outbox-store';
import { StreamingStore } from './streaming-store';
import { ThreadCache } from './thread-cache';

type Answer = (payload: never) => unknown;

/** A socket whose server is the test. */
class FakeSocket implements ChatSocket {
  connected = true;
  readonly calls: { event: string; payload: Record<string, unknown> }[] = [];
  readonly answers: Record<string, Answer> = {};
  private readonly eventListeners: ((event: GenerationEvent) => void)[] = [];
  private readonly connectListeners: (() => void)[] = [];

  request: ChatSocket['request'] = (event, payload) => {
    this.calls.push({ event, payload: { ...payload } });
    const answer = this.answers[event];
    return Promise.resolve().then(() => answer?.(payload as never) as never);
  };
  onGenerationEvent = (listener: (event: GenerationEvent) => void) => {
    this.eventListeners.push(listener);
    return () => undefined;
  };
  onConnected = (listener: () => void) => {
    this.connectListeners.push(listener);
    return () => undefined;
  };
  isConnected = () => this.connected;

  emit(...events: GenerationEvent[]) {
    for (const event of events) this.eventListeners.forEach((listener) => listener(event));
  }
  connect() {
    this.connected = true;
    this.connectListeners.forEach((listener) => listener());
  }
  called(event: string) {
    return this.calls.filter((call) => call.event === event);
  }
}

/** Whom the page shows, as the test says. */
class FakeOwner implements ChatOwner {
  private readonly listeners: ((before: string | null) => void)[] = [];

  constructor(private owner: string | null = 'guest') {}

  asked = 0;
  current = () => this.owner;
  ask = () => void (this.asked += 1);
  onChanged = (listener: (before: string | null) => void) => {
    this.listeners.push(listener);
    return () => undefined;
  };
  become(now: string | null) {
    const before = this.owner;
    this.owner = now;
    this.listeners.forEach((listener) => listener(before));
  }
}

/** Long enough for an ack and for the screen to be told of it. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

const started = (change: Partial<GenerationStarted> = {}): GenerationStarted => ({
  threadId: 1,
  generationId: GENERATION_ID,
  userMessage: userMessage(1, null),
  aiMessage: aiMessage(2, 1, { status: 'streaming', content: '' }),
  quota,
  ...change,
});

function setUp() {
  sessionStorage.clear();
  const socket = new FakeSocket();
  const owner = new FakeOwner();
  const client = new QueryClient();
  const streaming = new StreamingStore((commit) => commit());
  const outbox = createOutbox();
  const opened: [string, number][] = [];
  const answered: Message[] = [];
  const session = new ChatSession(socket, owner, new ThreadCache(client), streaming, outbox, {
    answering: () => undefined,
    answered: (message) => answered.push(message),
    threadOpened: (conversation, threadId) => opened.push([conversation, threadId]),
  });
  session.start();
  const messages = () => client.getQueryData<MessagePath>(threadMessagesQuery(1).queryKey)?.items;
  const send = () =>
    session.send({ conversation: 'draft', threadId: null, model: 'openai/gpt-4o-mini', content: { text: 'halo' } });
  return { socket, owner, client, streaming, outbox, session, opened, answered, messages, send };
}

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

test('a send without a connection goes out with the same id once there is one', async () => {
  const { socket, outbox, send } = setUp();
  socket.connected = false;
  socket.answers['generation:start'] = () => started();
  send();
  await settled();
  const id = outbox.all()[0]?.clientMessageId;
  expect(outbox.all()[0]?.state).toBe('waiting');
  expect(socket.calls).toEqual([]);
  socket.connect();
  await settled();
  expect(socket.called('generation:start')[0]?.payload.clientMessageId).toBe(id);
  expect(outbox.all()).toEqual([]);
});

describe('what waits for a connection', () => {
  const ofSari = (page: ReturnType<typeof setUp>) => {
    page.owner.become('1');
    page.socket.connected = false;
    page.socket.answers['generation:start'] = () => started();
    page.send();
    return page.outbox.all() as [PendingSend];
  };

  it.each(['guest', '2'])('is not sent while the page shows somebody else (%s)', async (other) => {
    const page = setUp();
    ofSari(page);
    page.owner.become(other);
    page.socket.connect();
    await settled();
    expect(page.socket.calls).toEqual([]);
    expect(page.outbox.all()).toMatchObject([{ owner: '1', state: 'waiting' }]);
  });

  it('goes out when its writer is back', async () => {
    const page = setUp();
    const [{ clientMessageId }] = ofSari(page);
    page.owner.become('guest');
    page.socket.connect();
    page.owner.become('1');
    page.socket.connect();
    await settled();
    expect(page.socket.called('generation:start')).toMatchObject([{ payload: { clientMessageId } }]);
    expect(page.outbox.all()).toEqual([]);
  });

  it('is not asked for again under another name when its connection broke', async () => {
    const page = setUp();
    page.owner.become('1');
    page.socket.answers['generation:start'] = () => {
      page.owner.become('guest');
      throw ApiError.network();
    };
    page.send();
    await settled();
    expect(page.socket.called('generation:start')).toHaveLength(1);
    expect(page.outbox.all()).toMatchObject([{ owner: '1', state: 'waiting' }]);
  });

  it('of a guest goes out once they have signed in, and is theirs', async () => {
    const { socket, owner, outbox, send } = setUp();
    socket.connected = false;
    send();
    owner.become('1');
    socket.answers['generation:start'] = () => new Promise(() => undefined);
    socket.connect();
    await settled();
    expect(socket.called('generation:start')).toHaveLength(1);
    expect(outbox.all()).toMatchObject([{ owner: '1' }]);
  });

  it('stays until it is known whom the page shows', async () => {
    const { socket, owner, outbox, send } = setUp();
    owner.become(null);
    socket.answers['generation:start'] = () => started();
    send();
    await settled();
    expect(socket.calls).toEqual([]);
    expect(owner.asked).toBe(1);
    owner.become('1');
    await settled();
    expect(socket.called('generation:start')).toHaveLength(1);
    expect(outbox.all()).toEqual([]);
  });
});

test('a connection lost before the ack sends again with the same id', async () => {
  const { socket, outbox, send } = setUp();
  socket.answers['generation:start'] = () => {
    socket.connected = false;
    throw ApiError.network();
  };
  send();
  await settled();
  expect(outbox.all()[0]?.state).toBe('waiting');
  socket.answers['generation:start'] = () => started({ duplicate: true, aiMessage: aiMessage(2, 1) });
  socket.connect();
  await settled();
  const [first, second] = socket.called('generation:start');
  expect(second?.payload.clientMessageId).toBe(first?.payload.clientMessageId);
  expect(outbox.all()).toEqual([]);
});

test('the outbox survives a reload of the page', async () => {
  const { socket, outbox, send } = setUp();
  socket.answers['generation:start'] = () => new Promise(() => undefined);
  send();
  await settled();
  const reloaded = createOutbox();
  expect(reloaded.all()).toEqual([{ ...outbox.all()[0], state: 'waiting' }]);
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
