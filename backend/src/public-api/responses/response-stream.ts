import { once } from 'node:events';
import type { Response } from 'express';
import type { EventSource, SequencedEvent } from './response-recording.js';
import { type ResponseHead, RUNNING, toResponse } from './response-view.js';

const BEGINS = new Set(['response.created', 'response.in_progress']);
const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Writes the events of a response as server-sent events, from a number on, at the pace of the client. */
export async function sendEvents(
  response: Response,
  head: ResponseHead,
  source: EventSource,
  from: number,
): Promise<void> {
  const release = source.hold();
  response.on('close', () => source.wake());
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  try {
    for (let next = from; !response.closed;) {
      const read = await source.readFrom(next);
      if (read === null) break;
      for (const event of read.events) await write(response, await withResponse(event, head, source));
      next += read.events.length;
      if (read.isClosed) break;
      if (read.events.length === 0 && !response.closed) await source.changed();
    }
    response.end();
  } catch (error) {
    // The client sees that the stream is incomplete, and resumes.
    response.destroy(error as Error);
  } finally {
    release();
  }
}

async function withResponse(event: SequencedEvent, head: ResponseHead, source: EventSource): Promise<SequencedEvent> {
  if (BEGINS.has(event.type)) return { ...event, response: toResponse(head, RUNNING) };
  if (ENDS.has(event.type)) return { ...event, response: toResponse(head, await source.state()) };
  return event;
}

async function write(response: Response, event: SequencedEvent): Promise<void> {
  if (response.closed) return;
  if (response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)) return;
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  await once(response, 'drain', { signal: left.signal }).catch(() => undefined);
  response.off('close', leave);
}
