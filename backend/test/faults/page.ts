import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Ack,
  type ClientToServerEvents,
  DEFAULT_MODEL_ID,
  type ErrorBody,
  type GenerationEvent,
  type GenerationResumed,
  type GenerationStarted,
  type GenerationStartPayload,
  type GenerationStopped,
  type ServerToClientEvents,
  SOCKET_PATH,
} from '@tanya/contract';
import { io, type Socket } from 'socket.io-client';
import { faultOfError } from './error-check.js';
import { onThisMachine } from './pace.js';
import type { TestUser } from './test-user.js';
import { ShownAnswer } from './shown-answer.js';

/** An ack that has not come by then is asked for again under the same id, ms. */
const ACK_TIMEOUT = 5_000;

/** An answer that says nothing for so long is asked after, ms. */
const SILENCE = 1_500;

/** Between two tries of anything, ms. */
const PAUSE = 120;

/** One message on its way, from the press of the key to the server's word that it is taken or refused. */
export interface Send {
  clientMessageId: string;
  text: string;
  user: TestUser;
  page: Page;
  /** The whole answer, should it come to its end; null where only the fault knows. */
  expected: string | null;
  /** Refusals that may pass are not tried again. */
  isSingle: boolean;
  started: GenerationStarted | null;
  refusal: ErrorBody | null;
  /** What was answered on the way there. */
  refusals: ErrorBody[];
  /** Resolves when it is taken or refused for good. */
  answered: Promise<void>;
}

/**
 * A browser's page over the product's own client library: what it sent is kept until the server has taken it, what it
 * shows is asked for again after every gap and every new connection, and a dead session is signed in again.
 */
export class Page {
  readonly answers = new Map<string, ShownAnswer>();
  /** What no server may do: errors without a shape, events after the end. */
  readonly complaints: string[] = [];
  private readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  private readonly headers: Record<string, string>;
  /** Events that arrived while earlier ones were being asked for. */
  private readonly held = new Map<string, GenerationEvent[]>();
  private readonly followed = new Set<string>();
  /** Answers that a server has not known, and on which connection it was asked. */
  private readonly missing = new Map<string, number>();
  private readonly watch: NodeJS.Timeout;
  private isClosed = false;
  private isConnecting = false;
  /** Whether the connection is known to be this user's: a session that is lost just before makes it a guest's. */
  private isOwn = false;
  connects = 0;
  /** When the connection was lost, and how long the longest way back was, ms. */
  private lostAt: number | null = null;
  longestLoss = 0;

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
    this.watch = setInterval(() => this.askWhereSilent(), SILENCE / 4).unref();
  }

  /** @param url where this page's line begins */
  static async open(user: TestUser, url: string, transports = ['websocket']): Promise<Page> {
    const page = new Page(user, url, transports);
    await page.reconnect();
    return page;
  }

  /** @returns null, and nothing stays open, where nobody has let it in after `patience` ms */
  static async openWithin(patience: number, user: TestUser, url: string): Promise<Page | null> {
    const page = new Page(user, url, ['websocket']);
    await Promise.race([page.reconnect(), sleep(patience)]);
    if (page.isConnected) return page;
    page.close();
    return null;
  }

  /** Sends a message and keeps at it until it is taken or refused. */
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

  /** One event of ours, without a second try. @throws when no ack came */
  async emit(name: 'generation:start', payload: GenerationStartPayload): Promise<Ack<GenerationStarted>>;
  async emit(name: 'generation:regenerate', payload: object): Promise<Ack<GenerationStarted>>;
  async emit(name: 'generation:stop', payload: { generationId: string }): Promise<Ack<GenerationStopped>>;
  async emit(
    name: 'generation:resume',
    payload: { generationId: string; afterSeq: number },
  ): Promise<Ack<GenerationResumed>>;
  async emit(name: keyof ClientToServerEvents, payload: object): Promise<Ack<unknown>> {
    const ack = (await this.socket
      .timeout(onThisMachine(ACK_TIMEOUT))
      .emitWithAck(name, payload as never)) as Ack<unknown>;
    if (!ack.ok) this.judge(ack.error);
    return ack;
  }

  /** Stops an answer, again and again until the server has heard it. */
  async stop(generationId: string): Promise<GenerationStopped | ErrorBody> {
    for (;;) {
      const ack = await this.emit('generation:stop', { generationId }).catch(() => null);
      if (ack?.ok) return ack.data;
      if (ack !== null && !ack.error.retryable) return ack.error;
      await sleep(PAUSE);
    }
  }

  /** Follows an answer that this page did not ask for, or no longer knows of, from its beginning. */
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

  /** What a hostile client may do. */
  get raw(): Socket {
    return this.socket;
  }

  get isConnected(): boolean {
    return this.socket.connected && this.isOwn;
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
      await sleep(PAUSE);
    }
  }

  private receive(event: GenerationEvent): void {
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

  /** Asks for what is missing; live events wait meanwhile. */
  private async resume(generationId: string): Promise<void> {
    if (this.held.has(generationId)) return;
    this.held.set(generationId, []);
    const answer = this.answer(generationId);
    answer.heardAt = performance.now();
    const { lastSeq } = answer;
    const ack = await this.emit('generation:resume', { generationId, afterSeq: lastSeq }).catch(() => null);
    const events = this.held.get(generationId) ?? [];
    this.held.delete(generationId);
    // What led nowhere is asked for again after a silence, not at once.
    if (ack === null || (!ack.ok && !this.isGone(generationId, ack.error))) return;
    if (!ack.ok) answer.resync(null, undefined);
    else if (ack.data.outcome === 'resync') answer.resync(ack.data.message, ack.data.seq);
    else events.unshift(...ack.data.events);
    for (const event of events) this.apply(event);
  }

  /**
   * Believed when another connection says it too. One whose session was lost just before it was made is a guest's, and
   * knows nothing of what the member has.
   */
  private isGone(generationId: string, error: ErrorBody): boolean {
    if (error.code !== 'not_found') return false;
    const saidOn = this.missing.get(generationId);
    if (saidOn !== undefined && saidOn !== this.connects) return true;
    this.missing.set(generationId, this.connects);
    this.socket.disconnect();
    return false;
  }

  /** An end can be lost on its way between processes, and then no gap shows it. */
  private askWhereSilent(): void {
    if (!this.isConnected) return;
    for (const id of this.followed) {
      const answer = this.answer(id);
      if (!answer.isClosed && performance.now() - answer.heardAt > SILENCE) void this.resume(id);
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
    if (this.connects > 1) this.longestLoss = Math.max(this.longestLoss, performance.now() - this.lostAt);
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
    await sleep(PAUSE);
  }

  /** A line that is cut between the handshake and the server's welcome shows as a loss of what never was there. */
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
    const fault = faultOfError(error);
    if (fault !== null) this.complaints.push(fault);
  }
}
