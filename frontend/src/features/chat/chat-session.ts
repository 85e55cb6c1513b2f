import type {
  ClientToServerEvents,
  Ack,
  GenerationEvent,
  GenerationResumed,
  GenerationStarted,
  GenerationStopped,
  Message,
  OutgoingMessage,
} from '@tanya/contract';
import { v4 as uuid } from 'uuid';
import { ApiError } from '../../app/api-error';
import { entryFromMessage } from './generation-reducer';
import type { ConversationKey, Outbox, PendingRequest, PendingSend } from './outbox-store';
import type { StreamingStore } from './streaming-store';
import type { ThreadCache } from './thread-cache';

type Event = keyof ClientToServerEvents;
type PayloadOf<E extends Event> = Parameters<ClientToServerEvents[E]>[0];
type DataOf<E extends Event> = Parameters<Parameters<ClientToServerEvents[E]>[1]>[0] extends Ack<infer T> ? T : never;

/** The socket as the chat sees it; app/socket.ts in the product, a fake in the tests. */
export interface ChatSocket {
  request<E extends Event>(event: E, payload: PayloadOf<E>, timeoutMs?: number): Promise<DataOf<E>>;
  onGenerationEvent(listener: (event: GenerationEvent) => void): () => void;
  onConnected(listener: () => void): () => void;
  isConnected(): boolean;
}

/** What others want to know of the session's work. */
export interface ChatObserver {
  answering(threadId: number): void;
  /** The answer reached its final state. */
  answered(message: Message): void;
  /** A conversation got its thread. */
  threadOpened(conversation: ConversationKey, threadId: number): void;
}

export interface SendInput {
  conversation: ConversationKey;
  threadId: number | null;
  model: string;
  content: OutgoingMessage;
  /** The user message that this one replaces. */
  editOf?: number;
}

const ACK_TIMEOUT_MS = 15_000;
/** An ack that doesn't come although the connection stands is asked for again this often, with the same id. */
const SILENT_TRIES = 3;
const RESUME_RETRY_MS = 2_000;

/**
 * Sends what the user writes and keeps every answer on this page whole. Nothing is lost on the way: an unacknowledged
 * send stays in the outbox, and a missed event is asked for by its number.
 */
export class ChatSession {
  private readonly resuming = new Set<string>();
  /** Events that arrived while earlier ones were being asked for. */
  private readonly held = new Map<string, GenerationEvent[]>();
  /** Where the last question for missed events began, to notice an answer that led nowhere. */
  private readonly askedAfter = new Map<string, number>();

  constructor(
    private readonly socket: ChatSocket,
    private readonly cache: ThreadCache,
    private readonly streaming: StreamingStore,
    private readonly outbox: Outbox,
    private readonly observer: ChatObserver,
  ) {}

  /** Listens to the server; returns the way to stop. */
  start(): () => void {
    const stops = [
      this.socket.onGenerationEvent((event) => this.receive(event)),
      this.socket.onConnected(() => this.catchUp()),
    ];
    if (this.socket.isConnected()) this.catchUp();
    return () => stops.forEach((stop) => stop());
  }

  send({ conversation, threadId, model, content, editOf }: SendInput): void {
    const clientMessageId = uuid();
    const payload = { clientMessageId, threadId, model, content, ...(editOf !== undefined && { editOf }) };
    this.post(conversation, { event: 'generation:start', payload });
  }

  /** Writes another version of an answer; the old one stays. */
  regenerate(conversation: ConversationKey, messageId: number, model?: string): void {
    this.post(conversation, { event: 'generation:regenerate', payload: { clientMessageId: uuid(), messageId, model } });
  }

  /** Tries a refused send again, with the same id. */
  retry(clientMessageId: string): void {
    const send = this.outbox.find(clientMessageId);
    if (send) void this.deliver(send);
  }

  discard(clientMessageId: string): void {
    this.outbox.remove(clientMessageId);
  }

  async stop(generationId: string): Promise<GenerationStopped> {
    return this.socket.request('generation:stop', { generationId }, ACK_TIMEOUT_MS);
  }

  /** Takes up the answers that were being written when these messages were read, as after a reload. */
  attach(messages: readonly Message[]): void {
    for (const message of messages) {
      const { generationId, threadId, id: messageId, status } = message;
      if (status !== 'streaming' || !generationId || this.streaming.current(generationId)) continue;
      this.streaming.open({ generationId, threadId, messageId });
      this.observer.answering(threadId);
      void this.resume(generationId);
    }
  }

  private post(conversation: ConversationKey, request: PendingRequest): void {
    const send: PendingSend = {
      clientMessageId: request.payload.clientMessageId,
      conversation,
      request,
      createdAt: new Date().toISOString(),
      state: 'sending',
      error: null,
    };
    this.outbox.add(send);
    void this.deliver(send);
  }

  private async deliver(send: PendingSend): Promise<void> {
    for (let silent = 0; silent < SILENT_TRIES; silent += 1) {
      if (!this.socket.isConnected()) return this.mark(send, 'waiting');
      this.mark(send, 'sending');
      try {
        const { event, payload } = send.request;
        return this.started(send, await this.request(event, payload));
      } catch (error) {
        if (error instanceof ApiError && error.body) {
          const { code, message, retryAfter } = error.body;
          // This node is going away; the next connection leads to another one.
          if (code === 'shutting_down') return this.mark(send, 'waiting');
          return this.mark(send, 'failed', { code, message, retryAfter });
        }
      }
    }
    this.mark(send, 'failed', unanswered());
  }

  private mark(send: PendingSend, state: PendingSend['state'], error: PendingSend['error'] = null): void {
    this.outbox.patch(send.clientMessageId, { state, error });
  }

  private request(event: PendingRequest['event'], payload: PendingRequest['payload']): Promise<GenerationStarted> {
    return this.socket.request(event, payload as PayloadOf<typeof event>, ACK_TIMEOUT_MS);
  }

  private started(send: PendingSend, started: GenerationStarted): void {
    const { threadId, generationId, userMessage, aiMessage, quota } = started;
    const isNewThread = send.request.event === 'generation:start' && send.request.payload.threadId === null;
    if (aiMessage.status === 'streaming') {
      this.streaming.open({ generationId, threadId, messageId: aiMessage.id });
      this.observer.answering(threadId);
    }
    this.outbox.patch(send.clientMessageId, { ackedAs: aiMessage.id });
    this.cache.addMessages(threadId, [userMessage, aiMessage], isNewThread);
    this.cache.setQuota(quota);
    if (isNewThread) this.observer.threadOpened(send.conversation, threadId);
    this.cache.afterNotified(() => this.outbox.remove(send.clientMessageId));
    // The first copy of this send was taken before: its events may have passed while nobody listened.
    if (started.duplicate && aiMessage.status === 'streaming') void this.resume(generationId);
  }

  private receive(event: GenerationEvent): void {
    const { generationId, threadId, messageId } = event;
    if (this.resuming.has(generationId)) {
      this.held.get(generationId)?.push(event);
      return;
    }
    if (!this.streaming.current(generationId)) {
      const known = this.cache.message(threadId, messageId);
      // A final message never changes: this is an echo from before its end.
      if (known && known.status !== 'streaming') return;
      const isClosing = event.type === 'end' || event.type === 'error';
      if (!isClosing) this.observer.answering(threadId);
      // Somebody else's tab asked. Where this page shows the thread it follows; elsewhere the mark in the list is enough.
      if (!this.cache.has(threadId)) return isClosing ? this.observer.answered(event.message) : undefined;
      if (!known) void this.cache.refresh(threadId);
      this.streaming.open({ generationId, threadId, messageId });
    }
    this.apply(event);
  }

  private apply(event: GenerationEvent): void {
    const applied = this.streaming.receive(event);
    if (applied.outcome === 'gap') this.fillGap(event);
    if (applied.outcome === 'finished') this.finish(event.generationId, applied.message, applied.quota);
  }

  private fillGap(event: GenerationEvent): void {
    const { generationId } = event;
    const lastSeq = this.streaming.current(generationId)?.lastSeq ?? 0;
    if (this.askedAfter.get(generationId) === lastSeq) this.resumeLater(generationId);
    else void this.resume(generationId, [event]);
  }

  private finish(generationId: string, message: Message, quota: Parameters<ThreadCache['setQuota']>[0] | null): void {
    this.cache.replaceMessage(message);
    this.forget(generationId);
    if (quota) this.cache.setQuota(quota);
    this.observer.answered(message);
  }

  private async resume(generationId: string, arrived: GenerationEvent[] = []): Promise<void> {
    if (this.resuming.has(generationId)) return;
    this.resuming.add(generationId);
    this.held.set(generationId, arrived);
    try {
      const afterSeq = this.streaming.current(generationId)?.lastSeq ?? 0;
      this.askedAfter.set(generationId, afterSeq);
      const answer = await this.socket.request('generation:resume', { generationId, afterSeq }, ACK_TIMEOUT_MS);
      this.resumed(generationId, answer);
    } catch (error) {
      this.resumeFailed(generationId, error);
    }
  }

  private resumed(generationId: string, answer: GenerationResumed): void {
    const held = this.release(generationId);
    if (answer.outcome === 'resumed') {
      for (const event of answer.events) if (this.streaming.current(generationId)) this.apply(event);
    } else {
      this.resynced(generationId, answer.message);
    }
    for (const event of held) if (this.streaming.current(generationId)) this.apply(event);
  }

  private resynced(generationId: string, message: Message | null): void {
    const entry = this.streaming.current(generationId);
    if (!entry) return;
    if (message?.status === 'streaming') {
      this.streaming.replace(entryFromMessage(message, generationId));
    } else if (message) {
      this.finish(generationId, message, null);
    } else {
      this.forget(generationId);
      void this.cache.refresh(entry.threadId);
    }
  }

  private resumeFailed(generationId: string, error: unknown): void {
    this.release(generationId);
    const entry = this.streaming.current(generationId);
    if (!entry) return;
    const refused = error instanceof ApiError && error.body !== null && !error.body.retryable;
    if (refused) {
      this.forget(generationId);
      void this.cache.refresh(entry.threadId);
    } else if (this.socket.isConnected()) {
      // Without a connection the next one asks again.
      this.resumeLater(generationId);
    }
  }

  private resumeLater(generationId: string): void {
    setTimeout(() => {
      if (this.streaming.current(generationId)) void this.resume(generationId);
    }, RESUME_RETRY_MS);
  }

  private forget(generationId: string): void {
    this.streaming.close(generationId, this.cache.afterNotified);
    this.askedAfter.delete(generationId);
  }

  private release(generationId: string): GenerationEvent[] {
    const held = this.held.get(generationId) ?? [];
    this.resuming.delete(generationId);
    this.held.delete(generationId);
    return held;
  }

  /** A new connection: send what waits, ask for what was missed. */
  private catchUp(): void {
    for (const send of this.outbox.all()) if (send.state === 'waiting') void this.deliver(send);
    for (const entry of this.streaming.all()) void this.resume(entry.generationId);
  }
}

function unanswered(): NonNullable<PendingSend['error']> {
  const { code, message } = ApiError.timeout();
  return { code, message };
}
