import { isOpen, type Message, type MessageContent, parseContent } from '@tanya/contract';
import type { PendingSend } from '../client/outbox-store';

/** One row of the conversation; `thinking` is the placeholder of an answer. */
export type ConversationItem =
  | { kind: 'message'; key: string; message: Message }
  | { kind: 'sent'; key: string; send: PendingSend; content: MessageContent }
  | { kind: 'thinking'; key: string; send: PendingSend };

/**
 * The rows of a conversation: the thread's messages, with each pending send at the position that it will have. A failed one
 * hides nothing: a message stays where it was written, an edit or a regeneration stands below its message.
 */
export function toItems(messages: readonly Message[], pending: readonly PendingSend[]): ConversationItem[] {
  const isLoaded = ({ ackedAs }: PendingSend) => messages.some((message) => message.id === ackedAs);
  return pending.filter((send) => !isLoaded(send)).reduce(overlay, messages.map(toItem));
}

function toItem(message: Message): ConversationItem {
  return { kind: 'message', key: `message-${message.id}`, message };
}

function overlay(items: ConversationItem[], send: PendingSend): ConversationItem[] {
  const { request, clientMessageId } = send;
  const thinking: ConversationItem = { kind: 'thinking', key: `thinking-${clientMessageId}`, send };
  const isStart = request.event === 'generation:start';
  const sent: ConversationItem = { kind: 'sent', key: `sent-${clientMessageId}`, send, content: sentContent(send) };
  const at = indexOf(items, isStart ? request.payload.editOf : request.payload.messageId);
  if (send.state === 'failed') {
    const place = isStart && request.payload.editOf === undefined ? placeAfter(items, send.after) : at + 1;
    return [...items.slice(0, place), isStart ? sent : thinking, ...items.slice(place)];
  }
  return [...items.slice(0, at), ...(isStart ? [sent] : []), thinking];
}

/** A message without an ack as it is shown. Sends of earlier versions have the older fields of files. */
export function sentContent({ shown, request }: PendingSend): MessageContent {
  if (shown !== undefined || request.event === 'generation:regenerate') return shown ?? { text: '' };
  const { attachments: _ids, ...content } = request.payload.content;
  return content;
}

/** The index of the message; the end if it is not among the items. */
function indexOf(items: ConversationItem[], messageId: number | undefined): number {
  const at = items.findIndex((item) => item.kind === 'message' && item.message.id === messageId);
  return at === -1 ? items.length : at;
}

/** The index below a message and the sends that stand there already; null is the beginning. */
function placeAfter(items: ConversationItem[], messageId: number | null | undefined): number {
  const place = messageId === null ? 0 : indexOf(items, messageId) + 1;
  const next = items.findIndex((item, index) => index >= place && item.kind === 'message');
  return next === -1 ? items.length : next;
}

/** The text of the first message while its answer is pending or running; null otherwise. */
export function firstMessageText(items: readonly ConversationItem[]): string | null {
  const [question, answer] = items;
  if (items.length !== 2 || !question || !answer) return null;
  if (answer.kind === 'message' ? !isOpen(answer.message.status) : answer.kind === 'sent') return null;
  if (question.kind === 'sent') return question.content.text || null;
  return question.kind === 'message' ? parseContent(question.message.content).text || null : null;
}

/** The answer of these messages that runs or waits for approvals. */
export function streamingMessage(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => isOpen(message.status));
}

/** True until the send is acknowledged, queued or has failed; nothing else can be sent meanwhile. */
export function isBlocking(send: PendingSend): boolean {
  return send.state !== 'failed' && send.state !== 'queued' && send.ackedAs === undefined;
}
