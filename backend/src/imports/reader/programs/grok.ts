import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceNode } from '../source-conversation.js';
import { replaceTags, type Tag } from './text-blocks.js';

/** Marks of citations and of calls of tools. */
const TAGS: Tag[] = ['grok:render', 'xai:tool_usage_card'].map((name) => ({ name, toShown: () => '' }));

/** An entry of `conversations` of Grok's export. */
export const fromGrok: Converter = (value) => {
  const entry = fieldsOf(value);
  if (!Array.isArray(entry.responses)) return null;
  const conversation = fieldsOf(entry.conversation);
  const nodes: SourceNode[] = [];
  for (const [at, response] of entry.responses.map((each) => fieldsOf(fieldsOf(each).response)).entries()) {
    nodes.push(toNode(response, nameOf(response._id) ?? `#${at}`, nodes.at(-1)?.id ?? null));
  }
  return {
    id: textOf(conversation.id),
    title: textOf(conversation.title),
    createdAt: momentOf(conversation.create_time),
    updatedAt: momentOf(conversation.modify_time),
    isPinned: conversation.starred === true,
    isArchived: false,
    currentId: nameOf(conversation.leaf_response_id) ?? nodes.at(-1)?.id ?? null,
    nodes,
  };
};

/** @param before the response before it in the file, which is its parent in older exports */
function toNode(response: Fields, id: string, before: string | null): SourceNode {
  const isUser = textOf(response.sender).toLowerCase() === 'human';
  const text = textOf(response.message);
  return {
    id,
    parentId: nameOf(response.parent_response_id) ?? before,
    role: isUser ? 'user' : 'assistant',
    text: isUser ? text : replaceTags(text, TAGS),
    reasoning: isUser ? '' : textOf(response.thinking_trace),
    model: isUser ? null : nameOf(response.model),
    createdAt: momentOf(response.create_time),
    files: listOf(response.file_attachments).flatMap((file) => {
      const assetId = nameOf(file) ?? nameOf(fieldsOf(file).id);
      return assetId === null ? [] : [{ name: '', type: '', source: { assetId } }];
    }),
  };
}

/** A time as text, or as MongoDB exports it: `{ $date: { $numberLong: '1705312200000' } }`. */
function momentOf(value: unknown): number | null {
  const { $date: date } = fieldsOf(value);
  if (date === undefined) return timeOf(value);
  const { $numberLong: milliseconds } = fieldsOf(date);
  return timeOf(milliseconds === undefined ? date : Number(milliseconds));
}
