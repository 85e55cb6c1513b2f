import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Ack,
  type ClientToServerEvents,
  DEFAULT_MODEL_ID,
  type ErrorBody,
  type ErrorCode,
  type GenerationApproved,
  type GenerationApprovePayload,
  type GenerationEvent,
  type GenerationResumed,
  type GenerationStarted,
  type GenerationStartPayload,
  type GenerationStopped,
  type MessageStatus,
  type ServerToClientEvents,
  SOCKET_PATH,
} from '@tanya/contract';
import { io, type Socket } from 'socket.io-client';
import { violationOfError } from './audits/error-check.js';
import { onThisMachine } from './pace.js';
import type { TestUser } from './test-user.js';
import { ShownAnswer } from './shown-answer.js';

/** Timeout of an acknowledgement, after which the event is retried with the same id, ms. */
const ACK_TIMEOUT = 5_000;

/** Silence of a running answer after which it is resumed, ms. */
const SILENCE_MS = 1_500;

/** Pause between retries, ms. */
const RETRY_PAUSE_MS = 120;

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
  readonly answers = new Map<string, ShownAnswer>();
  /** Violations by the server: errors without a shape, events after an end. */
  readonly complaints: string[] = [];
  private readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  private readonly headers: Record<string, string>;
  /** Live events that arrived during a resume. */
  private readonly held = new Map<string, GenerationEvent[]>();
  private readonly followed = new Set<string>();
  /** Answers that were not found, with the number of the connection. */
  private readonly missing = new Map<string, number>();
  private readonly watch: NodeJS.Timeout;
  private isClosed = false;
  private isConnecting = false;
  /** Whether the connection belongs to this user; a session lost before the handshake makes it a guest's. */
  private isOwn = false;
  connects = 0;
  /** Time of the disconnect. */
  private lostAt: number | null = null;
  /** Times from a disconnect to the next connection, ms. */
  readonly losses: number[] = [];
  /** Time of the last event or successful acknowledgement, and the longest time between two of them, ms. */
  private servedAt = performance.now();
  private longestPause = 0;

  private constructor(
    readonly user: TestUser,
    private readonly url: string,
    transports: string[],
  ) {
    this.headers = {};
    this.socket = io(url, {
      path: SOCKET_PATH,
      transports,
      reconnection: false,
      autoConnect: false,
      forceNew: true,
      timeout: onThisMachine(5_000),
      extraHeaders: this.headers,
    });
    this.socket.on('generation:event', (event) => this.receive(event));
    this.socket.on('disconnect', () => {
      this.isOwn = false;
      void this.reconnect();
    });
    this.watch = setInterval(() => this.resumeSilent(), SILENCE_MS / 4).unref();
  }

  /** @param url address of the server or of a proxy */
  static async open(user: TestUser, url: string, transports = ['websocket']): Promise<Page> {
    const page = new Page(user, url, transports);
    await page.reconnect();
    return page;
  }

  /** Opens a page. @returns null, with nothing left open, when it is not connected after `timeoutMs` */
  static async openWithin(timeoutMs: number, user: TestUser, url: string): Promise<Page | null> {
    const page = new Page(user, url, ['websocket']);
    await Promise.race([page.reconnect(), sleep(timeoutMs)]);
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

  /** Emits one event without retries. @throws when the acknowledgement times out */
  async emit(name: 'generation:start', payload: GenerationStartPayload): Promise<Ack<GenerationStarted>>;
  async emit(name: 'generation:regenerate', payload: object): Promise<Ack<GenerationStarted>>;
  async emit(name: 'generation:stop', payload: { generationId: string }): Promise<Ack<GenerationStopped>>;
  async emit(name: 'generation:approve', payload: GenerationApprovePayload): Promise<Ack<GenerationApproved>>;
  async emit(
    name: 'generation:resume',
    payload: { generationId: string; afterSeq: number },
  ): Promise<Ack<GenerationResumed>>;
  async emit(name: keyof ClientToServerEvents, payload: object): Promise<Ack<unknown>> {
    const ack = (await this.socket
      .timeout(onThisMachine(ACK_TIMEOUT))
      .emitWithAck(name, payload as never)) as Ack<unknown>;
    if (ack.ok) this.noteService();
    else this.judge(ack.error);
    return ack;
  }

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
    this.followed.add(generationId);
    const answer = this.answer(generationId);
    void this.resume(generationId);
    return answer;
  }

  answer(generationId: string): ShownAnswer {
    const known = this.answers.get(generationId) ?? new ShownAnswer();
    this.answers.set(generationId, known);
    return known;
  }

  /** The socket, for hostile events. */
  get raw(): Socket {
    return this.socket;
  }

  get isConnected(): boolean {
    return this.socket.connected && this.isOwn;
  }

  /** Longest time without an event or a successful acknowledgement since `restartSilence`, ms. */
  get longestSilence(): number {
    return Math.max(this.longestPause, performance.now() - this.servedAt);
  }

  restartSilence(): void {
    this.longestPause = 0;
    this.servedAt = performance.now();
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.watch);
    this.socket.disconnect();
  }

  private async deliver(send: Send, payload: GenerationStartPayload): Promise<void> {
    while (!this.isClosed) {
      const ack = this.isConnected ? await this.emit('generation:start', payload).catch(() => null) : null;
      if (ack?.ok) {
        send.started = ack.data;
        this.followed.add(ack.data.generationId);
        const answer = this.answer(ack.data.generationId);
        if (ack.data.duplicate && !answer.isClosed) void this.resume(ack.data.generationId);
        return;
      }
      if (ack !== null) send.refusals.push(ack.error);
      if (ack?.error.code === 'unauthenticated') this.socket.disconnect();
      else if (ack !== null && (send.isSingle || !ack.error.retryable)) {
        send.refusal = ack.error;
        return;
      }
      // The next connection goes to another node.
      else if (ack?.error.code === 'shutting_down') this.socket.disconnect();
      await sleep(RETRY_PAUSE_MS);
    }
  }

  private noteService(): void {
    const now = performance.now();
    this.longestPause = Math.max(this.longestPause, now - this.servedAt);
    this.servedAt = now;
  }

  private receive(event: GenerationEvent): void {
    this.noteService();
    const held = this.held.get(event.generationId);
    if (held === undefined) this.apply(event);
    else held.push(event);
  }

  private apply(event: GenerationEvent): void {
    const { generationId, type } = event;
    const applied = this.answer(generationId).apply(event);
    if (applied === 'late') this.complaints.push(`I10: ${type} came after the end of ${generationId}`);
    if (applied === 'gap') void this.resume(generationId);
  }

  /** Resumes an answer; live events are held until the response. */
  private async resume(generationId: string): Promise<void> {
    if (this.held.has(generationId)) return;
    this.held.set(generationId, []);
    const answer = this.answer(generationId);
    answer.updatedAt = performance.now();
    const { lastSeq } = answer;
    const ack = await this.emit('generation:resume', { generationId, afterSeq: lastSeq }).catch(() => null);
    const events = this.held.get(generationId) ?? [];
    this.held.delete(generationId);
    // A failed resume is repeated after SILENCE_MS, not at once.
    if (ack === null || (!ack.ok && !this.isGone(generationId, ack.error))) return;
    if (!ack.ok) answer.resync(null, undefined);
    else if (ack.data.outcome === 'resync') answer.resync(ack.data.message, ack.data.seq);
    else events.unshift(...ack.data.events);
    for (const event of events) this.apply(event);
  }

  /**
   * An answer is gone when two connections report so. A connection whose session was lost before the handshake is a
   * guest's, which has no access to the member's answers.
   */
  private isGone(generationId: string, error: ErrorBody): boolean {
    if (error.code !== 'not_found') return false;
    const saidOn = this.missing.get(generationId);
    if (saidOn !== undefined && saidOn !== this.connects) return true;
    this.missing.set(generationId, this.connects);
    this.socket.disconnect();
    return false;
  }

  /** A lost end leaves no gap in the sequence, so silent answers are resumed. */
  private resumeSilent(): void {
    if (!this.isConnected) return;
    for (const id of this.followed) {
      const answer = this.answer(id);
      if (!answer.isClosed && performance.now() - answer.updatedAt > SILENCE_MS) void this.resume(id);
    }
  }

  private async reconnect(): Promise<void> {
    this.lostAt ??= performance.now();
    if (this.isConnecting) return;
    this.isConnecting = true;
    while (!this.isClosed && !this.isConnected) await this.tryConnect().catch((error: unknown) => this.rest(error));
    this.isConnecting = false;
    if (this.isClosed) return;
    this.connects += 1;
    if (this.connects > 1) this.losses.push(performance.now() - this.lostAt);
    this.lostAt = null;
    for (const id of this.followed) if (!this.answer(id).isClosed) void this.resume(id);
  }

  private async tryConnect(): Promise<void> {
    await this.user.signIn(this.url);
    if (this.user.isSignedOut) return this.close();
    this.headers.Cookie = this.user.cookies;
    this.headers['X-Forwarded-For'] = this.user.address;
    if (!this.socket.connected) await this.connectOnce();
    if (this.isClosed) return void this.socket.disconnect();
    this.isOwn = await this.user.isStillSignedIn(this.url);
    if (!this.isOwn) this.socket.disconnect();
  }

  private async rest(error: unknown): Promise<void> {
    const body = (error as { data?: ErrorBody }).data;
    if (body !== undefined) this.judge(body);
    await sleep(RETRY_PAUSE_MS);
  }

  /** A connection that is cut during the handshake emits `disconnect` without `connect`. */
  private connectOnce(): Promise<void> {
    const { socket } = this;
    return new Promise((resolve, reject) => {
      const stopListening = () => {
        socket.off('connect', connected).off('connect_error', failed).off('disconnect', lost);
      };
      const connected = () => {
        stopListening();
        resolve();
      };
      const failed = (error: Error) => {
        stopListening();
        reject(error);
      };
      const lost = (reason: string) => failed(new Error(reason));
      socket.on('connect', connected).on('connect_error', failed).on('disconnect', lost);
      socket.connect();
    });
  }

  private judge(error: ErrorBody): void {
    const fault = violationOfError(error);
    if (fault !== null) this.complaints.push(fault);
  }
}
