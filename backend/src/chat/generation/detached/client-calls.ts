import { API_LIMITS, LIMITS } from '@tanya/contract';
import { toStorableText, truncate } from '../../../platform/json/storable-json.js';
import type { ExtraContent, ProviderEvent } from '../../../providers/provider.js';
import { newCallId } from '../prompt/prompt-calls.js';

type ToolCallDelta = Extract<ProviderEvent, { type: 'tool-call-delta' }>;

export interface ClientCall {
  id: string;
  name: string;
  /** JSON as the model wrote it, which may be invalid. */
  arguments: string;
  extraContent?: ExtraContent;
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
