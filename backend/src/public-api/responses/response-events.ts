import type {
  IncompleteReason,
  ResponseCallItem,
  ResponseItem,
  ResponseMessageItem,
  ResponseState,
  ResponseText,
} from '@tanya/contract';
import type { AnswerPiece } from '../../chat/generation/detached/detached-answer.js';
import { setArguments } from './response-calls.js';
import { emptyCall, emptyMessage, summaryItems } from './response-view.js';
import type { ToolNames } from './response-tools.js';

/** An event of a stream. `response.created` and the others of the whole response get the response when they are sent. */
export type ResponseEvent = { type: string } & Record<string, unknown>;

const errorEvent = ({ code, message }: NonNullable<ResponseState['error']>): ResponseEvent => {
  const fields = { code, message, param: null };
  return { type: 'error', ...fields, error: { type: 'server_error', ...fields } };
};

/**
 * The last events of a stream. Before `response.failed`, which some programs take for the end of a whole answer, OpenAI sends
 * the error, which none of them misses. Its fields are where OpenAI sends them, in `error`, and where OpenAI documents them.
 */
export const endEvents = ({ status, error }: ResponseState): ResponseEvent[] => [
  ...(error === null ? [] : [errorEvent(error)]),
  { type: `response.${status}` },
];

type GrowingItem = ResponseMessageItem | ResponseCallItem;

interface OpenItem<T extends GrowingItem = GrowingItem> {
  item: T;
  index: number;
}

interface OpenCall extends OpenItem<ResponseCallItem> {
  json: string;
}

const toText = (text: string): ResponseText => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const addedEvent = ({ item, index }: OpenItem): ResponseEvent => ({
  type: 'response.output_item.added',
  output_index: index,
  item: structuredClone(item),
});

const argumentsDelta = ({ item, index }: OpenItem, delta: string): ResponseEvent => ({
  type: 'response.function_call_arguments.delta',
  item_id: item.id,
  output_index: index,
  delta,
});

/**
 * Converts the pieces of an answer to OpenAI's item events. Every item is open until the answer ends, since any of them
 * may get a later piece: clients run a call at its `response.output_item.done`, which must therefore occur once. Clients keep
 * one current call, as OpenAI ends a call before it adds the next one: only the first call is sent as it is written.
 */
export class ResponseEvents {
  private items: OpenItem[] = [];
  private message: OpenItem<ResponseMessageItem> | null = null;
  private readonly calls: OpenCall[] = [];
  /** Calls after the first, which follow it whole when the answer ends. They have no index until then. */
  private readonly later = new Set<OpenCall>();
  /** The item that got the last piece. */
  private last: OpenItem | null = null;

  /** The text of a compaction, whose item is known at its end. */
  private summary = '';
  private readonly compacted: ResponseItem[] = [];

  constructor(
    private readonly uuid: string,
    private readonly names: ToolNames,
    private readonly isCompaction = false,
  ) {}

  /** The items so far, in the order in which they began. */
  get output(): ResponseItem[] {
    return this.isCompaction ? this.compacted : this.items.map(({ item }) => item);
  }

  eventsOf(piece: AnswerPiece): ResponseEvent[] {
    if (this.isCompaction) {
      if (piece.type === 'text') this.summary += piece.text;
      return [];
    }
    if (piece.type === 'text') return this.eventsOfText(piece.text);
    return piece.type === 'client-call' ? this.eventsOfCall(piece) : [];
  }

  /**
   * Ends the items. Calls that the answer has not at its end do not end either, and are left out of the output: its provider
   * has run them itself, or a filter may have cut them.
   * @param incomplete why the answer is incomplete; null for a complete one
   * @param calls those of the answer
   */
  end(incomplete: IncompleteReason | null, calls: readonly { id: string }[]): ResponseEvent[] {
    if (this.isCompaction) return this.endSummary(incomplete);
    const ids = new Set(calls.map(({ id }) => id));
    const isOfAnswer = ({ item }: OpenItem): boolean => item.type === 'message' || ids.has(item.call_id);
    const later = [...this.later].filter(isOfAnswer);
    const before = [...this.items, ...later].some(isOfAnswer) ? [] : this.openMessage();
    const starts = new Map<ResponseItem, ResponseEvent[]>(later.map((call) => [call.item, this.startEvents(call)]));
    this.items = this.items.filter(isOfAnswer);
    if (!isOfAnswer(this.last!)) this.last = this.items.at(-1)!;
    for (const { item, json } of this.calls) setArguments(item, json);
    for (const { item } of this.items) item.status = 'completed';
    if (incomplete !== null) this.last!.item.status = 'incomplete';
    return [...before, ...this.items.flatMap((opened) => [...(starts.get(opened.item) ?? []), ...doneEvents(opened)])];
  }

  private endSummary(incomplete: IncompleteReason | null): ResponseEvent[] {
    return summaryItems(this.uuid, this.summary, incomplete).flatMap((item, output_index) => {
      this.compacted.push(item);
      return ['added', 'done'].map((end) => ({ type: `response.output_item.${end}`, output_index, item }));
    });
  }

  private eventsOfText(delta: string): ResponseEvent[] {
    const before = this.message === null ? this.openMessage() : [];
    this.last = this.message;
    const { item, index } = this.message!;
    item.content[0]!.text += delta;
    const at = { item_id: item.id, output_index: index, content_index: 0 };
    return [...before, { type: 'response.output_text.delta', ...at, delta, logprobs: [] }];
  }

  private eventsOfCall({ index: number, start, json }: Extract<AnswerPiece, { type: 'client-call' }>): ResponseEvent[] {
    const begun = this.calls[number];
    const call = begun ?? this.beginCall(number, start!);
    this.last = call;
    call.json += json;
    if (this.later.has(call)) return [];
    if (begun === undefined) return this.startEvents(call);
    // The input of another tool is known when its JSON is whole.
    if (json === '' || call.item.type !== 'function_call') return [];
    call.item.arguments = call.json;
    return [argumentsDelta(call, json)];
  }

  private openMessage(): ResponseEvent[] {
    const item = emptyMessage(this.uuid);
    this.message = this.open(item);
    this.last = this.message;
    const { index } = this.message;
    const added = addedEvent(this.message);
    item.content.push(toText(''));
    const at = { item_id: item.id, output_index: index, content_index: 0 };
    return [added, { type: 'response.content_part.added', ...at, part: toText('') }];
  }

  private beginCall(number: number, start: { id: string; name: string }): OpenCall {
    const call = { item: emptyCall(this.uuid, number, start, this.names), index: NaN, json: '' };
    if (this.calls.length > 0) this.later.add(call);
    this.calls[number] = call;
    return call;
  }

  /** Opens a call with what is written of it. */
  private startEvents(call: OpenCall): ResponseEvent[] {
    const { item, json } = call;
    call.index = this.open(item).index;
    const added = addedEvent(call);
    if (json === '' || item.type !== 'function_call') return [added];
    item.arguments = json;
    return [added, argumentsDelta(call, json)];
  }

  private open<T extends GrowingItem>(item: T): OpenItem<T> {
    const opened = { item, index: this.items.length };
    this.items.push(opened);
    return opened;
  }
}

function doneEvents({ item, index }: OpenItem): ResponseEvent[] {
  const at = { item_id: item.id, output_index: index };
  const done = { type: 'response.output_item.done', output_index: index, item: structuredClone(item) };
  if (item.type === 'function_call') {
    const { name, arguments: json } = item;
    return [{ type: 'response.function_call_arguments.done', ...at, name, arguments: json }, done];
  }
  if (item.type === 'tool_search_call') return [done];
  if (item.type === 'custom_tool_call') {
    const { input } = item;
    const delta = { type: 'response.custom_tool_call_input.delta', ...at, delta: input };
    return [delta, { type: 'response.custom_tool_call_input.done', ...at, input }, done];
  }
  const { text } = item.content[0]!;
  const inPart = { ...at, content_index: 0 };
  return [
    { type: 'response.output_text.done', ...inPart, text, logprobs: [] },
    { type: 'response.content_part.done', ...inPart, part: toText(text) },
    done,
  ];
}
