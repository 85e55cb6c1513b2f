import type { ServerResponse } from 'node:http';
import type { ResponseItem, ResponseState } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { TIMINGS, type Timings } from '../../config/timings.js';
import type { Identity } from '../../identity/identity.js';
import { AppError } from '../../platform/errors/app-error.js';
import { EventStream, SILENT_CALLS } from '../../platform/http/event-stream.js';
import { AnswerSender, setModelUsed } from '../answers/answer-sender.js';
import { setQuotaHeaders } from '../quota-headers.js';
import type { SequencedEvent } from './event-buffer.js';
import { type OpenedStream, ResponsesService, type StartedResponse } from './responses.service.js';
import { type ResponseHead, RUNNING, toResponse } from './response-view.js';

const BEGINS = new Set(['response.created', 'response.in_progress']);
const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Events of one write, which bounds what waits for a client that does not read. */
const BATCH = 100;

/** Sends responses to their clients, as events or whole. */
@Injectable()
export class ResponseSender {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly responses: ResponsesService,
    private readonly answers: AnswerSender,
  ) {}

  /** @throws AppError before anything of the response is sent */
  async send(identity: Identity, response: Response, started: StartedResponse, isStreamed: boolean): Promise<void> {
    const { head, completion } = started;
    setQuotaHeaders(response, completion.quota);
    // A stored stream runs on without a reader for a time; every other disconnect is a stop.
    if (!(isStreamed && head.settings.store)) this.answers.stopOnDisconnect(identity, response, completion);
    if (!isStreamed) {
      const whole = await this.responses.complete(identity, started);
      setModelUsed(response, whole.model);
      response.json(whole);
      return;
    }
    const source = await this.responses.stream(identity, started);
    // As late as the first event of other streams.
    if (completion.mayFallBack)
      await source.untilAnswered((this.timings.modelHeader * SILENT_CALLS) / (SILENT_CALLS + 1));
    const model = completion.mayFallBack ? source.model : completion.model;
    if (model !== undefined) setModelUsed(response, model);
    await sendEvents(response, { head, source, from: 0 });
  }
}

/**
 * Writes the events of a response as server-sent events, at the pace of the client. A failure after the first events breaks
 * the stream off.
 * @throws AppError `stream_expired` when the first events are no longer kept
 */
export async function sendEvents(response: ServerResponse, { head, source, from }: OpenedStream): Promise<void> {
  const stream = new EventStream(response);
  const release = source.addReader();
  response.on('close', () => source.wake());
  try {
    for (let next = from; !response.closed;) {
      const read = await source.readFrom(next);
      if (read === null) throw new AppError('stream_expired');
      if (!response.headersSent) {
        stream.writeHead();
        stream.flush();
      }
      for (let at = 0; at < read.events.length && !response.closed; at += BATCH) {
        const events = read.events.slice(at, at + BATCH);
        const ended = events.some(({ type }) => ENDS.has(type)) ? await source.state() : null;
        stream.write(encode(events, head, source.model, ended));
        if (stream.drained !== null) await stream.drained;
      }
      next += read.events.length;
      if (read.isClosed) break;
      if (read.events.length === 0 && !response.closed) await source.changed(next);
    }
    stream.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    // The client sees that the stream is incomplete, and resumes.
    stream.breakOff(error as Error);
  } finally {
    release();
  }
}

/** @param ended how the response ended; null while it runs */
function encode(
  events: readonly SequencedEvent[],
  head: ResponseHead,
  model: string | undefined,
  ended: ResponseState | null,
): string {
  let text = '';
  const running = { ...RUNNING, ...(model !== undefined && { model }) };
  for (const { type, json } of events) {
    let data = json;
    if (BEGINS.has(type)) data = begun(json, head, running);
    else if (ENDS.has(type) && ended !== null) data = withResponse(json, head, ended);
    text += `event: ${type}\ndata: ${data}\n\n`;
  }
  return text;
}

/** The JSON of an event of a running response, whose `output` becomes that of the response. */
function begun(json: string, head: ResponseHead, running: ResponseState): string {
  const { output = [], ...event } = JSON.parse(json) as { output?: ResponseItem[] };
  return withResponse(JSON.stringify(event), head, { ...running, output });
}

/** Adds the response to the JSON of an event. */
const withResponse = (json: string, head: ResponseHead, state: ResponseState): string =>
  `${json.slice(0, -1)},"response":${JSON.stringify(toResponse(head, state))}}`;
