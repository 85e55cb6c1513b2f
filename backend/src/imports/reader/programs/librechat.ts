import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceNode } from '../source-conversation.js';
import { artifactOf, shownArtifact } from './artifacts.js';
import { missingFile } from './files.js';
import { joined } from './text-blocks.js';

/** Private-use characters around marked text, as themselves or as six characters each. */
const MARKS = /\\ue20[013-6]|[\ue200\ue201\ue203-\ue206]/g;

/** The anchor of a citation, such as `\ue202turn0search1`, or its first character alone. */
const ANCHOR = /(?:\\ue202|\ue202)(?:turn\d+(?:search|image|news|video|ref|file)\d+)?/;

/** A conversation of LibreChat's export: its messages as a list, or nested by `children`. */
export const fromLibreChat: Converter = (value) => {
  const conversation = fieldsOf(value);
  const roots = conversation.messagesTree ?? conversation.messages;
  if (nameOf(conversation.conversationId) === null || !Array.isArray(roots)) return null;
  const nodes = flatten(roots, nameOf(fieldsOf(conversation.options).model));
  const times = nodes.flatMap(({ createdAt }) => createdAt ?? []);
  return {
    id: textOf(conversation.conversationId),
    title: textOf(conversation.title),
    createdAt: times.reduce<number | null>((least, time) => Math.min(least ?? time, time), null),
    updatedAt: times.reduce<number | null>((most, time) => Math.max(most ?? time, time), null),
    isPinned: false,
    isArchived: conversation.isArchived === true,
    currentId: newest(nodes)?.id ?? null,
    nodes,
  };
};

function flatten(roots: unknown[], model: string | null): SourceNode[] {
  const nodes: SourceNode[] = [];
  const stack = roots.toReversed().map((message) => ({ message: fieldsOf(message), parentId: null as string | null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { message, parentId } = next;
    const id = nameOf(message.messageId) ?? `#${nodes.length}`;
    nodes.push(toNode(id, parentId ?? nameOf(message.parentMessageId), message, model));
    for (const child of listOf(message.children).toReversed()) stack.push({ message: fieldsOf(child), parentId: id });
  }
  return nodes;
}

function toNode(id: string, parentId: string | null, message: Fields, model: string | null): SourceNode {
  const isUser = message.isCreatedByUser === true;
  const parts = listOf(message.content).map(fieldsOf);
  const text =
    nameOf(message.text) ?? joined(parts.map((part) => nameOf(part.text) ?? textOf(fieldsOf(part.text).value)));
  const answer = isUser ? { text, thoughts: [] } : withoutBlocks(text);
  return {
    id,
    parentId,
    role: isUser ? 'user' : 'assistant',
    text: isUser ? text : withoutCitations(answer.text),
    reasoning: joined([
      ...parts.map(({ think }) => nameOf(think) ?? textOf(fieldsOf(think).value)),
      ...answer.thoughts,
    ]),
    model: isUser ? null : (nameOf(message.model) ?? model),
    createdAt: timeOf(message.createdAt),
    files: listOf(message.files).map((file) => {
      const { file_id: fileId, filename } = fieldsOf(file);
      return missingFile(textOf(fileId), textOf(filename));
    }),
  };
}

/** The first line of a block, such as `:::artifact{identifier="a" type="text/html" title="A"}`, and its last one. */
const BLOCK = /^:::(thinking|artifact)(?:\{(.*)\})?\s*$/;
const BLOCK_END = /^:::\s*$/;

/** A line that begins or ends code, with what stands behind its mark. */
const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/;

/** The mark of the code in which the next line stands; null outside of code. */
function fenceAfter(line: string, open: string | null): string | null {
  const [, mark = '', rest = ''] = FENCE.exec(line) ?? [];
  if (open !== null) return mark.startsWith(open) && rest.trim() === '' ? null : open;
  return mark === '' || (mark.startsWith('`') && rest.includes('`')) ? null : mark;
}

/**
 * Takes thoughts out of a text, and shows artifacts. A block without an end, and thoughts in which another one begins, are
 * text, as is a block in code. The end of a block ends code in it, as LibreChat reads it.
 */
function withoutBlocks(text: string): { text: string; thoughts: string[] } {
  const lines: string[] = [];
  const thoughts: string[] = [];
  let open = null as { kind: string; attributes: string; from: number } | null;
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mayBegin: boolean = fence === null && open?.kind !== 'artifact';
    const found: RegExpExecArray | null = mayBegin ? BLOCK.exec(line) : null;
    if (found !== null) open = { kind: found[1]!, attributes: found[2] ?? '', from: lines.length };
    if (open === null || !BLOCK_END.test(line)) {
      fence = fenceAfter(line, fence);
      lines.push(line);
      continue;
    }
    const inner = lines.splice(open.from).slice(1).join('\n').trim();
    if (open.kind === 'thinking') thoughts.push(inner);
    else lines.push(shownBlock(open.attributes, inner));
    open = fence = null;
  }
  return { text: thoughts.length > 0 ? lines.join('\n').trim() : lines.join('\n'), thoughts };
}

/** Most artifacts are fenced as they stand. */
function shownBlock(attributes: string, inner: string): string {
  const { title, ...artifact } = artifactOf(attributes, inner);
  const isFenced = inner.startsWith('```');
  return shownArtifact({ title, ...(isFenced ? { type: '', language: '', text: inner } : artifact) });
}

/** Removes the anchors of citations with the blanks before them, and all marks. Marked text stays. */
function withoutCitations(text: string): string {
  const pieces = text.replace(MARKS, '').split(ANCHOR);
  const last = pieces.pop() ?? '';
  return pieces.map((piece) => piece.trimEnd()).join('') + last;
}

/** The newest message; among messages of the same time, the last one. */
const newest = (nodes: readonly SourceNode[]): SourceNode | undefined =>
  nodes.reduce<SourceNode | undefined>(
    (found, node) => ((node.createdAt ?? 0) >= (found?.createdAt ?? 0) ? node : found),
    undefined,
  );
