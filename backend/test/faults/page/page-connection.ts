import {
  type Ack,
  type ClientToServerEvents,
  type ErrorBody,
  type ServerToClientEvents,
  SOCKET_PATH,
} from '@tanya/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { violationOfError } from '../audits/error-check.js';
import { onThisMachine } from '../pace.js';
import type { TestUser } from './test-user.js';

/** Timeout of an acknowledgement, ms. */
const ACK_TIMEOUT_MS = 5_000;

/** Pause between retries, ms. */
export const RETRY_PAUSE_MS = 120;

type EventName = keyof ClientToServerEvents;
type PayloadOf<E extends EventName> = Parameters<ClientToServerEvents[E]>[0];
type AckOf<E extends EventName> = Parameters<Parameters<ClientToServerEvents[E]>[1]>[0];

/** The socket of a page. It signs in again when its session is lost, and reconnects until it is closed. */
export class PageConnection {
  readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  /** Connections so far. */
  connects = 0;
  /** Times from a disconnect to the next connection, ms. */
  readonly losses: number[] = [];
  isClosed = false;
  private readonly headers: Record<string, string> = {};
  private isConnecting = false;
  /** Whether the connection belongs to this user; a session lost before the handshake makes it a guest's. */
  private isOwn = false;
  /** Time of the disconnect. */
  private lostAt: number | null = null;
  /** Time of the last event or successful acknowledgement, and the longest time between two of them, ms. */
  private servedAt = performance.now();
  private longestPause = 0;

  constructor(
    private readonly user: TestUser,
    private readonly url: string,
    transports: string[],
    private readonly on: { connect: () => void; violation: (violation: string) => void },
  ) {
    this.socket = io(url, {
      path: SOCKET_PATH,
      transports,
      reconnection: false,
      autoConnect: false,
      forceNew: true,
      timeout: onThisMachine(5_000),
      extraHeaders: this.headers,
    });
    this.socket.on('generation:event', () => this.noteService());
    this.socket.on('disconnect', () => {
      this.isOwn = false;
      void this.connect();
    });
  }

  get isConnected(): boolean {
    return this.socket.connected && this.isOwn;
  }

  /** Resolves when the page is connected as its user, or closed. */
  async connect(): Promise<void> {
    this.lostAt ??= performance.now();
    if (this.isConnecting) return;
    this.isConnecting = true;
    while (!this.isClosed && !this.isConnected)
      await this.tryConnect().catch((error: unknown) => this.pauseAfter(error));
    this.isConnecting = false;
    if (this.isClosed) return;
    this.connects += 1;
    if (this.connects > 1) this.losses.push(performance.now() - this.lostAt);
    this.lostAt = null;
    this.on.connect();
  }

  /** Emits one event without retries. @throws when the acknowledgement times out */
  async emit<E extends EventName>(name: E, payload: PayloadOf<E>): Promise<AckOf<E>> {
    const ack = await this.acknowledgement(name, payload);
    if (ack.ok) this.noteService();
    else this.checkError(ack.error);
    return ack as AckOf<E>;
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
    this.socket.disconnect();
  }

  private async acknowledgement(name: EventName, payload: object): Promise<Ack<unknown>> {
    const socket = this.socket.timeout(onThisMachine(ACK_TIMEOUT_MS));
    return (await socket.emitWithAck(name, payload as never)) as Ack<unknown>;
  }

  private noteService(): void {
    const now = performance.now();
    this.longestPause = Math.max(this.longestPause, now - this.servedAt);
    this.servedAt = now;
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

  private async pauseAfter(error: unknown): Promise<void> {
    const body = (error as { data?: ErrorBody }).data;
    if (body !== undefined) this.checkError(body);
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

  private checkError(error: ErrorBody): void {
    const violation = violationOfError(error);
    if (violation !== null) this.on.violation(violation);
  }
}
