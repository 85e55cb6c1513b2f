import { parseContent } from '@tanya/contract';
import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from './fields.js';
import type { SourceConversation, SourceFile, SourceNode } from './source-conversation.js';

const idOf = (value: unknown): string | null => (typeof value === 'number' ? String(value) : null);

const isMessage = (value: unknown): boolean => typeof fieldsOf(value).isUserMessage === 'boolean';

/**
 * The conversations of this product's own exports: of one thread (`{ title, messages }`) or of an account
 * (`{ threads, messages }`). Files are not part of them.
 */
export function fromTanya(value: unknown): SourceConversation[] | null {
  const file = fieldsOf(value);
  const messages = listOf(file.messages).filter(isMessage).map(fieldsOf);
  if (messages.length === 0) return null;
  if (!Array.isArray(file.threads)) return [toConversation(textOf(file.title), {}, messages)];
  const byThread = new Map<unknown, Fields[]>();
  for (const message of messages) {
    const own = byThread.get(message.threadId);
    if (own === undefined) byThread.set(message.threadId, [message]);
    else own.push(message);
  }
  return file.threads.map(fieldsOf).flatMap((thread) => {
    const own = byThread.get(thread.id);
    return own === undefined ? [] : [toConversation(textOf(thread.title), thread, own)];
  });
}

function toConversation(title: string, thread: Fields, messages: Fields[]): SourceConversation {
  const nodes = messages.map(toNode);
  const id = idOf(thread.id) ?? idOf(messages[0]?.threadId) ?? '';
  return {
    id: id === '' ? '' : `${id}@${textOf(messages[0]?.createdAt)}`,
    title,
    createdAt: timeOf(thread.createdAt) ?? nodes[0]?.createdAt ?? null,
    updatedAt: timeOf(thread.updatedAt) ?? nodes.at(-1)?.createdAt ?? null,
    currentId: idOf(thread.activeLeafId) ?? nodes.at(-1)?.id ?? null,
    nodes,
  };
}

function toNode(message: Fields, at: number): SourceNode {
  const content = fieldsOf(parseContent(textOf(message.content)));
  return {
    id: idOf(message.id) ?? `#${at}`,
    parentId: idOf(message.parentId),
    role: message.isUserMessage === true ? 'user' : 'assistant',
    text: textOf(content.text),
    reasoning: textOf(message.reasoning),
    model: nameOf(message.modelId),
    createdAt: timeOf(message.createdAt),
    files: filesIn(content, listOf(message.parts).map(fieldsOf)),
  };
}

/** The attachments and the pictures of a message, each once. The export does not have their contents. */
function filesIn({ attachments, fileUrl, imageData, audioData, imageUrl }: Fields, parts: Fields[]): SourceFile[] {
  const addresses = [
    ...listOf(attachments).map((attachment) => fieldsOf(attachment).url),
    ...[fileUrl, imageData, audioData, imageUrl],
    ...parts.map(({ type, url }) => (type === 'image' ? url : null)),
  ].flatMap((address) => nameOf(address) ?? []);
  return [...new Set(addresses)].map((assetId) => ({ name: '', type: '', source: { assetId } }));
}
