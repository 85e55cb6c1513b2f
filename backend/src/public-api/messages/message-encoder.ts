import type { AnswerPiece } from '../../chat/generation/detached/detached-answer.js';
import type { StoredAnswer, WrittenAnswer } from '../../chat/generation/detached/written-answer.js';
import type { AppError } from '../../platform/errors/app-error.js';
import type { AnswerEncoder } from '../answers/answer-sender.js';
import { toMessageError } from '../public-api-error.js';
import {
  type MessageAsked,
  type MessageHead,
  toEnd,
  toAnthropicMessage,
  toUsage,
  toWholeMessage,
} from './message-view.js';

const toEvent = (type: string, data: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** A block of the message: `thinking`, `text`, or the number of a call. */
interface Block {
  key: string | number;
  /** Of a call. */
  callId?: string;
  start: object;
  delta: (text: string) => object;
}

/**
 * An answer as the events of a message. One block is open at a time, since clients read them in order: what the model
 * writes into other blocks while a call is open follows at the end.
 */
export class MessageEncoder implements AnswerEncoder {
  /** Only the start names the model. Clients take a ping before it. */
  readonly startsUnnamed = false;
  private open: Block | null = null;
  private blocks = 0;
  /** Blocks that follow an open call. */
  private readonly later: { block: Block; text: string }[] = [];

  /** @param requestId which an error names */
  constructor(
    private head: MessageHead,
    private readonly requestId: string,
    private readonly asked: MessageAsked,
  ) {}

  whole(answer: StoredAnswer): object {
    return toWholeMessage({ ...this.head, model: answer.model ?? this.head.model }, answer, this.asked);
  }

  hides({ type }: AnswerPiece): boolean {
    return type === 'reasoning' && !this.asked.showsThinking;
  }

  nameModel(model: string): void {
    this.head = { ...this.head, model };
  }

  startEvents(): string {
    const tokens = { promptTokens: this.head.promptTokens ?? 0, completionTokens: 0, cachedTokens: 0 };
    return toEvent('message_start', { message: toAnthropicMessage(this.head, [], tokens) });
  }

  keepAliveEvents(): string {
    return toEvent('ping');
  }

  endEvents(answer: WrittenAnswer): string {
    let text = this.closeOpen();
    // A provider may have run calls itself since they began.
    const ids = new Set((answer.choices[0].calls ?? []).map(({ id }) => id));
    for (const { block, text: content } of this.later.filter(({ block: { callId } }) => !callId || ids.has(callId)))
      text += this.openBlock(block) + this.delta(content) + this.closeOpen();
    return text + toEvent('message_delta', { delta: toEnd(answer), usage: toUsage(answer) }) + toEvent('message_stop');
  }

  errorEvent(error: AppError): string {
    return `event: error\ndata: ${JSON.stringify(toMessageError(error, this.requestId))}\n\n`;
  }

  pieceEvents(piece: AnswerPiece): string {
    if (piece.type === 'reasoning-details' || piece.type === 'logprobs') return '';
    const key = piece.type === 'client-call' ? piece.index : piece.type;
    const text = piece.type === 'client-call' ? piece.json : piece.text;
    if (this.open?.key === key) return this.delta(text);
    const block = blockOf(piece, this.asked.names);
    if (typeof this.open?.key !== 'number') return this.closeOpen() + this.openBlock(block) + this.delta(text);
    const waiting = this.later.find((one) => one.block.key === key);
    if (waiting === undefined) this.later.push({ block, text });
    else waiting.text += text;
    return '';
  }

  private openBlock(block: Block): string {
    this.open = block;
    return toEvent('content_block_start', { index: this.blocks, content_block: block.start });
  }

  private delta(text: string): string {
    if (text === '' || this.open === null) return '';
    return toEvent('content_block_delta', { index: this.blocks, delta: this.open.delta(text) });
  }

  private closeOpen(): string {
    if (this.open === null) return '';
    const { key } = this.open;
    const index = this.blocks;
    this.open = null;
    this.blocks += 1;
    const delta = { type: 'signature_delta', signature: '' };
    const signature = key === 'reasoning' ? toEvent('content_block_delta', { index, delta }) : '';
    return signature + toEvent('content_block_stop', { index });
  }
}

function blockOf(
  piece: Exclude<AnswerPiece, { type: 'reasoning-details' | 'logprobs' }>,
  names: MessageAsked['names'],
): Block {
  if (piece.type === 'text') {
    const start = { type: 'text', text: '' };
    return { key: 'text', start, delta: (text) => ({ type: 'text_delta', text }) };
  }
  if (piece.type === 'reasoning') {
    const start = { type: 'thinking', thinking: '', signature: '' };
    return { key: 'reasoning', start, delta: (thinking) => ({ type: 'thinking_delta', thinking }) };
  }
  const name = piece.start?.name ?? '';
  const start = { type: 'tool_use', ...piece.start, name: names.get(name) ?? name, input: {} };
  return {
    key: piece.index,
    callId: piece.start?.id,
    start,
    delta: (partial_json) => ({ type: 'input_json_delta', partial_json }),
  };
}
