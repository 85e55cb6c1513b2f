import { LIMITS } from '@tanya/contract';
import { toStorableText } from '../../../platform/json/storable-json.js';
import type { ChoiceEvent } from '../../../providers/provider.js';
import type { ClientReasoning, WrittenChoice } from '../store/generation-store.js';
import type { AnswerPiece } from './answer-piece.js';
import { ClientCalls } from './client-calls.js';
import { truncate } from './delta-text.js';
import { LogprobList } from './logprob-list.js';

/** A further answer of a detached run while it is written. */
class FurtherChoice {
  text = '';
  reasoning: ClientReasoning = { name: 'reasoning', text: '' };
  readonly calls = new ClientCalls();
  readonly logprobs = new LogprobList();
  /** null until it has ended, and for one that failed. */
  finishReason: WrittenChoice['finishReason'] | null = null;

  /** Adds an event. @returns what the client is sent; null for nothing */
  append(event: ChoiceEvent): AnswerPiece | null {
    switch (event.type) {
      case 'text-delta': {
        const text = truncate(toStorableText(event.text), LIMITS.answerCharacters - this.text.length);
        this.text += text;
        return text === '' ? null : { type: 'text', text };
      }
      case 'reasoning-delta': {
        const { name, text: before } = this.reasoning;
        const text = truncate(toStorableText(event.text), LIMITS.answerCharacters - before.length);
        this.reasoning.text += text;
        return text === '' ? null : { type: 'reasoning', name, text };
      }
      case 'reasoning-content':
        this.reasoning.name = 'reasoning_content';
        return null;
      case 'reasoning-details':
        this.reasoning.details = event.details;
        return { type: 'reasoning-details', details: event.details };
      case 'tool-call-delta':
        return this.calls.append(event);
      case 'logprobs':
        return { type: 'logprobs', ...this.logprobs.append(event) };
      case 'finish':
        this.end(event.reason);
        return null;
      default:
        return null;
    }
  }

  /** Whether its text, its reasoning or its calls have the most characters of an answer. */
  get isCut(): boolean {
    const most = LIMITS.answerCharacters;
    return this.calls.isCut || this.text.length === most || this.reasoning.text.length === most;
  }

  private end(reason: Extract<ChoiceEvent, { type: 'finish' }>['reason']): void {
    if (reason === 'content_filter') this.calls.drop();
    if (reason === 'failed') return;
    this.finishReason = reason === 'tool-calls' && this.calls.count === 0 ? 'stop' : this.isCut ? 'length' : reason;
  }
}

/** The answers from the second one on, of a detached run that writes several (`n`). */
export class FurtherChoices {
  private readonly choices = new Map<number, FurtherChoice>();

  /** Adds an event of an answer. @returns what the client is sent; null for nothing */
  append(choice: number, event: ChoiceEvent): AnswerPiece | null {
    const written = this.choices.get(choice) ?? new FurtherChoice();
    this.choices.set(choice, written);
    const piece = written.append(event);
    return piece === null ? null : { ...piece, choice };
  }

  /** The answers so far, with their numbers from 1 on. */
  get all(): WrittenChoice[] {
    return [...this.choices]
      .sort(([one], [other]) => one - other)
      .map(([choice, { text, reasoning, calls, logprobs, finishReason, isCut }]) => ({
        choice,
        text,
        finishReason: finishReason ?? (isCut ? 'length' : null),
        ...(calls.count > 0 && { calls: calls.all }),
        ...((reasoning.text !== '' || reasoning.details !== undefined) && { reasoning }),
        ...(logprobs.all !== null && { logprobs: logprobs.all }),
      }));
  }

  /** Whether one of them is cut: its provider may write it without an end. */
  get isCut(): boolean {
    return [...this.choices.values()].some(({ isCut }) => isCut);
  }

  /** Answers that ended regularly. */
  get regular(): number {
    return this.all.filter(({ finishReason }) => finishReason !== null && finishReason !== 'content_filter').length;
  }
}
