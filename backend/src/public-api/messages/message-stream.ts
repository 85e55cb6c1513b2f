import type { AnswerPiece, WrittenAnswer } from '../../chat/generation/detached-generations.js';
import { AnswerStream } from '../completions/answer-stream.js';
import { type MessageHead, toMessage, toStopReason, toUsage } from './message-view.js';

const toEvent = (type: string, data: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** A block of the message: `thinking`, `text`, or the number of a call. */
interface Block {
  key: string | number;
  start: object;
  delta: (text: string) => object;
}

/**
 * Writes an answer as the events of a message. One block is open at a time, since clients read them in order: what the model
 * writes into other blocks while a call is open follows at the end.
 */
export class MessageStream extends AnswerStream<MessageHead> {
  private open: Block | null = null;
  private blocks = 0;
  private isStarted = false;
  /** Blocks that follow an open call. */
  private readonly later: { block: Block; text: string }[] = [];

  end(answer: WrittenAnswer): void {
    this.start(answer.model);
    let text = this.takeWaiting() + this.closeOpen();
    for (const { block, text: content } of this.later)
      text += this.openBlock(block) + this.delta(content) + this.closeOpen();
    const delta = { stop_reason: toStopReason(answer), stop_sequence: null };
    this.events.end(text + toEvent('message_delta', { delta, usage: toUsage(answer) }) + toEvent('message_stop'));
  }

  /** Ends an incomplete answer with an error event after the text sent so far. @param body of the error */
  fail(body: object): void {
    this.events.end(`${this.takeWaiting()}event: error\ndata: ${JSON.stringify(body)}\n\n`);
  }

  protected fillSilence(): void {
    // Only the start names the model. Clients take a ping before it.
    if (this.isAnswered) this.begin();
    else this.sendHead();
    this.events.write(toEvent('ping'));
  }

  protected begin(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.sendHead();
    const tokens = { promptTokens: this.head.promptTokens ?? 0, completionTokens: 0, cachedTokens: 0 };
    this.events.write(toEvent('message_start', { message: toMessage(this.head, [], tokens) }));
  }

  protected encode(piece: AnswerPiece): string {
    if (piece.type === 'reasoning-details' || piece.type === 'logprobs') return '';
    const key = piece.type === 'client-call' ? piece.index : piece.type;
    const text = piece.type === 'client-call' ? piece.json : piece.text;
    if (this.open?.key === key) return this.delta(text);
    const block = blockOf(piece);
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

function blockOf(piece: Exclude<AnswerPiece, { type: 'reasoning-details' | 'logprobs' }>): Block {
  if (piece.type === 'text') {
    const start = { type: 'text', text: '' };
    return { key: 'text', start, delta: (text) => ({ type: 'text_delta', text }) };
  }
  if (piece.type === 'reasoning') {
    const start = { type: 'thinking', thinking: '', signature: '' };
    return { key: 'reasoning', start, delta: (thinking) => ({ type: 'thinking_delta', thinking }) };
  }
  const start = { type: 'tool_use', ...piece.start, input: {} };
  return { key: piece.index, start, delta: (partial_json) => ({ type: 'input_json_delta', partial_json }) };
}
