import { MAX_CHARACTERS } from '../conversation-tree.js';
import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { Converter, SourceFile, SourceNode } from '../source-conversation.js';
import { type Artifact, artifactOf, shownArtifact } from './artifacts.js';
import { missingFile } from './files.js';
import { fenced, joined, replaceTags, type Tag } from './text-blocks.js';

/** Names under which the text of an attachment is a text file. */
const TEXT_NAME = /\.(txt|md|csv|json|log|tsv)$/i;
const PASTED = 'Pasted text';

/** The artifacts above a message, by their ids. Of further ones only the changes are shown. */
type Artifacts = ReadonlyMap<string, Artifact>;
const MAX_ARTIFACTS = 50;

const withArtifact = (before: Artifacts, id: string, artifact: Artifact): Artifacts =>
  before.has(id) || before.size < MAX_ARTIFACTS ? new Map(before).set(id, artifact) : before;

/** Artifacts and thoughts as earlier versions have written them into the text. */
const TAGS: Tag[] = [
  {
    name: 'antArtifact',
    toShown: (text, attributes) => `\n\n${shownArtifact(artifactOf(attributes, text))}\n\n`,
  },
  { name: 'antThinking', toShown: () => '' },
];

/** A conversation of Claude's export. Its messages name their parents, in older exports they are a list. */
export const fromClaude: Converter = (value) => {
  const conversation = fieldsOf(value);
  if (!Array.isArray(conversation.chat_messages)) return null;
  const model = nameOf(conversation.model);
  const nodes: SourceNode[] = [];
  const artifacts = new Map<string, Artifacts>();
  let room = MAX_CHARACTERS;
  for (const [at, message] of conversation.chat_messages.map(fieldsOf).entries()) {
    const id = nameOf(message.uuid) ?? `#${at}`;
    const parentId = nameOf(message.parent_message_uuid) ?? nodes.at(-1)?.id ?? null;
    const before = artifacts.get(parentId ?? '') ?? new Map<string, Artifact>();
    const isUser = message.sender === 'human';
    const answer = isUser
      ? { text: questionIn(message), reasoning: '', after: before }
      : answerIn(message, before, room);
    room -= answer.text.length;
    artifacts.set(id, answer.after);
    nodes.push({
      id,
      parentId,
      role: isUser ? 'user' : 'assistant',
      text: answer.text,
      reasoning: answer.reasoning,
      model: isUser ? null : (nameOf(message.model) ?? model),
      createdAt: timeOf(message.created_at),
      files: filesIn(message, id),
    });
  }
  return {
    id: textOf(conversation.uuid),
    title: textOf(conversation.name),
    createdAt: timeOf(conversation.created_at),
    updatedAt: timeOf(conversation.updated_at),
    isPinned: conversation.is_starred === true,
    isArchived: false,
    currentId: nameOf(conversation.current_leaf_message_uuid) ?? nodes.at(-1)?.id ?? null,
    nodes,
  };
};

const blocksOf = (message: Fields): Fields[] => listOf(message.content).map(fieldsOf);

/** The text of a message stands in its blocks; `text` has placeholders for the blocks of tools. */
function questionIn(message: Fields): string {
  const text = joined(blocksOf(message).map((block) => textOf(block.text)));
  return text || textOf(message.text);
}

/** @param room characters of the artifacts that are still shown: short changes can show a long one again and again */
function answerIn(
  message: Fields,
  before: Artifacts,
  room: number,
): { text: string; reasoning: string; after: Artifacts } {
  const blocks = blocksOf(message);
  const texts: string[] = [];
  const thoughts: string[] = [];
  let after = before;
  let left = room;
  for (const block of blocks) {
    let shown = '';
    if (block.type === 'thinking') thoughts.push(textOf(block.thinking));
    else if (block.type === 'tool_use') [after, shown] = callIn(block, after, left);
    else if (block.type !== 'tool_result') shown = replaceTags(textOf(block.text), TAGS).trim();
    texts.push(shown);
    left -= shown.length;
  }
  const text = blocks.length > 0 ? joined(texts) : replaceTags(textOf(message.text), TAGS).trim();
  return { text, reasoning: joined(thoughts), after };
}

/** The artifacts after a call, and the text that shows it. Calls that write nothing are left out. */
function callIn({ name, input: value }: Fields, before: Artifacts, room: number): [Artifacts, string] {
  const input = fieldsOf(value);
  if (name === 'create_file') return [before, writtenFile(textOf(input.path), textOf(input.file_text))];
  if (name === 'repl') return [before, fenced('javascript', textOf(input.code))];
  if (name !== 'artifacts') return [before, ''];
  const id = textOf(input.id);
  const known = before.get(id);
  if (input.command !== 'update') {
    const artifact = {
      title: nameOf(input.title) ?? known?.title ?? '',
      type: nameOf(input.type) ?? known?.type ?? '',
      language: nameOf(input.language) ?? known?.language ?? '',
      text: textOf(input.content),
    };
    return [withArtifact(before, id, artifact), shownArtifact(artifact)];
  }
  const [old, replacement] = [textOf(input.old_str), textOf(input.new_str)];
  const isFound = known !== undefined && old !== '' && known.text.includes(old);
  if (!isFound || known.text.length + replacement.length > room) {
    return [before, shownArtifact({ title: '', type: '', language: '', ...known, text: replacement })];
  }
  const changed = { ...known, text: known.text.replace(old, () => replacement) };
  return [withArtifact(before, id, changed), shownArtifact(changed)];
}

const writtenFile = (path: string, text: string): string =>
  text && joined([path && `\`${path.replace(/[`\s]+/g, ' ')}\``, fenced(/\.(\w+)$/.exec(path)?.[1] ?? '', text)]);

/**
 * Attachments with the text that was read of them. Of other files the export has the names alone. Older exports have them
 * without ids, and newer ones list them twice.
 */
function filesIn(message: Fields, messageId: string): SourceFile[] {
  const files = new Map<string, SourceFile>();
  const add = (id: string, name: string) => files.set(id, missingFile(id, name));
  const read = new Set<string>();
  const others = [message.files, message.files_v2].map((list) => listOf(list).map(fieldsOf));
  const names = new Set(others.flat().map((file) => textOf(file.file_name)));
  for (const [at, { file_name, extracted_content }] of listOf(message.attachments).map(fieldsOf).entries()) {
    const text = textOf(extracted_content);
    const name = textOf(file_name);
    const id = `${messageId}#${at}`;
    if (text === '') {
      if (!names.has(name)) add(id, name);
      continue;
    }
    const textName = TEXT_NAME.test(name) ? name : `${name || PASTED}.txt`;
    files.set(id, { name: textName, type: 'text/plain', source: { text } });
    read.add(name);
  }
  for (const list of others)
    for (const [at, { file_name, file_uuid }] of list.entries()) {
      const name = textOf(file_name);
      if (name === '' || !read.has(name)) add(nameOf(file_uuid) ?? `${messageId}/${at}`, name);
    }
  return [...files.values()];
}
