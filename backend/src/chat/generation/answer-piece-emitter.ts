import type { ClientCallDelta } from './live/client-calls.js';
import type { RunEvent } from './live/generation-run.js';
import type { ClientReasoning, ReasoningName, WrittenAnswer } from './store/generation-store.js';

/** The next piece of a detached answer, as its client reads it. */
export type AnswerPiece =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; name: ReasoningName; text: string }
  /** All of them, once. */
  | { type: 'reasoning-details'; details: unknown[] }
  | ClientCallDelta;

/** Emits a detached answer in pieces, from its beginning and each character once, whenever the client joined it. */
export class AnswerPieceEmitter {
  private textLength = 0;
  private reasoningLength = 0;
  private hasDetails = false;
  private readonly calls: number[] = [];

  constructor(private readonly onPiece: (piece: AnswerPiece) => void) {}

  /** Sends the rest of the answer as it is now. */
  sendRest({ text, calls = [], reasoning }: Pick<WrittenAnswer, 'text' | 'calls' | 'reasoning'>): void {
    if (reasoning !== undefined) this.sendReasoning(reasoning);
    if (text.length > this.textLength) this.send({ type: 'text', text: text.slice(this.textLength) });
    calls.forEach(({ id, name, arguments: json }, index) => {
      const sent = this.calls[index];
      if (sent === undefined) this.send({ type: 'client-call', index, start: { id, name }, json });
      else if (json.length > sent) this.send({ type: 'client-call', index, json: json.slice(sent) });
    });
  }

  /** Sends the piece of an event of the run. @param name of its reasoning */
  sendEvent(event: RunEvent, name: ReasoningName): void {
    if (event.type === 'text-delta') this.send({ type: 'text', text: event.text });
    else if (event.type === 'client-call') this.send(event);
    else if (event.type === 'reasoning-delta') this.send({ type: 'reasoning', name, text: event.text });
  }

  private sendReasoning({ name, text, details }: ClientReasoning): void {
    const rest = text.slice(this.reasoningLength);
    if (rest !== '') this.send({ type: 'reasoning', name, text: rest });
    if (details !== undefined && !this.hasDetails) this.send({ type: 'reasoning-details', details });
  }

  private send(piece: AnswerPiece): void {
    if (piece.type === 'text') this.textLength += piece.text.length;
    else if (piece.type === 'reasoning') this.reasoningLength += piece.text.length;
    else if (piece.type === 'reasoning-details') this.hasDetails = true;
    else this.calls[piece.index] = (this.calls[piece.index] ?? 0) + piece.json.length;
    this.onPiece(piece);
  }
}
