import type { ChatCompletionChunk } from '@tanya/contract';
import type { Response } from 'express';
import type { StoredAnswer } from '../chat/generation/store/generation-store.js';
import type { AppError } from '../platform/errors/app-error.js';
import { toPublicApiError } from '../platform/errors/public-api-error.js';
import { type CompletionHead, toChunk, toUsageChunk } from './completion-view.js';

/**
 * An answer as server-sent events, from its first piece on: what fails before that can still be answered with its own
 * status. Whoever reads slowly gets larger pieces: what waits is never more than the answer.
 */
export class CompletionStream {
  private held = '';

  constructor(
    private readonly response: Response,
    private readonly head: CompletionHead,
  ) {
    response.on('drain', () => this.release());
  }

  /** False while nothing has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  write(text: string): void {
    this.begin();
    this.held += text;
    if (!this.response.writableNeedDrain) this.release();
  }

  end(answer: StoredAnswer, includeUsage: boolean): void {
    this.begin();
    this.release();
    this.send(toChunk(this.head, {}, answer.finishReason));
    if (includeUsage) this.send(toUsageChunk(this.head, answer));
    this.sendLine('[DONE]');
    this.response.end();
  }

  /** What was written stays, and the error says that it is not all. */
  fail(error: AppError): void {
    this.release();
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

  private release(): void {
    if (this.held === '') return;
    const content = this.held;
    this.held = '';
    this.send(toChunk(this.head, { content }));
  }

  private send(data: ChatCompletionChunk | ReturnType<typeof toPublicApiError>): void {
    this.sendLine(JSON.stringify(data));
  }

  private sendLine(line: string): void {
    if (!this.response.closed) this.response.write(`data: ${line}\n\n`);
  }
}
