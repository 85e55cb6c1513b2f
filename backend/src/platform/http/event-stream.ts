import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A comment, which clients ignore. */
const COMMENT = ': keep-alive\n\n';

/**
 * Server-sent events of one response. Events that follow the first ones are one write to the TCP socket: `response.write`
 * makes four writes of each chunk and joins them again, which costs more than everything else that an event does here.
 */
export class EventStream {
  private draining: Promise<void> | null = null;
  private isHeadSent = false;
  /** Whether nothing was written since the last call of `keepAlive`. */
  private isQuiet = false;

  constructor(private readonly response: ServerResponse) {}

  /** Resolves when the client has read enough, or has left; null while nothing waits. Events that are written meanwhile stay in memory. */
  get drained(): Promise<void> | null {
    return this.draining;
  }

  /** Sets the status and the headers, which the first events or `flush` send. */
  begin(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  }

  /** Sends the headers before the first event. */
  flush(): void {
    this.response.flushHeaders();
    this.isHeadSent = true;
  }

  /** @param events complete events, each with its empty line */
  write(events: string): void {
    const { response } = this;
    if (events === '' || response.closed || response.writableEnded) return;
    this.isQuiet = false;
    const socket = this.idleSocket;
    if (socket === null) {
      this.isHeadSent = true;
      if (!response.write(events)) this.waitFor(response);
      return;
    }
    const bytes = Buffer.byteLength(events);
    const chunk = `${bytes.toString(16)}\r\n${events}\r\n`;
    if (!socket.write(chunk, bytes === events.length ? 'latin1' : 'utf8')) this.waitFor(socket);
  }

  /** Writes a comment when nothing was written since the last call. Before `begin` there is nothing to keep alive. */
  keepAlive(): void {
    if (this.isQuiet && this.draining === null && this.response.headersSent) this.write(COMMENT);
    this.isQuiet = true;
  }

  /** Writes the last events and ends the response. */
  end(events = ''): void {
    if (!this.response.closed) this.response.end(events);
  }

  /** The socket of a response without a queue; null where a direct write would overtake, or break the framing. */
  private get idleSocket(): Socket | null {
    const { socket, chunkedEncoding, writableLength } = this.response;
    const isIdle = this.isHeadSent && chunkedEncoding && writableLength === 0;
    return isIdle && socket !== null && !socket.destroyed ? socket : null;
  }

  private waitFor(writable: EventEmitter): void {
    this.draining ??= new Promise((resolve) => {
      const settle = (): void => {
        writable.off('drain', settle);
        this.response.off('close', settle);
        this.draining = null;
        resolve();
      };
      writable.on('drain', settle);
      this.response.on('close', settle);
    });
  }
}
