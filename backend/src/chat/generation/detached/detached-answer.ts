import { API_LIMITS, LIMITS } from '@tanya/contract';
import { toStorableText, truncate } from '../../../platform/json/storable-json.js';
import type { ChoiceEvent, ExtraContent, ToolCallDelta } from '../../../providers/provider.js';
import { newCallId } from '../prompt/prompt-calls.js';
import type {
  ClientCall,
  ClientReasoning,
  FinishReason,
  Logprobs,
  ReasoningName,
  WrittenChoice,
  WrittenChoices,
} from './written-answer.js';

/** The next piece of a detached answer, as its client reads it. */
export type AnswerPiece = (
  | { type: 'text'; text: string }
  | { type: 'reasoning'; name: ReasoningName; text: string }
  /** All of them, once. */
  | { type: 'reasoning-details'; details: unknown[] }
  | ({ type: 'logprobs' } & Logprobs)
  | ClientCallDelta
) & {
  /** Which of the answers to the request, from 0 on. */
  choice: number;
};

/** An answer, or what is written of it, in pieces. */
export function* piecesOf({ choice, text, reasoning, calls = [], logprobs }: WrittenChoice): Generator<AnswerPiece> {
  if (reasoning?.text) yield { type: 'reasoning', choice, name: reasoning.name, text: reasoning.text };
  if (text !== '') yield { type: 'text', choice, text };
  if (reasoning?.details) yield { type: 'reasoning-details', choice, details: reasoning.details };
  for (const [index, { id, name, arguments: json, extraContent }] of calls.entries())
    yield { type: 'client-call', choice, index, start: { id, name }, json, ...(extraContent && { extraContent }) };
  if (logprobs === undefined) return;
  for (const name of ['content', 'refusal'] as const)
    for (let at = 0; at < logprobs[name].length; at += LOGPROBS_OF_PIECE)
      yield {
        type: 'logprobs',
        choice,
        content: [],
        refusal: [],
        [name]: logprobs[name].slice(at, at + LOGPROBS_OF_PIECE),
      };
}

/** Tokens of a piece, whose likelihoods take less than 1 ms to write. */
const LOGPROBS_OF_PIECE = 100;

/** Characters of JSON that the answers to one request keep: about 24,000 tokens with five alternatives. Further ones are left out. */
const MAX_LOGPROB_CHARACTERS = 8_000_000;

/** How many characters of likelihoods the answers to a request may still have. */
interface LogprobRoom {
  characters: number;
}

class LogprobList {
  private readonly content: unknown[] = [];
  private readonly refusal: unknown[] = [];

  constructor(private readonly room: LogprobRoom) {}

  /** Adds likelihoods. @returns those within the bound */
  append({ content, refusal }: Logprobs): Logprobs {
    return { content: this.add(this.content, content), refusal: this.add(this.refusal, refusal) };
  }

  get all(): Logprobs | null {
    const { content, refusal } = this;
    return content.length + refusal.length === 0 ? null : { content: [...content], refusal: [...refusal] };
  }

  private add(list: unknown[], added: readonly unknown[]): unknown[] {
    const kept = added.filter((entry) => {
      this.room.characters -= JSON.stringify(entry).length;
      return this.room.characters >= 0;
    });
    list.push(...kept);
    return kept;
  }
}

/** A piece of a call: the first one of each call has `start`. */
export interface ClientCallDelta {
  type: 'client-call';
  index: number;
  start?: { id: string; name: string };
  json: string;
  extraContent?: ExtraContent;
}

/** Ids that clients and providers return unchanged. */
const USABLE_ID = new RegExp(`^[\\x21-\\x7e]{1,${API_LIMITS.toolCallId}}$`);

/** The calls of an answer whose tools the client runs. This server never runs them. */
export class ClientCalls {
  /** Whether the arguments of all calls exceeded `LIMITS.answerCharacters`. */
  isCut = false;
  private calls: ClientCall[] = [];
  /** Calls that the provider has run itself. They keep their numbers, by which pieces name their calls. */
  private readonly withdrawn = new Set<number>();
  private length = 0;

  get all(): ClientCall[] {
    return this.calls.filter((_, index) => !this.withdrawn.has(index)).map((call) => ({ ...call }));
  }

  get count(): number {
    return this.all.length;
  }

  /**
   * Adds a piece of the provider. Every call gets an id of its own, and arguments beyond the limit are dropped.
   * @returns the piece as the client reads it; null when nothing of it is left
   */
  append({ index, start, json, extraContent }: ToolCallDelta): ClientCallDelta | null {
    if (start !== undefined)
      this.calls[index] = { id: this.idFor(start.id), name: toStorableText(start.name), arguments: '' };
    const call = this.calls[index]!;
    const room = LIMITS.answerCharacters - this.length;
    const added = truncate(json, room);
    if (json.length > room) this.isCut = true;
    call.arguments += added;
    this.length += added.length;
    if (extraContent !== undefined) call.extraContent = extraContent;
    const delta = { type: 'client-call' as const, index, json: added, ...(extraContent && { extraContent }) };
    if (start !== undefined) return { ...delta, start: { id: call.id, name: call.name } };
    return added === '' && extraContent === undefined ? null : delta;
  }

  withdraw(indexes: readonly number[]): void {
    for (const index of indexes) this.withdrawn.add(index);
  }

  /** Drops the calls of an answer that a filter of the provider ended: any of them may be cut. */
  drop(): void {
    this.calls = [];
  }

  private idFor(id: string | null): string {
    const isUsable = id !== null && USABLE_ID.test(id) && !this.calls.some((call) => call.id === id);
    return isUsable ? id : newCallId();
  }
}

/** One of the answers to a request. */
class Choice {
  text = '';
  readonly reasoning: ClientReasoning = { name: 'reasoning', text: '' };
  readonly calls = new ClientCalls();
  /** null until it has ended, and for one that failed. */
  finishReason: FinishReason | null = null;
  private stopSequence: string | undefined;
  private readonly logprobs: LogprobList;
  private isTextCut = false;

  constructor(
    private readonly number: number,
    room: LogprobRoom,
  ) {
    this.logprobs = new LogprobList(room);
  }

  /** Whether its text, its reasoning or its calls exceeded `LIMITS.answerCharacters`. */
  get isCut(): boolean {
    return this.isTextCut || this.calls.isCut;
  }

  get written(): WrittenChoice {
    const { number: choice, text, finishReason, stopSequence, calls, reasoning, logprobs } = this;
    return {
      choice,
      text,
      finishReason,
      ...(stopSequence !== undefined && finishReason === 'stop' && { stopSequence }),
      ...(calls.count > 0 && { calls: calls.all }),
      ...((reasoning.text !== '' || reasoning.details !== undefined) && { reasoning: { ...reasoning } }),
      ...(logprobs.all !== null && { logprobs: logprobs.all }),
    };
  }

  /** Adds an event. @returns what the client is sent; null for nothing */
  append(event: ChoiceEvent): AnswerPiece | null {
    const { number: choice, reasoning } = this;
    switch (event.type) {
      case 'text-delta': {
        const text = this.storable(event.text, this.text);
        this.text += text;
        return text === '' ? null : { type: 'text', choice, text };
      }
      case 'reasoning-delta': {
        const text = this.storable(event.text, reasoning.text);
        reasoning.text += text;
        return text === '' ? null : { type: 'reasoning', choice, name: reasoning.name, text };
      }
      case 'reasoning-content':
        reasoning.name = 'reasoning_content';
        return null;
      case 'reasoning-details':
        reasoning.details = event.details;
        return { type: 'reasoning-details', choice, details: event.details };
      case 'tool-call-delta': {
        const delta = this.calls.append(event);
        return delta && { ...delta, choice };
      }
      case 'tool-calls-withdrawn':
        this.calls.withdraw(event.indexes);
        return null;
      case 'logprobs':
        return { type: 'logprobs', choice, ...this.logprobs.append(event) };
      case 'finish':
        this.end(event.reason);
        this.stopSequence = event.stopSequence;
        return null;
      default:
        return null;
    }
  }

  private storable(delta: string, before: string): string {
    const room = LIMITS.answerCharacters - before.length;
    if (delta.length > room) this.isTextCut = true;
    return truncate(toStorableText(delta), room);
  }

  /** A filter may have cut any call of the answer, so all of them are dropped. */
  private end(reason: Extract<ChoiceEvent, { type: 'finish' }>['reason']): void {
    if (reason === 'content_filter') this.calls.drop();
    if (reason === 'failed') return;
    this.finishReason = reason === 'tool-calls' && this.calls.count === 0 ? 'stop' : reason;
  }
}

/** What a run writes for a program: the answers to its request, one or several (`n`), and their pieces for listeners. */
export class DetachedAnswer {
  private readonly choices = new Map<number, Choice>();
  private readonly room: LogprobRoom = { characters: MAX_LOGPROB_CHARACTERS };
  private readonly listeners = new Set<(piece: AnswerPiece) => void>();
  /** Whether a listener was or would be passed anything. */
  isWritten = false;

  /** @param choiceCount the number of answers that the request asks for */
  constructor(readonly choiceCount: number) {
    this.restart();
  }

  /** Drops what a failed model sent. None of it was passed on. */
  restart(): void {
    this.choices.clear();
    this.room.characters = MAX_LOGPROB_CHARACTERS;
    this.choiceOf(0);
  }

  /** Adds an event of an answer, from 0 on, and passes its piece on. */
  append(number: number, event: ChoiceEvent): void {
    const piece = this.choiceOf(number).append(event);
    if (piece === null) return;
    this.isWritten = true;
    for (const listener of this.listeners) listener(piece);
  }

  /** Ends all answers because one has reached the maximum length. */
  cut(): void {
    for (const choice of this.choices.values())
      choice.finishReason = choice.isCut ? 'length' : (choice.finishReason ?? 'length');
  }

  /** Passes the answers on in pieces, those so far at once. @returns unsubscribes */
  listen(listener: (piece: AnswerPiece) => void): () => void {
    for (const choice of this.all) for (const piece of piecesOf(choice)) listener(piece);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The answers so far, in the order of their numbers. */
  get all(): WrittenChoices {
    const all = [...this.choices.values()].map(({ written }) => written);
    return all.sort((one, other) => one.choice - other.choice) as WrittenChoices;
  }

  /** Whether one of them is cut: its provider may write it without an end. */
  get isCut(): boolean {
    for (const choice of this.choices.values()) if (choice.isCut) return true;
    return false;
  }

  get regular(): number {
    return this.all.filter(({ finishReason }) => finishReason !== null && finishReason !== 'content_filter').length;
  }

  /** Whether the client was sent anything. @param hidesReasoning whether it is sent no reasoning */
  isShown(hidesReasoning: boolean): boolean {
    return this.all.some(
      ({ text, reasoning, calls }) =>
        text !== '' || calls !== undefined || (!hidesReasoning && reasoning !== undefined),
    );
  }

  /** All texts and calls, to estimate their tokens. */
  get texts(): string[] {
    return this.all.flatMap(({ text, reasoning, calls = [] }) => [
      text,
      reasoning?.text ?? '',
      ...calls.map(({ extraContent: _, ...call }) => JSON.stringify(call)),
    ]);
  }

  private choiceOf(number: number): Choice {
    const known = this.choices.get(number);
    if (known !== undefined) return known;
    const choice = new Choice(number, this.room);
    this.choices.set(number, choice);
    return choice;
  }
}
