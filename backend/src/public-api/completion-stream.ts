import type { ChatCompletionChunk } from '@tanya/contract';
import type { Response } from 'express';
import type { StoredAnswer } from '../chat/generation/detached-generations.js';
import type { AppError } from '../platform/errors/app-error.js';
import { toPublicApiError } from './public-api-error.js';
import { type CompletionHead, toChunk, toUsageChunk } from './completion-view.js';

/**
 * Writes an answer as server-sent events. The response begins with the first text, so that an earlier failure still gets
 * its own HTTP status. Under backpressure deltas are joined, which bounds the buffered data by the size of the answer.
 */
export class CompletionStream {
  /** Text that waits for the socket to drain. */
  private buffered = '';

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

  write(text: string): void {
    this.begin();
    this.buffered += text;
    if (!this.response.writableNeedDrain) this.flush();
  }

  end(answer: StoredAnswer, includeUsage: boolean): void {
    this.begin();
    this.flush();
    this.send(toChunk(this.head, {}, answer.finishReason));
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
    if (this.buffered === '') return;
    const content = this.buffered;
    this.buffered = '';
    this.send(toChunk(this.head, { content }));
  }

  private send(data: ChatCompletionChunk | ReturnType<typeof toPublicApiError>): void {
    this.sendLine(JSON.stringify(data));
  }

  private sendLine(line: string): void {
    if (!this.response.closed) this.response.write(`data: ${line}\n\n`);
  }
}
