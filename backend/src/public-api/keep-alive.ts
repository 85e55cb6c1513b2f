import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { EventStream, SILENT_CALLS } from '../platform/http/event-stream.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';

/**
 * Keeps streams open while a model is silent: proxies and clients cut connections without events, which would count as a stop.
 * One timer serves all streams.
 */
@Injectable()
export class KeepAlive {
  private readonly streams = new Set<EventStream>();

  constructor(@Inject(TIMINGS) { keepAlive }: Timings, background: BackgroundWork) {
    // An event in a silence also sends the headers, perhaps before the model is known, so it comes late: after 13 to 14 of the
    // 15 calls in `keepAlive`. The last one is left for a call that is late itself.
    background.repeat('keep-alive of streams', keepAlive / (SILENT_CALLS + 1), () => {
      for (const stream of this.streams) stream.keepAlive();
    });
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
