import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceFile, SourceNode } from '../source-conversation.js';
import { type CanvasCall, isCanvasCall, writeDocuments } from './canvas.js';
import { fenced, joined } from './text-blocks.js';

/** The id in `file-service://file-Ab12…`, in `sediment://file_00ab…` and alone. */
const ASSET_ID = /^(?:[\w-]+:\/\/)?(file[-_][A-Za-z0-9]+)/;

/** Private-use characters around the marks of citations and other references, and between the fields of a mark. */
const [MARK_START, MARK_END, MARK_FIELD] = ['\ue200', '\ue201', '\ue202'];

/** A citation as earlier versions have written it, such as `【3†source】` and `【4:0†notes.pdf】`. */
const EARLIER_CITATION = /【[^【】†\n]{0,40}†[^【】\n]{0,200}】/g;

const WEB_ADDRESS = /^https?:\/\/[^\s<>]+$/i;

export const fromChatGpt: Converter = (value) => {
  const conversation = fieldsOf(value);
  if (typeof conversation.mapping !== 'object' || conversation.mapping === null) return null;
  const model = nameOf(conversation.default_model_slug);
  const entries = Object.entries(conversation.mapping).map(([id, node]) => [id, fieldsOf(node)] as const);
  const nodes = entries.map(([id, node]) => toNode(id, node, model));
  writeDocuments(nodes, canvasCalls(entries));
  return {
    id: nameOf(conversation.conversation_id) ?? textOf(conversation.id),
    title: textOf(conversation.title),
    createdAt: timeOf(conversation.create_time),
    updatedAt: timeOf(conversation.update_time),
    isPinned: timeOf(conversation.pinned_time) !== null || conversation.is_starred === true,
    isArchived: conversation.is_archived === true,
    currentId: nameOf(conversation.current_node),
    nodes,
  };
};

/** @param defaultModel of the conversation: not every answer names its own */
function toNode(id: string, node: Fields, defaultModel: string | null): SourceNode {
  const message = fieldsOf(node.message);
  const metadata = fieldsOf(message.metadata);
  const role = roleOf(message, metadata);
  const content = fieldsOf(message.content);
  const isReasoning = content.content_type === 'thoughts';
  // Tools tell the model what to do, and what they found in files.
  const isSilent = role === 'none' || isReasoning || fieldsOf(message.author).role === 'tool';
  return {
    id,
    parentId: nameOf(node.parent),
    childIds: listOf(node.children),
    role,
    text: isSilent ? '' : textIn(message, content),
    reasoning: isReasoning ? thoughtsIn(content) : '',
    model: nameOf(metadata.model_slug) ?? (role === 'assistant' ? defaultModel : null),
    createdAt: timeOf(message.create_time),
    files: role === 'none' ? [] : filesIn(content, metadata),
  };
}

function roleOf(message: Fields, metadata: Fields): SourceNode['role'] {
  if (metadata.is_visually_hidden_from_conversation === true) return 'none';
  const role = fieldsOf(message.author).role;
  if (role === 'user') return 'user';
  const content = fieldsOf(message.content);
  const type = content.content_type;
  // Of tools, only pictures are shown; of the model, all but its calls of tools.
  if (role === 'tool') {
    const isShown = type === 'multimodal_text' || isOutput(content);
    return isShown && filesIn(content, metadata).length > 0 ? 'assistant' : 'none';
  }
  if (role !== 'assistant' || type === 'reasoning_recap') return 'none';
  return isForUser(message) || isCanvasCall(recipientOf(message)) ? 'assistant' : 'none';
}

const isOutput = (content: Fields): boolean => content.content_type === 'execution_output';

/** The addresses of the pictures that the code interpreter has drawn. */
const chartsIn = (metadata: Fields): string[] =>
  listOf(fieldsOf(metadata.aggregate_result).messages).flatMap((output) => nameOf(fieldsOf(output).image_url) ?? []);

/** The calls of the canvas that are shown, by their node. */
function canvasCalls(entries: readonly (readonly [string, Fields])[]): Map<string, CanvasCall> {
  const calls = new Map<string, CanvasCall>();
  for (const [id, node] of entries) {
    const message = fieldsOf(node.message);
    const recipient = recipientOf(message);
    if (!isCanvasCall(recipient) || roleOf(message, fieldsOf(message.metadata)) === 'none') continue;
    const { text, parts } = fieldsOf(message.content);
    calls.set(id, { recipient, arguments: nameOf(text) ?? textOf(listOf(parts)[0]) });
  }
  return calls;
}

const recipientOf = (message: Fields): string => nameOf(message.recipient) ?? 'all';

const isForUser = (message: Fields): boolean => recipientOf(message) === 'all';

function textIn(message: Fields, content: Fields): string {
  if (isCanvasCall(recipientOf(message))) return '';
  if (content.content_type === 'code') return fenced(textOf(content.language), textOf(content.text));
  const parts = listOf(content.parts).map((part) => nameOf(part) ?? textOf(fieldsOf(part).text));
  const text = parts.length > 0 ? joined(parts) : textOf(content.text);
  return fieldsOf(message.author).role === 'assistant' ? withoutMarks(text.replace(EARLIER_CITATION, '')) : text;
}

function withoutMarks(text: string): string {
  const pieces = text.split(MARK_END);
  const last = pieces.pop() ?? '';
  const unmarked = pieces.map((piece) => {
    const start = piece.indexOf(MARK_START);
    return start === -1 ? piece + MARK_END : piece.slice(0, start) + shownOf(piece.slice(start + MARK_START.length));
  });
  return unmarked.join('') + last;
}

/** The text that a mark shows: names and links are part of the sentence, citations are not. */
function shownOf(mark: string): string {
  const [kind, shown = '', address = ''] = mark.split(MARK_FIELD);
  if (kind === 'entity') return entityName(shown);
  if (kind !== 'url') return '';
  return WEB_ADDRESS.test(address) ? link(shown, address) : shown;
}

const link = (text: string, address: string): string =>
  `[${text.replace(/[\\[\]]/g, String.raw`\$&`)}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;

/** The name of an entity, from a list such as `["company","Tesla","carmaker"]` or alone. */
function entityName(entity: string): string {
  if (!entity.startsWith('[')) return entity;
  try {
    return textOf(listOf(JSON.parse(entity))[1]);
  } catch {
    return '';
  }
}

const thoughtsIn = (content: Fields): string =>
  joined(
    listOf(content.thoughts).flatMap((thought) => {
      const { summary, content: text } = fieldsOf(thought);
      return [textOf(summary) && `**${textOf(summary)}**`, textOf(text)];
    }),
  );

/** Pictures in the text and attached files, each once. */
function filesIn(content: Fields, metadata: Fields): SourceFile[] {
  const files = new Map<string, SourceFile>();
  const add = (reference: string, name: string, type: string) => {
    const assetId = ASSET_ID.exec(reference)?.[1];
    if (assetId === undefined) return;
    const known = files.get(assetId);
    files.set(assetId, { name: name || known?.name || '', type: type || known?.type || '', source: { assetId } });
  };
  for (const part of listOf(content.parts).map(fieldsOf)) {
    const { asset_pointer: pointer, audio_asset_pointer: recording } = part;
    add(nameOf(pointer) ?? textOf(fieldsOf(recording).asset_pointer), '', '');
  }
  for (const address of chartsIn(metadata)) add(address, '', '');
  for (const attachment of listOf(metadata.attachments)) {
    const { id, name, mime_type, mimeType } = fieldsOf(attachment);
    add(textOf(id), textOf(name), nameOf(mime_type) ?? textOf(mimeType));
  }
  return [...files.values()];
}
