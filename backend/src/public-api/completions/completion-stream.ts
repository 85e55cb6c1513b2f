import type { FunctionCallDelta } from '@tanya/contract';
import type { ServerResponse } from 'node:http';
import type { AnswerPiece, WrittenAnswer } from '../../chat/generation/detached-generations.js';
import type { AppError } from '../../platform/errors/app-error.js';
import type { EventStream } from '../../platform/http/event-stream.js';
import { setModelUsed } from './model-used.js';
import { toPublicApiError } from '../public-api-error.js';
import { HeldPieces } from './held-pieces.js';
import {
  type ChunkChoice,
  type CompletionHead,
  type Delta,
  endedChoices,
  toChunk,
  toFinishReason,
  toLogprobs,
  toReasoning,
  toUsageChunk,
} from './completion-view.js';

const toEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const FIRST_DELTA: Delta = { role: 'assistant', content: '' };

/** A name within quotes occurs in no text of JSON, where quotes are escaped. */
const CONTENT = '"content":';

/**
 * Writes an answer as server-sent events. The response begins with the first piece, of reasoning too, or with the first
 * silence: an earlier failure still gets its own HTTP status.
 */
export class CompletionStream {
  /** The event of a text before and after its content: only the content differs between the events of an answer. */
  private envelope: [before: string, after: string];
  private readonly pieces: HeldPieces;
  /** Further answers whose first delta has been sent. */
  private readonly begun = new Set<number>();

  /** Whether the model that answers is known. */
  private isAnswered: boolean;

  /** @param head with the asked model; `mayFallBack` if another one may answer, which the first piece then tells */
  constructor(
    private readonly response: ServerResponse,
    private readonly events: EventStream,
    private head: CompletionHead & { mayFallBack?: boolean },
  ) {
    this.isAnswered = head.mayFallBack !== true;
    this.envelope = envelopeOf(head);
    this.pieces = new HeldPieces(events, (piece) => this.encode(piece));
    events.onSilence = () => {
      if (this.hasBegun) events.write(toEvent(toChunk(this.head, {})));
      else this.begin();
    };
  }

  /** Whether the response's head has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /** @param model that wrote the piece; the asked one by default */
  write(piece: AnswerPiece, model?: string): void {
    this.answeredBy(model);
    this.begin();
    this.pieces.write(piece);
  }

  end(answer: WrittenAnswer, includeUsage: boolean): void {
    this.answeredBy(answer.model);
    this.begin();
    const last = endedChoices(answer)
      .map(({ choice: index, finishReason }) => this.event({}, { index, finish: toFinishReason(finishReason) }))
      .join('');
    const usage = includeUsage ? toEvent(toUsageChunk(this.head, answer)) : '';
    this.events.end(`${this.pieces.take()}${last}${usage}data: [DONE]\n\n`);
  }

  /** Ends an incomplete answer with an error event after the text sent so far. */
  fail(error: AppError): void {
    this.events.end(this.pieces.take() + toEvent(toPublicApiError(error)));
  }

  private answeredBy(model = this.head.model): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.head = { ...this.head, model };
    this.envelope = envelopeOf(this.head);
  }

  private begin(): void {
    if (this.hasBegun) return;
    if (this.isAnswered) setModelUsed(this.response, this.head.model);
    this.events.begin();
    this.events.write(toEvent(toChunk(this.head, FIRST_DELTA)));
  }

  private encode(piece: AnswerPiece): string {
    const { choice: index } = piece;
    if (piece.type === 'text' && index === 0) return this.envelope[0] + JSON.stringify(piece.text) + this.envelope[1];
    const begin = index === 0 || this.begun.has(index) ? '' : this.event(FIRST_DELTA, { index });
    this.begun.add(index);
    if (piece.type === 'logprobs') return begin + this.event({}, { index, logprobs: toLogprobs(piece) });
    return (
      begin +
      deltasOf(piece)
        .map((delta) => this.event(delta, { index }))
        .join('')
    );
  }

  private event(delta: Delta, choice: ChunkChoice): string {
    return toEvent(toChunk(this.head, delta, choice));
  }
}

function envelopeOf(head: CompletionHead): [before: string, after: string] {
  const empty = toEvent(toChunk(head, { content: '' }));
  const at = empty.indexOf(CONTENT) + CONTENT.length;
  return [empty.slice(0, at), empty.slice(at + '""'.length)];
}

function deltasOf(piece: Exclude<AnswerPiece, { type: 'logprobs' }>): Delta[] {
  if (piece.type === 'text') return [{ content: piece.text }];
  if (piece.type === 'reasoning') return [toReasoning(piece)];
  return piece.type === 'client-call' ? callDeltasOf(piece) : [{ reasoning_details: piece.details }];
}

/** A call begins with its id and name, and what its provider adds, as clients expect it. */
function callDeltasOf(piece: Extract<AnswerPiece, { type: 'client-call' }>): Delta[] {
  const { index, start, json, extraContent } = piece;
  const head: FunctionCallDelta[] = [];
  if (start !== undefined || extraContent !== undefined)
    head.push({
      index,
      ...(start && { id: start.id, type: 'function' }),
      function: { ...(start && { name: start.name }), arguments: '' },
      ...(extraContent && { extra_content: extraContent }),
    });
  const rest: FunctionCallDelta[] = json === '' ? [] : [{ index, function: { arguments: json } }];
  return [...head, ...rest].map((call) => ({ tool_calls: [call] }));
}
