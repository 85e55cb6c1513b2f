import type { ServerResponse } from 'node:http';
import type { AnswerPiece } from '../../chat/generation/detached/detached-answer.js';
import type { StoredAnswer, WrittenAnswer } from '../../chat/generation/detached/written-answer.js';
import type { AppError } from '../../platform/errors/app-error.js';
import type { EventStream } from '../../platform/http/event-stream.js';

/** Names the model that answers, in a header. It is unknown while fallbacks may answer and none has begun. */
export const setModelUsed = (response: ServerResponse, model: string): void =>
  void response.setHeader('x-model-used', model);

/** One answer as the clients of one API read it: whole, or as events. */
export interface AnswerEncoder {
  whole(answer: StoredAnswer): object;
  /** The events before the first piece, unless `keepAliveEvents` has sent them. @param model that answers */
  startEvents(model: string): string;
  pieceEvents(piece: AnswerPiece): string;
  /** Whether a piece is left out as if it were not written; none by default. */
  hides?(piece: AnswerPiece): boolean;
  /** What keeps the client waiting. @param model that answers; null while it is unknown */
  keepAliveEvents(model: string | null): string;
  /** The events after the last piece. */
  endEvents(answer: WrittenAnswer): string;
  /** The event that ends an incomplete answer. */
  errorEvent(error: AppError): string;
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
    events.onSilence = () => this.send(this.encoder.keepAliveEvents(this.model));
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
    if (this.isStarted) return;
    this.isStarted = true;
    this.model ??= model;
    this.send(this.encoder.startEvents(this.model));
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
  return { ...last, json: last.json + next.json };
}
