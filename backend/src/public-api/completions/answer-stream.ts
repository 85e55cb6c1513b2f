import type { ServerResponse } from 'node:http';
import type { AnswerPiece } from '../../chat/generation/detached-generations.js';
import type { EventStream } from '../../platform/http/event-stream.js';

/** Names the model that answers, in a header. It is unknown while fallbacks may answer and none has begun. */
export const setModelUsed = (response: ServerResponse, model: string): void =>
  void response.setHeader('x-model-used', model);

/**
 * Writes the pieces of an answer as server-sent events. The response begins with the first piece, of reasoning too, or with the
 * first silence: an earlier failure still gets its own HTTP status. While the client does not read, pieces are joined, which
 * bounds the buffered data by the size of the answer.
 */
export abstract class AnswerStream<Head extends { model: string }> {
  /** Whether the model that answers is known. */
  protected isAnswered: boolean;
  /** Pieces that wait for the client to read. */
  private waiting: AnswerPiece[] = [];

  /** @param head with the asked model; `mayFallBack` if another one may answer, which the first piece then tells */
  constructor(
    private readonly response: ServerResponse,
    protected readonly events: EventStream,
    protected head: Head & { mayFallBack?: boolean },
  ) {
    this.isAnswered = head.mayFallBack !== true;
    events.onSilence = () => this.fillSilence();
  }

  /** Whether the response's head has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** @param model that wrote the piece; the asked one by default */
  write(piece: AnswerPiece, model?: string): void {
    this.start(model);
    if (this.events.drained !== null || this.waiting.length > 0) this.hold(piece);
    else this.events.write(this.encode(piece));
  }

  /** Writes what keeps the client waiting. */
  protected abstract fillSilence(): void;

  /** Writes the first event, once. */
  protected abstract begin(): void;

  /** The events of a piece. */
  protected abstract encode(piece: AnswerPiece): string;

  /** Begins the answer of a model. */
  protected start(model = this.head.model): void {
    if (!this.isAnswered) this.answeredBy(model);
    this.begin();
  }

  protected answeredBy(model: string): void {
    this.isAnswered = true;
    this.head = { ...this.head, model };
  }

  /** Sends the head of the response, once. */
  protected sendHead(): void {
    if (this.hasBegun) return;
    if (this.isAnswered) setModelUsed(this.response, this.head.model);
    this.events.begin();
  }

  /** The events of the pieces that wait. */
  protected takeWaiting(): string {
    const pieces = this.waiting;
    this.waiting = [];
    return pieces.map((piece) => this.encode(piece)).join('');
  }

  private hold(piece: AnswerPiece): void {
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
