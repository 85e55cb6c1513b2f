import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEFAULT_MODEL_ID,
  type ErrorBody,
  type ErrorCode,
  type GenerationApprovePayload,
  type GenerationStarted,
  type GenerationStartPayload,
  type GenerationStopped,
  type MessageStatus,
} from '@tanya/contract';
import type { Socket } from 'socket.io-client';
import { FollowedAnswers } from './followed-answers.js';
import { PageConnection, RETRY_PAUSE_MS } from './page-connection.js';
import type { ShownAnswer } from './shown-answer.js';
import type { TestUser } from './test-user.js';

/** One send, until it is accepted or refused for good. */
export interface Send {
  clientMessageId: string;
  text: string;
  user: TestUser;
  page: Page;
  /** Text of the complete answer; null where it depends on the fault. */
  expected: string | null;
  /** Retryable refusals are not retried. */
  isSingle: boolean;
  started: GenerationStarted | null;
  refusal: ErrorBody | null;
  /** All refusals, retried ones included. */
  refusals: ErrorBody[];
  /** Resolves when the send is accepted or refused for good. */
  answered: Promise<void>;
}

/**
 * A browser's page over Socket.IO's client. It retries sends until the server accepts them, resumes answers after every
 * gap and reconnect, and signs in again when its session is lost.
 */
export class Page {
  /** Violations by the server: errors without a shape, events after an end. */
  readonly violations: string[] = [];
  private readonly connection: PageConnection;
  private readonly followed: FollowedAnswers;

  private constructor(
    readonly user: TestUser,
    url: string,
    transports: string[],
  ) {
    const violation = (text: string): void => void this.violations.push(text);
    const connect = (): void => this.followed.resumeOpen();
    this.connection = new PageConnection(user, url, transports, { connect, violation });
    this.followed = new FollowedAnswers(this.connection, violation);
  }

  /** @param url address of the server or of a proxy */
  static async open(user: TestUser, url: string, transports = ['websocket']): Promise<Page> {
    const page = new Page(user, url, transports);
    await page.connection.connect();
    return page;
  }

  /** Opens a page. @returns null, with nothing left open, when it is not connected after `timeoutMs` */
  static async openWithin(timeoutMs: number, user: TestUser, url: string): Promise<Page | null> {
    const page = new Page(user, url, ['websocket']);
    await Promise.race([page.connection.connect(), sleep(timeoutMs)]);
    if (page.isConnected) return page;
    page.close();
    return null;
  }

  /** Sends a message, with retries until it is accepted or refused for good. */
  send(
    text: string,
    expected: string | null,
    fields: Partial<GenerationStartPayload> & { isSingle?: boolean } = {},
  ): Send {
    const { isSingle = false, ...given } = fields;
    const payload = {
      clientMessageId: randomUUID(),
      threadId: null,
      model: DEFAULT_MODEL_ID,
      content: { text },
      ...given,
    };
    const { clientMessageId } = payload;
    const send: Send = {
      clientMessageId,
      text,
      user: this.user,
      page: this,
      expected,
      isSingle,
      started: null,
      refusal: null,
      refusals: [],
      answered: Promise.resolve(),
    };
    send.answered = this.deliver(send, payload);
    return send;
  }

  /** Emits one event without retries, see `PageConnection.emit`. */
  readonly emit: PageConnection['emit'] = (name, payload) => this.connection.emit(name, payload);

  /** Stops an answer, with retries. */
  async stop(generationId: string): Promise<GenerationStopped | ErrorBody> {
    for (;;) {
      const ack = await this.emit('generation:stop', { generationId }).catch(() => null);
      if (ack?.ok) return ack.data;
      if (ack !== null && !ack.error.retryable) return ack.error;
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** Decides about a call, with retries. @returns the status of the answer, or the code of a final refusal */
  async approve(decision: GenerationApprovePayload): Promise<MessageStatus | ErrorCode> {
    for (;;) {
      const ack = this.isConnected ? await this.emit('generation:approve', decision).catch(() => null) : null;
      if (ack?.ok) return ack.data.status;
      if (ack !== null && !ack.error.retryable) return ack.error.code;
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** Subscribes to an answer that this page did not send, from its first event. */
  follow(generationId: string): ShownAnswer {
    const answer = this.followed.follow(generationId);
    void this.followed.resume(generationId);
    return answer;
  }

  /** All answers whose events reached this page. */
  get answers(): ReadonlyMap<string, ShownAnswer> {
    return this.followed.byId;
  }

  answer(generationId: string): ShownAnswer {
    return this.followed.get(generationId);
  }

  /** The socket, for hostile events. */
  get raw(): Socket {
    return this.connection.socket;
  }

  get isConnected(): boolean {
    return this.connection.isConnected;
  }

  /** Connections so far. */
  get connects(): number {
    return this.connection.connects;
  }

  /** Times from a disconnect to the next connection, ms. */
  get losses(): number[] {
    return this.connection.losses;
  }

  /** Longest time without an event or a successful acknowledgement since `restartSilence`, ms. */
  get longestSilence(): number {
    return this.connection.longestSilence;
  }

  restartSilence(): void {
    this.connection.restartSilence();
  }

  close(): void {
    this.followed.close();
    this.connection.close();
  }

  private async deliver(send: Send, payload: GenerationStartPayload): Promise<void> {
    while (!this.connection.isClosed) {
      const ack = this.isConnected ? await this.emit('generation:start', payload).catch(() => null) : null;
      if (ack?.ok) {
        send.started = ack.data;
        const answer = this.followed.follow(ack.data.generationId);
        if (ack.data.duplicate && !answer.isClosed) void this.followed.resume(ack.data.generationId);
        return;
      }
      if (ack !== null) send.refusals.push(ack.error);
      if (ack?.error.code === 'unauthenticated') this.raw.disconnect();
      else if (ack !== null && (send.isSingle || !ack.error.retryable)) {
        send.refusal = ack.error;
        return;
      }
      // The next connection goes to another node.
      else if (ack?.error.code === 'shutting_down') this.raw.disconnect();
      await sleep(RETRY_PAUSE_MS);
    }
  }
}
