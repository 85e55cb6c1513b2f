import type { AnswerPiece } from './live/answer-piece.js';
import type { RunEvent } from './live/generation-run.js';
import type { ClientReasoning, Logprobs, ReasoningName, WrittenAnswer } from './store/generation-store.js';

type Written = Pick<WrittenAnswer, 'text' | 'calls' | 'reasoning' | 'logprobs' | 'choices'>;

/** Emits a detached answer in pieces, from its beginning and each character once, whenever the client joined it. */
export class AnswerPieceEmitter {
  private textLength = 0;
  private reasoningLength = 0;
  private hasDetails = false;
  private readonly calls: number[] = [];
  private readonly logprobs = { content: 0, refusal: 0 };
  /** Of further answers, by their numbers. */
  private readonly others = new Map<number, AnswerPieceEmitter>();

  constructor(private readonly onPiece: (piece: AnswerPiece) => void) {}

  /** Sends the rest of the answer as it is now. */
  sendRest({ text, calls = [], reasoning, logprobs, choices = [] }: Written): void {
    for (const { choice, ...other } of choices) this.emitterOf(choice).sendRest(other);
    if (reasoning !== undefined) this.sendReasoning(reasoning);
    if (text.length > this.textLength) this.send({ type: 'text', text: text.slice(this.textLength) });
    calls.forEach(({ id, name, arguments: json }, index) => {
      const sent = this.calls[index];
      if (sent === undefined) this.send({ type: 'client-call', index, start: { id, name }, json });
      else if (json.length > sent) this.send({ type: 'client-call', index, json: json.slice(sent) });
    });
    if (logprobs !== undefined) this.sendLogprobs(logprobs);
  }

  /** Sends the piece of an event of the run. @param name of its reasoning */
  sendEvent(event: RunEvent, name: ReasoningName): void {
    if (event.type === 'piece') this.sendPiece(event.piece);
    else if (event.type === 'text-delta') this.send({ type: 'text', text: event.text });
    else if (event.type === 'client-call') this.send(event);
    else if (event.type === 'reasoning-delta') this.send({ type: 'reasoning', name, text: event.text });
  }

  /** Sends a piece that the run has made: of a further answer, or likelihoods. */
  private sendPiece({ choice, ...piece }: AnswerPiece): void {
    if (choice === undefined) this.send(piece);
    else this.emitterOf(choice).send(piece);
  }

  private emitterOf(choice: number): AnswerPieceEmitter {
    const known = this.others.get(choice);
    if (known !== undefined) return known;
    const emitter = new AnswerPieceEmitter((piece) => this.onPiece({ ...piece, choice }));
    this.others.set(choice, emitter);
    return emitter;
  }

  private sendLogprobs({ content, refusal }: Logprobs): void {
    const rest = { content: content.slice(this.logprobs.content), refusal: refusal.slice(this.logprobs.refusal) };
    if (rest.content.length + rest.refusal.length > 0) this.send({ type: 'logprobs', ...rest });
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
    else if (piece.type === 'logprobs') {
      this.logprobs.content += piece.content.length;
      this.logprobs.refusal += piece.refusal.length;
    } else this.calls[piece.index] = (this.calls[piece.index] ?? 0) + piece.json.length;
    this.onPiece(piece);
  }
}
