import { type Message, type OutgoingMessage, parseContent } from '@tanya/contract';
import type { PendingSend } from '../client/outbox-store';

/** One row of the conversation. */
export type ConversationItem =
  | { kind: 'message'; key: string; message: Message }
  | { kind: 'sent'; key: string; send: PendingSend; content: OutgoingMessage }
  | { kind: 'thinking'; key: string; send: PendingSend };

/**
 * What the conversation shows: the thread's messages with what was sent and not acknowledged yet laid over them, at
 * the place where the server will put it.
 */
export function toItems(messages: readonly Message[], pending: readonly PendingSend[]): ConversationItem[] {
  const isShown = ({ ackedAs }: PendingSend) => messages.some((message) => message.id === ackedAs);
  return pending.filter((send) => !isShown(send)).reduce(overlay, messages.map(toItem));
}

function toItem(message: Message): ConversationItem {
  return { kind: 'message', key: `message-${message.id}`, message };
}

function overlay(items: ConversationItem[], send: PendingSend): ConversationItem[] {
  const { request, state, clientMessageId } = send;
  const thinking: ConversationItem[] =
    state === 'failed' && request.event === 'generation:start'
      ? []
      : [{ kind: 'thinking', key: `thinking-${clientMessageId}`, send }];
  if (request.event === 'generation:regenerate') return [...before(items, request.payload.messageId), ...thinking];
  const kept = request.payload.editOf === undefined ? items : before(items, request.payload.editOf);
  return [
    ...kept,
    { kind: 'sent', key: `sent-${clientMessageId}`, send, content: request.payload.content },
    ...thinking,
  ];
}

function before(items: ConversationItem[], messageId: number): ConversationItem[] {
  const at = items.findIndex((item) => item.kind === 'message' && item.message.id === messageId);
  return at === -1 ? items : items.slice(0, at);
}

/** The words that a conversation begins with, while its first answer is awaited. */
export function firstWords(items: readonly ConversationItem[]): string | null {
  const [said, answer] = items;
  if (items.length !== 2 || !said || !answer) return null;
  if (answer.kind === 'message' ? answer.message.status !== 'streaming' : answer.kind === 'sent') return null;
  if (said.kind === 'sent') return said.content.text || null;
  return said.kind === 'message' ? parseContent(said.message.content).text || null : null;
}

/** The answer that is being written in these messages, if one is. */
export function streamingMessage(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => message.status === 'streaming');
}

/** Until it is acknowledged or refused nothing else can be sent. */
export function isBlocking(send: PendingSend): boolean {
  return send.state !== 'failed' && send.ackedAs === undefined;
}
