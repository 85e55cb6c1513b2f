import type { ServerResponse } from 'node:http';

/** Calls of `keepAlive` without a write that make a silence. Many short ones tell its length within one of them. */
export const SILENT_CALLS = 14;

/** A response of server-sent events. */
export class EventStream {
  private draining: Promise<void> | null = null;
  /** Calls of `keepAlive` since the last write. */
  private quietCalls = 0;
  /** Writes an event into a silence, be it the first one: clients give up on a stream without data, comments or not. */
  onSilence: () => void = () => undefined;

  constructor(private readonly response: ServerResponse) {}

  /** Resolves when the client has read enough, or has left; null while nothing waits. Events that are written meanwhile stay in memory. */
  get drained(): Promise<void> | null {
    return this.draining;
  }

  /** Sets the status and the headers, which the first events or `flush` send. */
  writeHead(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  }

  /** Sends the headers before the first event. */
  flush(): void {
    this.response.flushHeaders();
  }

  /** @param events complete events, each with its empty line */
  write(events: string): void {
    const { response } = this;
    if (events === '' || response.closed || response.writableEnded) return;
    this.quietCalls = 0;
    if (!response.write(events)) this.waitForDrain();
  }

  /** Calls `onSilence` in a silence, when the client has read what was written. */
  keepAlive(): void {
    this.quietCalls += 1;
    if (this.quietCalls >= SILENT_CALLS && this.draining === null && !this.response.writableEnded) this.onSilence();
  }

  end(events = ''): void {
    if (!this.response.closed) this.response.end(events);
  }

  /** Breaks the response off, so that the client sees no end. Node sends what was written in this turn first. */
  breakOff(error: Error): void {
    setImmediate(() => this.response.destroy(error));
  }

  private waitForDrain(): void {
    const { response } = this;
    this.draining ??= new Promise((resolve) => {
      const settle = (): void => {
        response.off('drain', settle);
        response.off('close', settle);
        this.draining = null;
        resolve();
      };
      response.on('drain', settle);
      response.on('close', settle);
    });
  }
}
