import type { ResponseCallItem, ResponseItem, ResponseMessageItem, ResponseText } from '@tanya/contract';
import type { AnswerPiece } from '../../chat/generation/detached-generations.js';
import { callItemId, emptyMessage } from './response-view.js';
import type { ToolNames } from './tool-namespaces.js';

/** An event of a stream. `response.created` and the others of the whole response get the response when they are sent. */
export type ResponseEvent = { type: string } & Record<string, unknown>;

interface OpenItem<T extends ResponseItem = ResponseItem> {
  item: T;
  index: number;
  isDone: boolean;
}

const toText = (text: string): ResponseText => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const addedEvent = ({ item, index }: OpenItem): ResponseEvent => ({
  type: 'response.output_item.added',
  output_index: index,
  item: structuredClone(item),
});

/**
 * Converts the pieces of an answer to OpenAI's item events, in OpenAI's order: an item ends before the next one begins.
 * An item that gets a later piece is continued, and ends once more.
 */
export class ResponseEvents {
  private readonly items: OpenItem[] = [];
  private message: OpenItem<ResponseMessageItem> | null = null;
  private readonly calls: OpenItem<ResponseCallItem>[] = [];
  private current: OpenItem | null = null;

  constructor(
    private readonly uuid: string,
    private readonly names: ToolNames,
  ) {}

  /** The items so far, in the order in which they began. */
  get output(): ResponseItem[] {
    return this.items.map(({ item }) => item);
  }

  take(piece: AnswerPiece): ResponseEvent[] {
    if (piece.type === 'text') return this.takeText(piece.text);
    return piece.type === 'client-call' ? this.takeCall(piece) : [];
  }

  /** Ends the items. @param isCut the answer was cut at its greatest length */
  end(isCut: boolean): ResponseEvent[] {
    const before = this.items.length === 0 ? this.openMessage() : [];
    return [...before, ...this.finish(isCut ? 'incomplete' : 'completed')];
  }

  private takeText(delta: string): ResponseEvent[] {
    const before = this.message === null ? this.openMessage() : this.switchTo(this.message);
    const { item, index } = this.message!;
    item.content[0]!.text += delta;
    const at = { item_id: item.id, output_index: index, content_index: 0 };
    return [...before, { type: 'response.output_text.delta', ...at, delta, logprobs: [] }];
  }

  private takeCall({ index: number, start, json }: Extract<AnswerPiece, { type: 'client-call' }>): ResponseEvent[] {
    const known = this.calls[number];
    const before = known === undefined ? this.openCall(number, start!) : this.switchTo(known);
    const { item, index } = this.calls[number]!;
    if (json === '') return before;
    item.arguments += json;
    const delta = {
      type: 'response.function_call_arguments.delta',
      item_id: item.id,
      output_index: index,
      delta: json,
    };
    return [...before, delta];
  }

  private openMessage(): ResponseEvent[] {
    const before = this.finish('completed');
    const item = emptyMessage(this.uuid);
    this.message = this.open(item);
    const { index } = this.message;
    const added = addedEvent(this.message);
    item.content.push(toText(''));
    const at = { item_id: item.id, output_index: index, content_index: 0 };
    return [...before, added, { type: 'response.content_part.added', ...at, part: toText('') }];
  }

  private openCall(number: number, { id, name }: { id: string; name: string }): ResponseEvent[] {
    const before = this.finish('completed');
    const opened = this.open<ResponseCallItem>({
      id: callItemId(this.uuid, number),
      type: 'function_call',
      status: 'in_progress',
      call_id: id,
      ...this.names.of(name),
      arguments: '',
    });
    this.calls[number] = opened;
    return [...before, addedEvent(opened)];
  }

  private open<T extends ResponseItem>(item: T): OpenItem<T> {
    const opened = { item, index: this.items.length, isDone: false };
    this.current = opened;
    this.items.push(opened);
    return opened;
  }

  private switchTo(next: OpenItem): ResponseEvent[] {
    const before = this.current === next ? [] : this.finish('completed');
    next.isDone = false;
    this.current = next;
    return before;
  }

  /** The events with which the current item ends. */
  private finish(status: 'completed' | 'incomplete'): ResponseEvent[] {
    const { current } = this;
    if (current === null || current.isDone) return [];
    current.isDone = true;
    current.item.status = status;
    const at = { item_id: current.item.id, output_index: current.index };
    const done = {
      type: 'response.output_item.done',
      output_index: current.index,
      item: structuredClone(current.item),
    };
    if (current.item.type === 'function_call') {
      const { name, arguments: json } = current.item;
      return [{ type: 'response.function_call_arguments.done', ...at, name, arguments: json }, done];
    }
    const { text } = current.item.content[0]!;
    const inPart = { ...at, content_index: 0 };
    return [
      { type: 'response.output_text.done', ...inPart, text, logprobs: [] },
      { type: 'response.content_part.done', ...inPart, part: toText(text) },
      done,
    ];
  }
}
