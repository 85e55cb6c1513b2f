import type { AnswerPiece } from '../../chat/generation/detached-generations.js';
import type { EventStream } from '../../platform/http/event-stream.js';

/**
 * Writes the pieces of an answer as events. While the client does not read, pieces are joined, which bounds the buffered data
 * by the size of the answer.
 */
export class HeldPieces {
  /** Pieces that wait for the client to read. */
  private waiting: AnswerPiece[] = [];

  constructor(
    private readonly events: EventStream,
    private readonly encode: (piece: AnswerPiece) => string,
  ) {}

  write(piece: AnswerPiece): void {
    if (this.events.drained !== null || this.waiting.length > 0) this.hold(piece);
    else this.events.write(this.encode(piece));
  }

  /** The events of the pieces that wait. */
  take(): string {
    const pieces = this.waiting;
    this.waiting = [];
    return pieces.map(this.encode).join('');
  }

  private hold(piece: AnswerPiece): void {
    if (this.waiting.length === 0) void this.events.drained?.then(() => this.events.write(this.take()));
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
