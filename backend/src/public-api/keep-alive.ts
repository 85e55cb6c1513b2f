import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { EventStream } from '../platform/http/event-stream.js';

/**
 * Keeps streams open while a model reasons: proxies cut connections without bytes, which would count as a stop. One timer
 * serves all streams.
 */
@Injectable()
export class KeepAlive implements OnModuleDestroy {
  private readonly streams = new Set<EventStream>();
  private readonly timer: NodeJS.Timeout;

  constructor(@Inject(TIMINGS) { keepAlive }: Timings) {
    // A stream is quiet from one tick to the next, so it is silent for two intervals at most.
    this.timer = setInterval(() => {
      for (const stream of this.streams) stream.keepAlive();
    }, keepAlive / 2).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** The stream of a response, kept alive until the response is closed. */
  open(response: ServerResponse): EventStream {
    const stream = new EventStream(response);
    if (response.closed) return stream;
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    return stream;
  }
}
