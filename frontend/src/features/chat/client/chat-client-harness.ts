import { QueryClient } from '@tanstack/react-query';
import type { GenerationEvent, GenerationStarted, Message } from '@tanya/contract';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { markStreaming, resetStreaming } from '../../../app/state/thread-activity';
import type { Owner } from '../../../app/storage/owner';
import { aiMessage, GENERATION_ID, quota, userMessage } from './chat-fixtures';
import type { ChatOwner, ChatSocket } from './chat-ports';
import { ChatClient } from './chat-client';
import type { MessagePath } from './message-path';
import { createOutbox } from './outbox-store';
import { StreamingStore } from './streaming-store';
import { ThreadCache } from './thread-cache';

type Handler = (payload: never) => unknown;

/** A socket whose acks and events come from the test. */
class FakeSocket implements ChatSocket {
  connected = true;
  readonly calls: { event: string; payload: Record<string, unknown> }[] = [];
  readonly handlers: Record<string, Handler> = {};
  private readonly eventListeners: ((event: GenerationEvent) => void)[] = [];
  private readonly connectListeners: (() => void)[] = [];

  request: ChatSocket['request'] = (event, payload) => {
    this.calls.push({ event, payload: { ...payload } });
    const handler = this.handlers[event];
    return Promise.resolve().then(() => handler?.(payload as never) as never);
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
  reconnects = 0;
  reconnect = () => void (this.reconnects += 1);

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

/** The owner of the page, set by the test. */
class FakeOwner implements ChatOwner {
  private readonly listeners: ((before: Owner | null) => void)[] = [];

  constructor(private owner: Owner | null = 'guest') {}

  loads = 0;
  current = () => this.owner;
  load = () => void (this.loads += 1);
  onChanged = (listener: (before: Owner | null) => void) => {
    this.listeners.push(listener);
    return () => undefined;
  };
  change(owner: Owner | null) {
    const before = this.owner;
    this.owner = owner;
    this.listeners.forEach((listener) => listener(before));
  }
}

/** Waits a few turns of the event loop: enough for an ack and the notification of observers on a loaded machine too. */
export async function flush(): Promise<void> {
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

export function openHarness(onNextFrame = (commit: () => void) => commit()) {
  sessionStorage.clear();
  const socket = new FakeSocket();
  const owner = new FakeOwner();
  const queryClient = new QueryClient();
  const streaming = new StreamingStore(onNextFrame);
  const outbox = createOutbox();
  const created: [string, number][] = [];
  const finished: Message[] = [];
  const chatClient = new ChatClient(socket, owner, new ThreadCache(queryClient), streaming, outbox, {
    answerStarted: markStreaming,
    connected: resetStreaming,
    answerFinished: (message) => finished.push(message),
    threadCreated: (conversation, threadId) => created.push([conversation, threadId]),
  });
  chatClient.start();
  const messages = () => queryClient.getQueryData<MessagePath>(threadMessagesQuery(1).queryKey)?.items;
  const send = () =>
    chatClient.send({ conversation: 'draft', threadId: null, model: 'openai/gpt-4o-mini', content: { text: 'halo' } });
  return { socket, owner, queryClient, streaming, outbox, chatClient, created, finished, messages, send };
}
