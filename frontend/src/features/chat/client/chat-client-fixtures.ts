import { QueryClient } from '@tanstack/react-query';
import type { GenerationEvent, GenerationStarted, Message } from '@tanya/contract';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import type { Owner } from '../../../app/storage/owner';
import { aiMessage, GENERATION_ID, quota, userMessage } from './chat-fixtures';
import type { ChatOwner, ChatSocket } from './chat-ports';
import { ChatClient } from './chat-client';
import type { MessagePath } from './message-path';
import { createOutbox } from './outbox-store';
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
  private readonly listeners: ((before: Owner | null) => void)[] = [];

  constructor(private owner: Owner | null = 'guest') {}

  asked = 0;
  current = () => this.owner;
  ask = () => void (this.asked += 1);
  onChanged = (listener: (before: Owner | null) => void) => {
    this.listeners.push(listener);
    return () => undefined;
  };
  become(now: Owner | null) {
    const before = this.owner;
    this.owner = now;
    this.listeners.forEach((listener) => listener(before));
  }
}

/** Long enough for an ack and for the screen to be told of it: turns and not time, which a busy machine takes more of. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
}

export const started = (change: Partial<GenerationStarted> = {}): GenerationStarted => ({
  threadId: 1,
  generationId: GENERATION_ID,
  userMessage: userMessage(1, null),
  aiMessage: aiMessage(2, 1, { status: 'streaming', content: '' }),
  quota,
  ...change,
});

export function setUp() {
  sessionStorage.clear();
  const socket = new FakeSocket();
  const owner = new FakeOwner();
  const client = new QueryClient();
  const streaming = new StreamingStore((commit) => commit());
  const outbox = createOutbox();
  const opened: [string, number][] = [];
  const answered: Message[] = [];
  const session = new ChatClient(socket, owner, new ThreadCache(client), streaming, outbox, {
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
