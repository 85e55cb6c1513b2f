import {
  type ErrorCode,
  type GenerationStarted,
  type GenerationStartPayload,
  type GenerationStopped,
  isOpen,
  type Message,
  type MessageContent,
} from '@tanya/contract';
import { v4 as uuid } from 'uuid';
import { ApiError } from '../../../app/api/api-error';
import { StreamSubscriber } from './stream-subscriber';
import type { ChatObserver, ChatOwner, ChatSocket } from './chat-ports';
import type { ConversationKey, Outbox, PendingRequest, PendingSend, SendError } from './outbox-store';
import type { StreamingStore } from './streaming-store';
import type { ThreadCache } from './thread-cache';
import { changesEnded } from './thread-changes';

export interface SendInput extends Omit<GenerationStartPayload, 'clientMessageId' | 'fallback'> {
  conversation: ConversationKey;
  /** The message as it is shown before the ack. */
  shown?: MessageContent;
}

const ACK_TIMEOUT_MS = 15_000;
/** Characters of a send, in a third of the frame that closes a socket. The server refuses a smaller one in its ack. */
const MAX_CHARACTERS = 300_000;
/** Codes of refusals that may come before the server looks for an earlier request with the same id. */
const EARLY_REFUSALS: readonly ErrorCode[] = [
  'rate_limited',
  'shutting_down',
  'unauthenticated',
  'account_suspended',
  'password_change_required',
  'totp_enrollment_required',
];
/** Codes of failures that may come after the server has stored the message. */
const OPEN_FAILURES: readonly ErrorCode[] = ['storage_unavailable', 'internal'];
/** Time to the next attempt of a queued message that was refused because the answer still runs. Doubles up to the last one. */
const QUEUE_RETRY_MS = 2_000;
const LAST_QUEUE_RETRY_MS = 60_000;
/** Attempts with the same id while the connection is up and the ack times out. */
const MAX_ATTEMPTS = 3;

/**
 * Sends messages and receives answers. An unacknowledged send stays in the outbox and is retried with the same
 * idempotency key; a sequence gap in the events of an answer is closed by a resume.
 */
export class ChatClient {
  private readonly streams: StreamSubscriber;
  /** How long the next refused message of a conversation waits. */
  private readonly queueRetryMs = new Map<string, number>();

  constructor(
    private readonly socket: ChatSocket,
    private readonly owner: ChatOwner,
    private readonly cache: ThreadCache,
    private readonly streaming: StreamingStore,
    private readonly outbox: Outbox,
    private readonly observer: ChatObserver,
  ) {
    this.streams = new StreamSubscriber(socket, cache, streaming, {
      ...observer,
      answerFinished: (message) => {
        observer.answerFinished(message);
        this.sendQueued(String(message.threadId));
      },
    });
  }

  /** Subscribes to the server's events; returns the function that unsubscribes. */
  start(): () => void {
    const stops = [
      this.socket.onGenerationEvent((event) => this.streams.receive(event)),
      this.socket.onConnected(() => this.handleConnected()),
      this.owner.onChanged((before) => {
        // Only the first owner of the page: every later owner gets a new connection.
        if (before === null && this.socket.isConnected()) this.sendWaiting();
      }),
    ];
    if (this.socket.isConnected()) this.handleConnected();
    return () => stops.forEach((stop) => stop());
  }

  /** Fields without a value are left out of the event. */
  send({ conversation, shown, ...payload }: SendInput): void {
    this.post(conversation, { event: 'generation:start', payload: { clientMessageId: uuid(), ...payload } }, shown);
  }

  regenerate(
    conversation: ConversationKey,
    messageId: number,
    options: Partial<Pick<SendInput, 'model' | 'reasoningEffort' | 'tools'>> = {},
  ): void {
    const payload = { clientMessageId: uuid(), messageId, ...options };
    this.post(conversation, { event: 'generation:regenerate', payload });
  }

  retry(clientMessageId: string): void {
    const send = this.outbox.find(clientMessageId);
    if (send) void this.deliver(send);
  }

  discard(clientMessageId: string): void {
    const send = this.outbox.find(clientMessageId);
    this.outbox.remove(clientMessageId);
    if (send) this.sendQueued(send.conversation);
  }

  /** Stops an answer. Its received text is shown at once. */
  async stop(generationId: string): Promise<GenerationStopped> {
    this.streaming.skipReveal(generationId);
    return this.socket.request('generation:stop', { generationId }, ACK_TIMEOUT_MS);
  }

  /** Subscribes to the answers that were running when these messages were read, such as after a reload. */
  attach(messages: readonly Message[]): void {
    this.streams.attach(messages);
  }

  private post(conversation: ConversationKey, request: PendingRequest, shown?: MessageContent): void {
    const state = this.mustWait(conversation, request) ? 'queued' : 'sending';
    const send: PendingSend = {
      clientMessageId: request.payload.clientMessageId,
      owner: this.owner.current(),
      conversation,
      request,
      shown,
      createdAt: new Date().toISOString(),
      after: this.lastMessageId({ request }),
      state,
      error: null,
    };
    this.outbox.add(send);
    if (state === 'sending') void this.deliver(send);
  }

  /** The message that one is written or, after the end of the answer, sent below. */
  private lastMessageId({ request, after }: Pick<PendingSend, 'request' | 'after'>): PendingSend['after'] {
    if (request.event !== 'generation:start') return undefined;
    const last = this.cache.lastMessageId(request.payload.threadId);
    return last === undefined ? after : last;
  }

  /** Whether a message goes out after the end of the answer in its conversation. An edit goes out at once. */
  private mustWait(conversation: ConversationKey, { event, payload }: PendingRequest): boolean {
    if (event !== 'generation:start' || payload.editOf !== undefined) return false;
    return this.isAnswering(conversation) || this.firstQueued(conversation) !== undefined;
  }

  private isAnswering(conversation: ConversationKey): boolean {
    return this.streaming.all().some(({ threadId }) => String(threadId) === conversation);
  }

  private firstQueued(conversation: ConversationKey): PendingSend | undefined {
    return this.outbox.all().find((send) => send.state === 'queued' && send.conversation === conversation);
  }

  /** Sends the first message that waits for the end of the answer, unless the one before it is still without an ack. */
  private sendQueued(conversation: ConversationKey): void {
    const next = this.firstQueued(conversation);
    if (next && !this.isAnswering(conversation) && !this.isSendingMessage(conversation)) void this.deliver(next);
  }

  private isSendingMessage(conversation: ConversationKey): boolean {
    return this.outbox
      .all()
      .some(
        ({ conversation: other, state, ackedAs, request }) =>
          other === conversation &&
          state === 'sending' &&
          ackedAs === undefined &&
          request.event === 'generation:start' &&
          request.payload.editOf === undefined,
      );
  }

  private async deliver(send: PendingSend): Promise<void> {
    // It would close the connection, and be sent again on each new one.
    if (JSON.stringify(send).length > MAX_CHARACTERS) {
      return this.fail(send, { code: 'too_large', message: '' });
    }
    const idle = send.state === 'queued' ? 'queued' : 'waiting';
    const changes = this.maySend(send) ? changesEnded(send.conversation, ACK_TIMEOUT_MS) : null;
    if (changes !== null) {
      // Before the wait: a retry must not start twice, nor may the send move to another thread.
      this.mark(send, 'sending');
      await changes;
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (!this.maySend(send)) {
        if (this.owner.current() === null) this.owner.load();
        return this.mark(send, idle);
      }
      const wasUnanswered = this.outbox.find(send.clientMessageId)?.isUnanswered;
      this.outbox.patch(send.clientMessageId, {
        state: 'sending',
        error: null,
        isUnanswered: true,
        after: idle === 'queued' ? this.lastMessageId(send) : send.after,
      });
      let started: GenerationStarted | undefined;
      try {
        const { event, payload } = send.request;
        started = await this.socket.request(event, payload, ACK_TIMEOUT_MS);
      } catch (error) {
        if (error instanceof ApiError && error.body) {
          const { code, message, retryAfter, details } = error.body;
          this.outbox.patch(send.clientMessageId, {
            isUnanswered: OPEN_FAILURES.includes(code) || (EARLY_REFUSALS.includes(code) && wasUnanswered),
          });
          // After a reload the page may hear of the running answer later.
          if (code === 'thread_busy' && idle === 'queued') {
            const waitMs = this.queueRetryMs.get(send.conversation) ?? QUEUE_RETRY_MS;
            setTimeout(() => this.sendQueued(send.conversation), waitMs);
            this.queueRetryMs.set(send.conversation, Math.min(2 * waitMs, LAST_QUEUE_RETRY_MS));
            return this.mark(send, idle);
          }
          // The node refuses new connections too, so the next one goes to another node.
          if (code === 'shutting_down') {
            this.mark(send, 'waiting');
            return this.socket.reconnect();
          }
          return this.fail(send, { code, message, retryAfter, details });
        }
      }
      if (started) return this.accept(send, started);
    }
    const { code, message } = ApiError.timeout();
    this.fail(send, { code, message });
  }

  /** A send goes out only on a connection of its own owner; otherwise it would be stored as another owner's. */
  private maySend({ clientMessageId }: PendingSend): boolean {
    const owner = this.owner.current();
    return this.socket.isConnected() && owner !== null && this.outbox.find(clientMessageId)?.owner === owner;
  }

  private mark(send: PendingSend, state: PendingSend['state'], error: PendingSend['error'] = null): void {
    this.outbox.patch(send.clientMessageId, { state, error });
  }

  /** Marks a send as refused. The next message has no answer of it to wait for. */
  private fail(send: PendingSend, error: SendError): void {
    this.mark(send, 'failed', error);
    this.sendQueued(send.conversation);
  }

  private accept(send: PendingSend, started: GenerationStarted): void {
    const { threadId, generationId, userMessage, aiMessage, quota } = started;
    this.queueRetryMs.delete(send.conversation);
    const isNewThread = send.request.event === 'generation:start' && send.request.payload.threadId === null;
    if (isOpen(aiMessage.status)) this.streams.open({ generationId, threadId, messageId: aiMessage.id });
    this.outbox.patch(send.clientMessageId, { ackedAs: aiMessage.id });
    this.cache.addMessages(threadId, [userMessage, aiMessage], isNewThread);
    this.cache.setQuota(quota);
    if (isNewThread) this.observer.threadCreated(send.conversation, threadId, started.temporary);
    this.cache.afterNotified(() => this.outbox.remove(send.clientMessageId));
    // The server accepted an earlier attempt, so events may have been sent before this subscription.
    if (started.duplicate && isOpen(aiMessage.status)) void this.streams.resume(generationId);
    // Later messages may have come meanwhile, or another version.
    if (started.duplicate) void this.cache.refresh(threadId);
    // The end of its answer, which the next message waits for, was before this page.
    if (!isOpen(aiMessage.status)) this.sendQueued(String(threadId));
  }

  /** Sends the waiting messages and resumes the running answers. */
  private handleConnected(): void {
    this.sendWaiting();
    this.streams.resumeAll();
  }

  private sendWaiting(): void {
    const owner = this.owner.current();
    if (owner === null) return this.owner.load();
    this.outbox.claim(owner);
    for (const send of this.outbox.all()) {
      if (send.state === 'queued') this.sendQueued(send.conversation);
      else if (send.state === 'waiting') void this.deliver(send);
    }
  }
}
