import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceFile, SourceNode } from '../source-conversation.js';
import { fileAt } from './files.js';

export const fromTypingMind: Converter = (value) => {
  const chat = fieldsOf(value);
  const id = nameOf(chat.chatID) ?? nameOf(chat.id);
  if (!Array.isArray(chat.messages) || (nameOf(chat.chatID) ?? nameOf(chat.chatTitle)) === null) return null;
  const model = nameOf(chat.model);
  const nodes = chat.messages.map((message, at) => toNode(fieldsOf(message), at, model));
  return {
    id: id ?? '',
    title: textOf(chat.chatTitle) || textOf(chat.preview),
    createdAt: timeOf(chat.createdAt),
    updatedAt: timeOf(chat.updatedAt),
    isPinned: nameOf(chat.pinnedAt) !== null || chat.isPinned === true,
    isArchived: false,
    currentId: nodes.at(-1)?.id ?? null,
    nodes,
  };
};

/** The messages are one path; those of the system and of tools only connect. */
function toNode(message: Fields, at: number, model: string | null): SourceNode {
  const { role, content } = message;
  const isShown = role === 'user' || role === 'assistant';
  const parts = listOf(content).map(fieldsOf);
  const textsOf = (name: string) =>
    parts
      .map((part) => textOf(part[name]))
      .filter(Boolean)
      .join('\n\n');
  return {
    id: String(at),
    parentId: at === 0 ? null : String(at - 1),
    role: isShown ? role : 'none',
    text: isShown ? (nameOf(content) ?? textsOf('text')) : '',
    reasoning: role === 'assistant' ? (nameOf(message.reasoning) ?? textsOf('thinking')) : '',
    model: role === 'assistant' ? (nameOf(message.model) ?? model) : null,
    createdAt: timeOf(message.createdAt),
    files: isShown ? parts.flatMap(toFile) : [],
  };
}

/** A picture inside the export, or one that it only names. */
function toFile({ image_url: image }: Fields): SourceFile[] {
  const url = nameOf(image) ?? textOf(fieldsOf(image).url);
  return url === '' ? [] : [fileAt(url)];
}
