import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from '../fields.js';
import type { SourceConversation, SourceFile, SourceNode } from '../source-conversation.js';
import { artifactOf, shownArtifact } from './artifacts.js';
import { missingFile } from './files.js';
import { joined, replaceTags } from './text-blocks.js';

const DEFAULT_TOPIC = 'inbox';

/** The conversations of LobeChat's export: the messages of each topic, and those of each assistant without one. */
export function fromLobeChat(value: unknown): SourceConversation[] | null {
  const file = fieldsOf(value);
  const tables = [file.data, file.state].map(fieldsOf).find(({ messages }) => Array.isArray(messages));
  if (tables === undefined || !(Array.isArray(tables.topics) || Array.isArray(tables.sessions))) return null;
  const titles = new Map<string, Fields>();
  for (const row of [tables.agents, tables.sessions, tables.topics].flatMap(listOf).map(fieldsOf))
    titles.set(textOf(row.id), row);
  const missing = missingFiles(tables);
  const groups = new Map<string, Fields[]>();
  for (const message of listOf(tables.messages).map(fieldsOf)) {
    const { topicId, sessionId, groupId, agentId } = message;
    const group = [topicId, sessionId, groupId, agentId].map(nameOf).find((id) => id !== null) ?? DEFAULT_TOPIC;
    const messages = groups.get(group);
    if (messages === undefined) groups.set(group, [message]);
    else messages.push(message);
  }
  return [...groups].map(([id, messages]) => toConversation(id, titles.get(id) ?? {}, messages, missing));
}

/** The files of messages, of which the export has the names alone. */
function missingFiles({ files, messagesFiles }: Fields): ReadonlyMap<string, SourceFile[]> {
  const names = new Map(listOf(files).map((file) => [textOf(fieldsOf(file).id), textOf(fieldsOf(file).name)]));
  const found = new Map<string, SourceFile[]>();
  for (const { messageId, fileId } of listOf(messagesFiles).map(fieldsOf)) {
    const file = missingFile(textOf(fileId), names.get(textOf(fileId)));
    const files = found.get(textOf(messageId));
    if (files === undefined) found.set(textOf(messageId), [file]);
    else files.push(file);
  }
  return found;
}

function toConversation(
  id: string,
  topic: Fields,
  messages: Fields[],
  missing: ReadonlyMap<string, SourceFile[]>,
): SourceConversation {
  const ordered = messages.toSorted((a, b) => (timeOf(a.createdAt) ?? 0) - (timeOf(b.createdAt) ?? 0));
  const nodes: SourceNode[] = [];
  const known = new Set<string>();
  for (const [at, message] of ordered.entries()) {
    const own = nameOf(message.id) ?? `#${at}`;
    const parent = nameOf(message.parentId);
    // Questions name no parent: they follow the message before them.
    const parentId = parent !== null && known.has(parent) ? parent : (nodes.at(-1)?.id ?? null);
    nodes.push(toNode(own, parentId, message, missing.get(own) ?? []));
    known.add(own);
  }
  const times = nodes.flatMap(({ createdAt }) => createdAt ?? []);
  return {
    id,
    title: textOf(topic.title) || textOf(fieldsOf(topic.meta).title),
    createdAt: timeOf(topic.createdAt) ?? times[0] ?? null,
    updatedAt: times.at(-1) ?? timeOf(topic.updatedAt),
    isPinned: topic.favorite === true,
    isArchived: false,
    currentId: nodes.at(-1)?.id ?? null,
    nodes,
  };
}

function toNode(id: string, parentId: string | null, message: Fields, files: SourceFile[]): SourceNode {
  const { role, reasoning } = message;
  const isShown = role === 'user' || role === 'assistant';
  const answer = role === 'assistant' ? answerIn(textOf(message.content)) : null;
  return {
    id,
    parentId,
    role: isShown ? role : 'none',
    text: answer?.text ?? (isShown ? textOf(message.content) : ''),
    reasoning: answer ? joined([nameOf(reasoning) ?? textOf(fieldsOf(reasoning).content), answer.thoughts]) : '',
    model: role === 'assistant' ? (nameOf(message.model) ?? nameOf(message.fromModel)) : null,
    createdAt: timeOf(message.createdAt),
    files: isShown ? files : [],
  };
}

/** An answer without the marks around what it says before an artifact, and around the artifact. */
function answerIn(content: string): { text: string; thoughts: string } {
  const thoughts: string[] = [];
  const text = replaceTags(content, [
    { name: 'lobeThinking', toShown: (thought) => (thoughts.push(thought.trim()), '') },
    {
      name: 'lobeArtifact',
      toShown: (inner, attributes) => `\n\n${shownArtifact(artifactOf(attributes, inner))}\n\n`,
    },
  ]);
  return { text: text.trim(), thoughts: joined(thoughts) };
}
