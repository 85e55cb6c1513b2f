import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceFile, SourceNode } from '../source-conversation.js';
import { fileAt } from './files.js';
import { joined } from './text-blocks.js';

export const fromTypingMind: Converter = (value) => {
  const chat = fieldsOf(value);
  const id = nameOf(chat.chatID) ?? nameOf(chat.id);
  if (!Array.isArray(chat.messages) || (nameOf(chat.chatID) ?? nameOf(chat.chatTitle)) === null) return null;
  const model = nameOf(chat.model);
  const { nodes, currentId } = treeOf(chat.messages, model);
  return {
    id: id ?? '',
    title: textOf(chat.chatTitle) || textOf(chat.preview),
    createdAt: timeOf(chat.createdAt),
    updatedAt: timeOf(chat.updatedAt),
    isPinned: nameOf(chat.pinnedAt) !== null || chat.isPinned === true,
    isArchived: false,
    currentId,
    nodes,
  };
};

/** The messages are one path. The answers of several models to one question are versions; the path goes on from the first. */
function treeOf(messages: unknown[], model: string | null): { nodes: SourceNode[]; currentId: string | null } {
  const nodes: SourceNode[] = [];
  const add = (list: unknown[], parentId: string | null, answering: string | null): string | null => {
    let end = parentId;
    for (const message of list.map(fieldsOf)) {
      const id = String(nodes.length);
      nodes.push(toNode(id, end, message, answering));
      end = id;
    }
    return end;
  };
  let end: string | null = null;
  for (const message of messages) {
    const { type, responses } = fieldsOf(message);
    const answers = type === 'tm_multi_responses' ? listOf(responses).map(fieldsOf) : [];
    if (answers.length === 0) end = add([message], end, model);
    else [end = null] = answers.map((answer) => add(listOf(answer.messages), end, nameOf(answer.model) ?? model));
  }
  return { nodes, currentId: end };
}

/** Messages of the system and of tools only connect. */
function toNode(id: string, parentId: string | null, message: Fields, model: string | null): SourceNode {
  const { role, content } = message;
  const isShown = role === 'user' || role === 'assistant';
  const parts = listOf(content).map(fieldsOf);
  const textsOf = (name: string) => joined(parts.map((part) => textOf(part[name])));
  return {
    id,
    parentId,
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
