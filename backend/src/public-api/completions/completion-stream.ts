import type { FunctionCallDelta } from '@tanya/contract';
import type { AnswerPiece, WrittenAnswer } from '../../chat/generation/detached-generations.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { toPublicApiError } from '../public-api-error.js';
import { AnswerStream } from './answer-stream.js';
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

/** Writes an answer as the chunks of a completion. */
export class CompletionStream extends AnswerStream<CompletionHead> {
  /** The event of a text before and after its content: only the content differs between the events of an answer. */
  private envelope = envelopeOf(this.head);
  /** Further answers whose first delta has been sent. */
  private readonly begun = new Set<number>();

  end(answer: WrittenAnswer, includeUsage: boolean): void {
    this.start(answer.model);
    const last = endedChoices(answer)
      .map(({ choice: index, finishReason }) => this.event({}, { index, finish: toFinishReason(finishReason) }))
      .join('');
    const usage = includeUsage ? toEvent(toUsageChunk(this.head, answer)) : '';
    this.events.end(`${this.takeWaiting()}${last}${usage}data: [DONE]\n\n`);
  }

  /** Ends an incomplete answer with an error event after the text sent so far. */
  fail(error: AppError): void {
    this.events.end(this.takeWaiting() + toEvent(toPublicApiError(error)));
  }

  protected fillSilence(): void {
    if (this.hasBegun) this.events.write(toEvent(toChunk(this.head, {})));
    else this.begin();
  }

  protected begin(): void {
    if (this.hasBegun) return;
    this.sendHead();
    this.events.write(toEvent(toChunk(this.head, FIRST_DELTA)));
  }

  protected override answeredBy(model: string): void {
    super.answeredBy(model);
    this.envelope = envelopeOf(this.head);
  }

  protected encode(piece: AnswerPiece): string {
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
