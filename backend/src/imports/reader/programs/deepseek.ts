import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceFile, SourceNode } from '../source-conversation.js';
import { joined } from './text-blocks.js';

/** A mark of a page that a search has found, such as `[citation:3]`. */
const CITATION = /\s?\[citation:\d{1,4}\]/g;

/** A tree as that of ChatGPT, whose messages have their text in fragments. */
export const fromDeepSeek: Converter = (value) => {
  const conversation = fieldsOf(value);
  const entries = Object.entries(fieldsOf(conversation.mapping)).map(([id, node]) => [id, fieldsOf(node)] as const);
  const isOwn = entries.some(([, node]) => Array.isArray(fieldsOf(node.message).fragments));
  if (!isOwn && (entries.length === 0 || conversation.inserted_at === undefined)) return null;
  const nodes: SourceNode[] = [];
  const roles = new Map<string, SourceNode['role']>();
  for (const [id, node] of entries) {
    const converted = toNode(id, node, roles.get(textOf(node.parent)));
    roles.set(id, converted.role);
    nodes.push(converted);
  }
  return {
    id: textOf(conversation.id),
    title: textOf(conversation.title),
    createdAt: timeOf(conversation.inserted_at),
    updatedAt: timeOf(conversation.updated_at),
    isPinned: conversation.pinned === true,
    isArchived: false,
    // The export does not say which version was shown; the last one is the newest.
    currentId: nodes.findLast(({ role }) => role !== 'none')?.id ?? null,
    nodes,
  };
};

/** @param above the role of its parent, which stands before it */
function toNode(id: string, node: Fields, above: SourceNode['role'] | undefined): SourceNode {
  const message = fieldsOf(node.message);
  const role = Object.keys(message).length === 0 ? 'none' : roleOf(message, above);
  const isAnswer = role === 'assistant';
  const text = textsOf(message, isAnswer ? 'RESPONSE' : 'REQUEST') || textOf(message.content);
  return {
    id,
    parentId: nameOf(node.parent),
    childIds: listOf(node.children),
    role,
    text: isAnswer ? text.replace(CITATION, '') : text,
    reasoning: isAnswer ? textsOf(message, 'THINK') || textOf(message.reasoning_content) : '',
    model: isAnswer ? nameOf(message.model) : null,
    createdAt: timeOf(message.inserted_at),
    files: role === 'user' ? listOf(message.files).flatMap((file) => fileOf(fieldsOf(file))) : [],
  };
}

/** Earlier exports name no role: a question stands at the root or below an answer. */
function roleOf({ fragments }: Fields, above: SourceNode['role'] | undefined): SourceNode['role'] {
  if (Array.isArray(fragments)) return fragments.some((each) => isOf('REQUEST', each)) ? 'user' : 'assistant';
  return above === 'user' ? 'assistant' : 'user';
}

const isOf = (type: string, fragment: unknown): boolean => fieldsOf(fragment).type === type;

const textsOf = ({ fragments }: Fields, type: string): string =>
  joined(
    listOf(fragments)
      .filter((fragment) => isOf(type, fragment))
      .map((fragment) => textOf(fieldsOf(fragment).content)),
  );

/** The export has the names of files, and the text of some. */
function fileOf({ id, file_name: fileName, name, content }: Fields): SourceFile[] {
  const shown = nameOf(fileName) ?? textOf(name);
  const text = nameOf(content);
  if (text !== null) return [{ name: shown, type: 'text/plain', source: { text } }];
  const assetId = nameOf(id) ?? shown;
  return assetId === '' ? [] : [{ name: shown, type: '', source: { assetId } }];
}
