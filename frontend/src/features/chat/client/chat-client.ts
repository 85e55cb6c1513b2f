import type { GenerationStarted, GenerationStopped, Message, OutgoingMessage } from '@tanya/contract';
import { v4 as uuid } from 'uuid';
import { ApiError } from '../../../app/api/api-error';
import { StreamSubscriber } from './stream-subscriber';
import type { ChatObserver, ChatOwner, ChatSocket } from './chat-ports';
import type { ConversationKey, Outbox, PendingRequest, PendingSend } from './outbox-store';
import type { StreamingStore } from './streaming-store';
import type { ThreadCache } from './thread-cache';

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

/**
 * Sends what the user writes and keeps every answer on this page whole. Nothing is lost on the way: an unacknowledged
 * send stays in the outbox, and a missed event is asked for by its number.
 */
export class ChatClient {
  private readonly answers: StreamSubscriber;

  constructor(
    private readonly socket: ChatSocket,
    private readonly owner: ChatOwner,
    private readonly cache: ThreadCache,
    streaming: StreamingStore,
    private readonly outbox: Outbox,
    private readonly observer: ChatObserver,
  ) {
    this.answers = new StreamSubscriber(socket, cache, streaming, observer);
  }

  /** Listens to the server; returns the way to stop. */
  start(): () => void {
    const stops = [
      this.socket.onGenerationEvent((event) => this.answers.receive(event)),
      this.socket.onConnected(() => this.catchUp()),
      this.owner.onChanged((before) => {
        // Only the first to be known: for everybody after them the page gets another connection.
        if (before === null && this.socket.isConnected()) this.sendWaiting();
      }),
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
    this.answers.attach(messages);
  }

  private post(conversation: ConversationKey, request: PendingRequest): void {
    const send: PendingSend = {
      clientMessageId: request.payload.clientMessageId,
      owner: this.owner.current(),
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
      if (!this.mayGoOut(send)) {
        if (this.owner.current() === null) this.owner.ask();
        return this.mark(send, 'waiting');
      }
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

  /** Another person's connection would make it another person's message. */
  private mayGoOut({ clientMessageId }: PendingSend): boolean {
    const owner = this.owner.current();
    return this.socket.isConnected() && owner !== null && this.outbox.find(clientMessageId)?.owner === owner;
  }

  private mark(send: PendingSend, state: PendingSend['state'], error: PendingSend['error'] = null): void {
    this.outbox.patch(send.clientMessageId, { state, error });
  }

  private request(event: PendingRequest['event'], payload: PendingRequest['payload']): Promise<GenerationStarted> {
    return this.socket.request(event, payload, ACK_TIMEOUT_MS);
  }

  private started(send: PendingSend, started: GenerationStarted): void {
    const { threadId, generationId, userMessage, aiMessage, quota } = started;
    const isNewThread = send.request.event === 'generation:start' && send.request.payload.threadId === null;
    if (aiMessage.status === 'streaming') this.answers.open({ generationId, threadId, messageId: aiMessage.id });
    this.outbox.patch(send.clientMessageId, { ackedAs: aiMessage.id });
    this.cache.addMessages(threadId, [userMessage, aiMessage], isNewThread);
    this.cache.setQuota(quota);
    if (isNewThread) this.observer.threadOpened(send.conversation, threadId);
    this.cache.afterNotified(() => this.outbox.remove(send.clientMessageId));
    // The first copy of this send was taken before: its events may have passed while nobody listened.
    if (started.duplicate && aiMessage.status === 'streaming') void this.answers.resume(generationId);
  }

  /** A new connection: send what waits, ask for what was missed. */
  private catchUp(): void {
    this.sendWaiting();
    this.answers.resumeAll();
  }

  private sendWaiting(): void {
    const owner = this.owner.current();
    if (owner === null) return this.owner.ask();
    this.outbox.claim(owner);
    for (const send of this.outbox.all()) if (send.state === 'waiting') void this.deliver(send);
  }
}

function unanswered(): NonNullable<PendingSend['error']> {
  const { code, message } = ApiError.timeout();
  return { code, message };
}
