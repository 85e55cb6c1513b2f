import { randomUUID } from 'node:crypto';
import {
  applyPartChange,
  type Ack,
  type ClientToServerEvents,
  DEFAULT_MODEL_ID,
  type ErrorBody,
  type GenerationEvent,
  type GenerationResumed,
  type GenerationStarted,
  type GenerationStartPayload,
  type GenerationStopped,
  isPartChange,
  textOfParts,
  type Message,
  type MessagePart,
  type ServerToClientEvents,
  SOCKET_PATH,
} from '@tanya/contract';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import type { HttpClient } from './http-client.js';
import { WAIT_TIMEOUT_MS } from './wait-until.js';

/** Emits events that the library's types do not list. */
interface UntypedEmitter {
  emitWithAck(...event: unknown[]): Promise<unknown>;
}

type Options = Partial<ManagerOptions & SocketOptions>;

/** State of one answer in a page, built from its events. */
export class ShownAnswer {
  text = '';
  reasoning = '';
  parts: MessagePart[] = [];
  lastSeq = 0;
  /** Number of events that left a gap in the sequence, after which a page resumes. */
  gaps = 0;
  /** Number of events after the closing one. The server must not send any. */
  late = 0;
  closing: Extract<GenerationEvent, { type: 'end' | 'error' }> | null = null;
  readonly events: GenerationEvent[] = [];

  /** Applies an event as a page does. */
  apply(event: GenerationEvent): void {
    this.events.push(event);
    if (this.closing !== null) this.late += 1;
    else if (event.type === 'end' || event.type === 'error') this.closing = event;
    else if (event.seq <= this.lastSeq) return;
    else if (event.seq !== this.lastSeq + 1) this.gaps += 1;
    else if (event.type === 'text-delta') this.text += event.text;
    else if (event.type === 'reasoning-delta') this.reasoning += event.text;
    if (event.seq === this.lastSeq + 1 && isPartChange(event)) this.parts = applyPartChange(this.parts, event);
    if (event.type === 'part') {
      this.text = textOfParts(this.parts, 'text');
      this.reasoning = textOfParts(this.parts, 'reasoning');
    }
    if (event.seq === this.lastSeq + 1) this.lastSeq = event.seq;
  }
}

/** Socket of one page: Socket.IO's client with a browser's cookies. It records every event. */
export class SocketClient {
  readonly answers = new Map<string, ShownAnswer>();
  /** Names of all received events in order; `ack` stands for an acknowledgement. */
  readonly received: string[] = [];
  private readonly watchers = new Set<() => void>();

  private constructor(readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>) {
    socket.onAny((name: string, payload: unknown) => {
      this.received.push(name);
      if (name === 'generation:event') this.answer((payload as GenerationEvent).generationId).apply(payload as never);
      for (const watcher of this.watchers) watcher();
    });
  }

  static async connect(browser: HttpClient, options: Options = {}): Promise<SocketClient> {
    const client = new SocketClient(SocketClient.open(browser, options));
    await new Promise<void>((resolve, reject) => {
      client.socket.once('connect', resolve);
      client.socket.once('connect_error', reject);
      client.socket.connect();
    });
    return client;
  }

  /** Creates a socket without connecting it, for tests of the handshake. */
  static open(browser: HttpClient, options: Options = {}): Socket<ServerToClientEvents, ClientToServerEvents> {
    return io(browser.url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      reconnection: false,
      autoConnect: false,
      forceNew: true,
      ...options,
      extraHeaders: {
        ...(browser.cookies.size > 0 ? { Cookie: browser.cookieHeader } : {}),
        'X-Forwarded-For': browser.address,
        ...options.extraHeaders,
      },
    });
  }

  answer(generationId: string): ShownAnswer {
    const known = this.answers.get(generationId) ?? new ShownAnswer();
    this.answers.set(generationId, known);
    return known;
  }

  tryStart(text: string, fields: Partial<GenerationStartPayload> = {}): Promise<Ack<GenerationStarted>> {
    const payload = {
      clientMessageId: randomUUID(),
      threadId: null,
      model: DEFAULT_MODEL_ID,
      content: { text },
      ...fields,
    };
    return this.ask('generation:start', payload);
  }

  /** Sends a message. @throws when it is refused */
  async start(text: string, fields: Partial<GenerationStartPayload> = {}): Promise<GenerationStarted> {
    return dataOf(await this.tryStart(text, fields));
  }

  tryRegenerate(messageId: number, model?: string): Promise<Ack<GenerationStarted>> {
    const payload = { clientMessageId: randomUUID(), messageId, ...(model === undefined ? {} : { model }) };
    return this.ask('generation:regenerate', payload);
  }

  tryStop(generationId: string): Promise<Ack<GenerationStopped>> {
    return this.ask('generation:stop', { generationId });
  }

  tryResume(generationId: string, afterSeq: number): Promise<Ack<GenerationResumed>> {
    return this.ask('generation:resume', { generationId, afterSeq });
  }

  /** Emits any event and waits for its acknowledgement. */
  async ask<T>(...event: unknown[]): Promise<Ack<T>> {
    const emitter = this.socket.timeout(WAIT_TIMEOUT_MS) as unknown as UntypedEmitter;
    const ack = (await emitter.emitWithAck(...event)) as Ack<T>;
    this.received.push('ack');
    return ack;
  }

  /** Waits for the first text of an answer, or for its end. */
  async firstText(generationId: string): Promise<ShownAnswer> {
    await this.until(() => this.answer(generationId).text !== '' || this.answer(generationId).closing !== null);
    return this.answer(generationId);
  }

  /** Waits for the closing event of an answer. */
  async ended(generationId: string): Promise<ShownAnswer & { message: Message }> {
    await this.until(() => this.answer(generationId).closing !== null);
    const answer = this.answer(generationId);
    return Object.assign(answer, { message: answer.closing!.message });
  }

  /** Waits for a condition, which is checked after every event. */
  async until(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (done: () => void) => {
        this.watchers.delete(watcher);
        clearTimeout(timer);
        done();
      };
      const watcher = () => condition() && settle(resolve);
      const timer = setTimeout(
        () => settle(() => reject(new Error(`timed out; received: ${this.received.slice(-20).join(', ')}`))),
        WAIT_TIMEOUT_MS,
      );
      this.watchers.add(watcher);
    });
  }

  async close(): Promise<void> {
    if (!this.socket.connected) return;
    const closed = new Promise((resolve) => this.socket.once('disconnect', resolve));
    this.socket.disconnect();
    await closed;
  }
}

/** Data of an accepted event. @throws when it was refused */
export function dataOf<T>(ack: Ack<T>): T {
  if (!ack.ok) throw new Error(`refused: ${ack.error.code} ${ack.error.message}`);
  return ack.data;
}

/** Error of a refused event, whose shape is checked. @throws when it was accepted */
export function refusalOf(ack: Ack<unknown>): ErrorBody {
  if (ack.ok) throw new Error('the event was accepted');
  expect(ack.error).toMatchObject({
    statusCode: expect.any(Number) as number,
    message: expect.any(String) as string,
    retryable: expect.any(Boolean) as boolean,
    requestId: expect.any(String) as string,
  });
  return ack.error;
}
