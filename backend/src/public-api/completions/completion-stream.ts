import type { ChatCompletionChunk, FunctionCallDelta } from '@tanya/contract';
import type { Response } from 'express';
import type { AnswerPiece, StoredAnswer } from '../../chat/generation/detached-generations.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { toPublicApiError } from '../public-api-error.js';
import { type CompletionHead, type Delta, toChunk, toFinishReason, toUsageChunk } from './completion-view.js';

/**
 * Writes an answer as server-sent events. The response begins with the first piece, so that an earlier failure still gets
 * its own HTTP status. Under backpressure pieces are joined, which bounds the buffered data by the size of the answer.
 */
export class CompletionStream {
  /** Pieces that wait for the socket to drain. */
  private buffered: AnswerPiece[] = [];

  constructor(
    private readonly response: Response,
    private readonly head: CompletionHead,
  ) {
    response.on('drain', () => this.flush());
  }

  /** Whether the response's head has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  write(piece: AnswerPiece): void {
    this.begin();
    const last = this.buffered.at(-1);
    const joined = last && joinedWith(last, piece);
    if (joined) this.buffered[this.buffered.length - 1] = joined;
    else this.buffered.push(piece);
    if (!this.response.writableNeedDrain) this.flush();
  }

  end(answer: StoredAnswer, includeUsage: boolean): void {
    this.begin();
    this.flush();
    this.send(toChunk(this.head, {}, toFinishReason(answer.finishReason)));
    if (includeUsage) this.send(toUsageChunk(this.head, answer));
    this.sendLine('[DONE]');
    this.response.end();
  }

  /** Ends an incomplete answer with an error event after the text sent so far. */
  fail(error: AppError): void {
    this.flush();
    this.send(toPublicApiError(error));
    this.response.end();
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    this.send(toChunk(this.head, { role: 'assistant', content: '' }));
  }

  private flush(): void {
    const pieces = this.buffered;
    this.buffered = [];
    for (const piece of pieces) for (const delta of deltasOf(piece)) this.send(toChunk(this.head, delta));
  }

  private send(data: ChatCompletionChunk | ReturnType<typeof toPublicApiError>): void {
    this.sendLine(JSON.stringify(data));
  }

  private sendLine(line: string): void {
    if (!this.response.closed) this.response.write(`data: ${line}\n\n`);
  }
}

/** Two pieces as one; null when the second does not continue the first. */
function joinedWith(last: AnswerPiece, next: AnswerPiece): AnswerPiece | null {
  if (last.type === 'text') return next.type === 'text' ? { type: 'text', text: last.text + next.text } : null;
  if (next.type === 'text' || next.index !== last.index || next.start !== undefined) return null;
  return { ...last, json: last.json + next.json };
}

/** Text is one delta. A call begins with its id and name alone, as clients expect it. */
function deltasOf(piece: AnswerPiece): Delta[] {
  if (piece.type === 'text') return [{ content: piece.text }];
  const { index, start, json } = piece;
  const head: FunctionCallDelta[] =
    start === undefined
      ? []
      : [{ index, id: start.id, type: 'function', function: { name: start.name, arguments: '' } }];
  const rest: FunctionCallDelta[] = json === '' ? [] : [{ index, function: { arguments: json } }];
  return [...head, ...rest].map((call) => ({ tool_calls: [call] }));
}
