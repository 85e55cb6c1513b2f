import type { FunctionCallDelta } from '@tanya/contract';
import type { ServerResponse } from 'node:http';
import type { AnswerPiece, WrittenAnswer } from '../../chat/generation/detached-generations.js';
import type { AppError } from '../../platform/errors/app-error.js';
import type { EventStream } from '../../platform/http/event-stream.js';
import { toPublicApiError } from '../public-api-error.js';
import {
  type CompletionHead,
  type Delta,
  toChunk,
  toFinishReason,
  toReasoning,
  toUsageChunk,
} from './completion-view.js';

const toEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** A name within quotes occurs in no text of JSON, where quotes are escaped. */
const CONTENT = '"content":';

/**
 * Writes an answer as server-sent events. The response begins with the first piece, of reasoning too, or with the first
 * silence: an earlier failure still gets its own HTTP status. Under backpressure pieces are joined, which bounds the buffered data by the size of
 * the answer.
 */
export class CompletionStream {
  /** The event of a text before and after its content: only the content differs between the events of an answer. */
  private readonly envelope: [before: string, after: string];
  /** Pieces that wait for the client to read. */
  private waiting: AnswerPiece[] = [];

  constructor(
    private readonly response: ServerResponse,
    private readonly events: EventStream,
    private readonly head: CompletionHead,
  ) {
    const empty = toEvent(toChunk(head, { content: '' }));
    const at = empty.indexOf(CONTENT) + CONTENT.length;
    this.envelope = [empty.slice(0, at), empty.slice(at + '""'.length)];
    events.onSilence = () => {
      if (this.hasBegun) events.write(toEvent(toChunk(head, {})));
      else this.begin();
    };
  }

  /** Whether the response's head has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  write(piece: AnswerPiece): void {
    this.begin();
    if (this.events.drained !== null || this.waiting.length > 0) this.hold(piece);
    else this.events.write(this.encode(piece));
  }

  end(answer: WrittenAnswer, includeUsage: boolean): void {
    this.begin();
    const last = toEvent(toChunk(this.head, {}, toFinishReason(answer.finishReason)));
    const usage = includeUsage ? toEvent(toUsageChunk(this.head, answer)) : '';
    this.events.end(`${this.takeWaiting()}${last}${usage}data: [DONE]\n\n`);
  }

  /** Ends an incomplete answer with an error event after the text sent so far. */
  fail(error: AppError): void {
    this.events.end(this.takeWaiting() + toEvent(toPublicApiError(error)));
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.events.begin();
    this.events.write(toEvent(toChunk(this.head, { role: 'assistant', content: '' })));
  }

  private hold(piece: AnswerPiece): void {
    if (this.waiting.length === 0) void this.events.drained?.then(() => this.events.write(this.takeWaiting()));
    const last = this.waiting.at(-1);
    const joined = last && joinedWith(last, piece);
    if (joined) this.waiting[this.waiting.length - 1] = joined;
    else this.waiting.push(piece);
  }

  private takeWaiting(): string {
    const pieces = this.waiting;
    this.waiting = [];
    return pieces.map((piece) => this.encode(piece)).join('');
  }

  private encode(piece: AnswerPiece): string {
    if (piece.type === 'text') return this.envelope[0] + JSON.stringify(piece.text) + this.envelope[1];
    return deltasOf(piece)
      .map((delta) => toEvent(toChunk(this.head, delta)))
      .join('');
  }
}

/** Two pieces as one; null when the second does not continue the first. */
function joinedWith(last: AnswerPiece, next: AnswerPiece): AnswerPiece | null {
  if (last.type === 'text' && next.type === 'text') return { type: 'text', text: last.text + next.text };
  if (last.type === 'reasoning' && next.type === 'reasoning' && last.name === next.name)
    return { ...last, text: last.text + next.text };
  if (last.type !== 'client-call' || next.type !== 'client-call') return null;
  if (next.index !== last.index || next.start !== undefined) return null;
  return { ...last, json: last.json + next.json };
}

function deltasOf(piece: Exclude<AnswerPiece, { type: 'text' }>): Delta[] {
  if (piece.type === 'reasoning') return [toReasoning(piece)];
  return piece.type === 'client-call' ? callDeltasOf(piece) : [{ reasoning_details: piece.details }];
}

/** A call begins with its id and name alone, as clients expect it. */
function callDeltasOf({ index, start, json }: Extract<AnswerPiece, { type: 'client-call' }>): Delta[] {
  const head: FunctionCallDelta[] =
    start === undefined
      ? []
      : [{ index, id: start.id, type: 'function', function: { name: start.name, arguments: '' } }];
  const rest: FunctionCallDelta[] = json === '' ? [] : [{ index, function: { arguments: json } }];
  return [...head, ...rest].map((call) => ({ tool_calls: [call] }));
}
