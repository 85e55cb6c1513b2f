import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from './fields.js';
import type { Converter, SourceFile, SourceNode } from './source-conversation.js';

/** The block in which Open WebUI stores the reasoning of an answer. */
const REASONING = { start: '<details type="reasoning"', end: '</details>' };
const SUMMARY = /^\s*<summary>[^<]*<\/summary>/;
const QUOTE_MARK = /^&gt; ?|^> ?/gm;

/** A chat of Open WebUI's export. */
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
  const { text, reasoning } = split(contentOf(message.content));
  return {
    id,
    parentId,
    role: role === 'user' || role === 'assistant' ? role : 'none',
    text: role === 'assistant' ? text : contentOf(message.content),
    reasoning: role === 'assistant' ? reasoning : '',
    model: role === 'assistant' ? nameOf(message.model) : null,
    createdAt: timeOf(message.timestamp),
    files: listOf(message.files).flatMap(toFile),
  };
}

const contentOf = (content: unknown): string =>
  nameOf(content) ??
  listOf(content)
    .map((part) => textOf(fieldsOf(part).text))
    .filter(Boolean)
    .join('\n\n');

function split(content: string): { text: string; reasoning: string } {
  const texts: string[] = [];
  const reasoning: string[] = [];
  let rest = content;
  // A block without an end is text, and so is all after it.
  for (let start = rest.indexOf(REASONING.start); start !== -1; start = rest.indexOf(REASONING.start)) {
    const tagEnd = rest.indexOf('>', start + REASONING.start.length);
    const end = tagEnd === -1 ? -1 : rest.indexOf(REASONING.end, tagEnd + 1);
    if (end === -1) break;
    const inner = rest.slice(tagEnd + 1, end).replace(SUMMARY, '');
    texts.push(rest.slice(0, start));
    reasoning.push(inner.replace(QUOTE_MARK, '').trim());
    rest = rest.slice(end + REASONING.end.length).trimStart();
  }
  return { text: texts.join('') + rest, reasoning: reasoning.join('\n\n') };
}

/** Only files inside the export can be imported. */
function toFile(value: unknown): SourceFile[] {
  const { url, name } = fieldsOf(value);
  const dataUrl = textOf(url);
  if (!dataUrl.startsWith('data:')) return [];
  return [{ name: textOf(name), type: /^data:([\w.+-]+\/[\w.+-]+)/.exec(dataUrl)?.[1] ?? '', source: { dataUrl } }];
}
