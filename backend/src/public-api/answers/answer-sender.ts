import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { AnswerPiece } from '../../chat/generation/detached/detached-answer.js';
import { DetachedGenerations } from '../../chat/generation/detached/detached-generations.js';
import type { StoredAnswer, WrittenAnswer } from '../../chat/generation/detached/written-answer.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import type { Identity } from '../../identity/identity.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { toAppError } from '../../platform/errors/error-body.js';
import { EventStream, SILENT_CALLS } from '../../platform/http/event-stream.js';
import { jsonInSlices } from '../../platform/json/json-writer.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { setQuotaHeaders } from '../quota-headers.js';
import type { StartedAnswer } from './answers.service.js';

/**
 * Names the model that answers, in a header. It is unknown while fallbacks may answer and none has begun. Characters beyond
 * ASCII, which no header may have, are percent-encoded.
 */
export const setModelUsed = (response: ServerResponse, model: string): void =>
  void response.setHeader('x-model-used', model.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent));

/** One answer as the clients of one API read it: whole, or as events. */
export interface AnswerEncoder {
  whole(answer: StoredAnswer): object;
  /** Names the model that answers, which may be another than the asked one. */
  nameModel(model: string): void;
  /** Whether the answer may start before its model is known: later events name it too. */
  readonly startsUnnamed: boolean;
  /** The events before the first piece. */
  startEvents(): string;
  pieceEvents(piece: AnswerPiece): string;
  /** Whether a piece is left out as if it were not written; none by default. */
  hides?(piece: AnswerPiece): boolean;
  /** What keeps the client waiting. @param hasJustStarted whether it follows the start at once */
  keepAliveEvents(hasJustStarted: boolean): string;
  /** The events after the last piece. */
  endEvents(answer: WrittenAnswer): string;
  /** The event that ends an incomplete answer. */
  errorEvent(error: AppError): string;
}

/**
 * Keeps streams open while a model is silent: proxies and clients cut connections without events, which would count as a stop.
 * One timer serves all streams.
 */
@Injectable()
export class KeepAlive {
  private readonly streams = new Set<EventStream>();

  constructor(@Inject(TIMINGS) { keepAlive }: Timings, background: BackgroundWork) {
    // A silence is ended at the 14th of the 15 calls that `keepAlive` has time for: late, because its event also sends the
    // headers, perhaps before the model is known, and one call early, because a call may be late itself.
    background.repeat('keep-alive of streams', keepAlive / (SILENT_CALLS + 1), () => {
      for (const stream of this.streams) {
        try {
          stream.keepAlive();
        } catch (error) {
          // The other streams go on.
          stream.breakOff(error as Error);
        }
      }
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

/** Sends the answers of completions to their clients, as events or whole. */
@Injectable()
export class AnswerSender {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly keepAlive: KeepAlive,
  ) {}

  /**
   * Sends the answer of a completion, which a disconnect stops.
   * @throws AppError before anything of the answer is sent
   */
  async send(
    identity: Identity,
    response: Response,
    completion: StartedAnswer,
    { isStreamed, encoder }: { isStreamed: boolean; encoder: AnswerEncoder },
  ): Promise<void> {
    setQuotaHeaders(response, completion.quota);
    this.stopOnDisconnect(identity, response, completion);
    if (isStreamed) return this.stream(identity, response, completion, encoder);
    const answer = await this.generations.storedAnswer(identity.owner, completion.generationId);
    setModelUsed(response, answer.model ?? completion.model);
    // Likelihoods have millions of characters.
    const json = await jsonInSlices(encoder.whole(answer));
    response.type('json').end(json);
  }

  /** Stops a completion whose client leaves before the end of the response. */
  stopOnDisconnect({ owner }: Identity, response: Response, { isOwn, generationId }: StartedAnswer): void {
    // One that an earlier request has started has a reader of its own.
    if (!isOwn) return;
    const stop = (): void => {
      if (!response.writableFinished) void this.generations.abandon(owner, generationId);
    };
    // The client may have disconnected before the generation existed.
    if (response.closed) stop();
    else response.on('close', stop);
  }

  private async stream(
    { owner }: Identity,
    response: Response,
    completion: StartedAnswer,
    encoder: AnswerEncoder,
  ): Promise<void> {
    const stream = new AnswerStream(response, this.keepAlive.open(response), encoder, completion);
    try {
      stream.end(await this.generations.follow(owner, completion, (piece, model) => stream.write(piece, model)));
    } catch (error) {
      if (!stream.hasBegun) throw error;
      stream.fail(toAppError(error));
    }
  }
}

/**
 * Writes the pieces of an answer as server-sent events. The response begins with the first piece, of reasoning too, or with the
 * first keep-alive: an earlier failure still gets its own HTTP status. While the client does not read, pieces are joined, which
 * bounds the buffered data by the size of the answer.
 */
export class AnswerStream {
  /** The model that answers; null while it is unknown. */
  private model: string | null;
  private isStarted = false;
  /** Pieces that wait for the client to read. */
  private waiting: AnswerPiece[] = [];

  /** @param asked the model; `mayFallBack` if another one may answer, which the first piece then tells */
  constructor(
    private readonly response: ServerResponse,
    private readonly events: EventStream,
    private readonly encoder: AnswerEncoder,
    private readonly asked: { model: string; mayFallBack?: boolean },
  ) {
    this.model = asked.mayFallBack === true ? null : asked.model;
    events.onSilence = () => this.keepAlive();
  }

  /** Whether the response's head has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** @param model that wrote the piece; the asked one by default */
  write(piece: AnswerPiece, model?: string): void {
    if (this.encoder.hides?.(piece)) return;
    this.start(model);
    if (this.events.drained !== null || this.waiting.length > 0) this.buffer(piece);
    else this.events.write(this.encoder.pieceEvents(piece));
  }

  end(answer: WrittenAnswer): void {
    this.start(answer.model);
    this.events.end(this.takeWaiting() + this.encoder.endEvents(answer));
  }

  /** Ends an incomplete answer with an error event after the text sent so far. */
  fail(error: AppError): void {
    this.events.end(this.takeWaiting() + this.encoder.errorEvent(error));
  }

  /** Sends the events before the first piece, once. The model is known from then on. */
  private start(model = this.asked.model): void {
    if (this.model === null) {
      this.model = model;
      this.encoder.nameModel(model);
    }
    if (this.isStarted) return;
    this.isStarted = true;
    this.send(this.encoder.startEvents());
  }

  private keepAlive(): void {
    const starts = !this.isStarted && (this.model !== null || this.encoder.startsUnnamed);
    this.isStarted ||= starts;
    this.send((starts ? this.encoder.startEvents() : '') + this.encoder.keepAliveEvents(starts));
  }

  /** Sends the head of the response, once, and events. */
  private send(events: string): void {
    if (!this.hasBegun) {
      if (this.model !== null) setModelUsed(this.response, this.model);
      this.events.writeHead();
    }
    this.events.write(events);
  }

  private takeWaiting(): string {
    const pieces = this.waiting;
    this.waiting = [];
    return pieces.map((piece) => this.encoder.pieceEvents(piece)).join('');
  }

  private buffer(piece: AnswerPiece): void {
    if (this.waiting.length === 0) void this.events.drained?.then(() => this.events.write(this.takeWaiting()));
    const last = this.waiting.at(-1);
    const joined = last && joinedWith(last, piece);
    if (joined) this.waiting[this.waiting.length - 1] = joined;
    else this.waiting.push(piece);
  }
}

/** Two pieces as one; null when the second does not continue the first. */
function joinedWith(last: AnswerPiece, next: AnswerPiece): AnswerPiece | null {
  if (last.choice !== next.choice) return null;
  if (last.type === 'text' && next.type === 'text') return { ...last, text: last.text + next.text };
  if (last.type === 'reasoning' && next.type === 'reasoning' && last.name === next.name)
    return { ...last, text: last.text + next.text };
  if (last.type !== 'client-call' || next.type !== 'client-call') return null;
  if (next.index !== last.index || next.start !== undefined) return null;
  return { ...last, ...next, json: last.json + next.json };
}
