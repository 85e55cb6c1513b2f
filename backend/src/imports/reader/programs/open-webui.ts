import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceFile, SourceNode } from '../source-conversation.js';
import { fileAt } from './files.js';
import { joined } from './text-blocks.js';

/** The blocks in which Open WebUI stores the steps of an answer, with their type behind the start. */
const BLOCK = { start: '<details type="', end: '</details>' };
const BLOCK_TYPES = ['reasoning', 'tool_calls', 'code_interpreter'];
const SUMMARY = /^\s*<summary>[^<]*<\/summary>/;
const QUOTE_MARK = /^&gt; ?|^> ?/gm;

/** The characters that newer versions escape in reasoning. */
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' };

export const fromOpenWebUi: Converter = (value) => {
  const entry = fieldsOf(value);
  const chat = fieldsOf(entry.chat);
  const history = fieldsOf(chat.history);
  const nodes = nodesOf(history, chat);
  if (nodes === null) return null;
  return {
    id: nameOf(entry.id) ?? textOf(chat.id),
    title: nameOf(entry.title) ?? textOf(chat.title),
    createdAt: timeOf(entry.created_at) ?? timeOf(chat.timestamp),
    updatedAt: timeOf(entry.updated_at),
    isPinned: entry.pinned === true,
    isArchived: entry.archived === true,
    currentId: nameOf(history.currentId) ?? nameOf(history.current_id) ?? nodes.at(-1)?.id ?? null,
    nodes,
  };
};

/** The tree of the messages; older chats have only a list of them. */
function nodesOf(history: Fields, chat: Fields): SourceNode[] | null {
  if (typeof history.messages === 'object' && history.messages !== null) {
    return Object.entries(history.messages).map(([id, message]) => {
      const fields = fieldsOf(message);
      return toNode(id, nameOf(fields.parentId), fields);
    });
  }
  if (!Array.isArray(chat.messages)) return null;
  return chat.messages.map((message, at) => toNode(String(at), at === 0 ? null : String(at - 1), fieldsOf(message)));
}

function toNode(id: string, parentId: string | null, message: Fields): SourceNode {
  const { role } = message;
  const isAnswer = role === 'assistant';
  const content = contentOf(message.content);
  const { text, reasoning } = isAnswer ? answerOf(content, message.output) : { text: content, reasoning: '' };
  return {
    id,
    parentId,
    childIds: listOf(message.childrenIds),
    role: role === 'user' || role === 'assistant' ? role : 'none',
    text,
    reasoning,
    model: isAnswer ? nameOf(message.model) : null,
    createdAt: timeOf(message.timestamp),
    files: listOf(message.files).flatMap(toFile),
  };
}

const contentOf = (content: unknown): string =>
  nameOf(content) ?? joined(listOf(content).map((part) => textOf(fieldsOf(part).text)));

interface Answer {
  text: string;
  reasoning: string;
}

/** An answer. Newer versions store its steps in `output`, and its text there alone or in `content` too. */
function answerOf(content: string, output: unknown): Answer {
  const items = listOf(output).map(fieldsOf);
  const textsOf = (type: string, from: (item: Fields) => string) =>
    joined(items.filter((item) => item.type === type).map(from));
  const { text, reasoning } = split(content);
  return {
    text: text || textsOf('message', (item) => contentOf(item.content)),
    reasoning: reasoning || textsOf('reasoning', (item) => contentOf(item.content) || contentOf(item.summary)),
  };
}

/** The text and the reasoning of an answer. Calls of tools are left out; code that was run is part of the text. */
function split(content: string): Answer {
  const texts: string[] = [];
  const reasoning: string[] = [];
  let rest = content;
  // A block without an end is text, and so is all after it.
  for (let block = firstBlock(rest); block !== null; block = firstBlock(rest)) {
    texts.push(rest.slice(0, block.start));
    if (block.type === 'reasoning') reasoning.push(unquoted(block.inner));
    if (block.type === 'code_interpreter') texts.push(`\n\n${block.inner.trim()}\n\n`);
    rest = rest.slice(block.end).trimStart();
  }
  return { text: texts.join('') + rest, reasoning: reasoning.join('\n\n') };
}

interface Block {
  type: string;
  /** Positions in the text. */
  start: number;
  end: number;
  inner: string;
}

function firstBlock(text: string): Block | null {
  for (let start = text.indexOf(BLOCK.start); start !== -1; start = text.indexOf(BLOCK.start, start + 1)) {
    const type = BLOCK_TYPES.find((each) => text.startsWith(`${each}"`, start + BLOCK.start.length));
    if (type === undefined) continue;
    const tagEnd = text.indexOf('>', start);
    const end = tagEnd === -1 ? -1 : text.indexOf(BLOCK.end, tagEnd);
    if (end === -1) return null;
    return { type, start, end: end + BLOCK.end.length, inner: text.slice(tagEnd + 1, end).replace(SUMMARY, '') };
  }
  return null;
}

/** Reasoning without the marks of a quotation. In newer versions the marks are escaped like all the text. */
function unquoted(quoted: string): string {
  const text = quoted.replace(QUOTE_MARK, '').trim();
  if (!quoted.trimStart().startsWith('&gt;')) return text;
  return text.replace(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Pictures are inside the export, documents are not. Collections of documents and web pages are no files of the message. */
function toFile(value: unknown): SourceFile[] {
  const { url, id, name, type } = fieldsOf(value);
  const address = nameOf(url) ?? textOf(id);
  const isFile = address.startsWith('data:') || type === 'file' || type === 'image';
  return isFile && address !== '' ? [fileAt(address, textOf(name))] : [];
}
