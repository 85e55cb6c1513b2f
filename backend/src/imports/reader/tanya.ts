import { LIMITS, parseContent } from '@tanya/contract';
import { charactersOf, MAX_CHARACTERS, MAX_NODES } from './conversation-tree.js';
import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from './fields.js';
import type { OwnThread, SourceConversation, SourceFile, SourceNode } from './source-conversation.js';
import { ownAnswer } from './tanya-answer.js';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Longer addresses are not paths of files. They may be pictures of many megabytes, and are not kept. */
const MAX_ADDRESS = 1_000;
const NO_ADDRESS = 'data:';

/** Bounds of a thread whose messages are on the disk. No account has room for more characters. */
const MAX_STORED_NODES = 200_000;
const MAX_STORED_CHARACTERS = LIMITS.storedCharacters.user;

const TOOL_NAME = new RegExp(`^[\\w-]{1,${LIMITS.toolName.max}}$`);

const idOf = (value: unknown): string | null => (typeof value === 'number' ? String(value) : null);

const isMessage = (value: unknown): boolean => typeof fieldsOf(value).isUserMessage === 'boolean';

/**
 * The conversations of this product's own exports: of one thread (`{ title, messages }`) or of an account
 * (`{ threads, messages }`). Files are not part of them.
 */
export function fromTanya(value: unknown): SourceConversation[] | null {
  const file = fieldsOf(value);
  const messages = listOf(file.messages).filter(isMessage).map(fieldsOf);
  if (messages.length === 0) return null;
  if (!Array.isArray(file.threads)) return [toConversation({ title: file.title }, messages[0]!, messages.map(toNode))];
  const account = new AccountConversations();
  return [...[...listOf(file.threads), ...messages].map((part) => account.add(part)), account.end()].flatMap(
    (conversation) => conversation ?? [],
  );
}

/**
 * Collects the conversations of an account's export from the elements of its lists: the threads, then the messages of one
 * thread after the other.
 */
export class AccountConversations {
  private readonly threads = new Map<unknown, Fields>();
  private first: Fields | null = null;
  private nodes: SourceNode[] = [];
  private stored: StoredNodes | null = null;
  private count = 0;
  private characters = 0;

  /** @param path of the file for the messages of a thread that is too long for memory; null refuses such a thread */
  constructor(private readonly path: string | null = null) {}

  /** @returns the conversation that ended before this element */
  add(part: unknown): SourceConversation | null {
    const fields = fieldsOf(part);
    if (!isMessage(fields)) {
      const { id, title, createdAt, updatedAt, activeLeafId, isPinned, isArchived, modelId, tools, useInstructions } =
        fields;
      const kept = { id, title, createdAt, updatedAt, activeLeafId, isPinned, isArchived };
      if (this.threads.size < LIMITS.importConversations)
        this.threads.set(id, { ...kept, ...ownThread({ modelId, tools, useInstructions }) });
      return null;
    }
    const ended = this.first !== null && this.first.threadId !== fields.threadId ? this.end() : null;
    this.first ??= { threadId: fields.threadId, createdAt: fields.createdAt };
    if (!this.isTooLong()) this.keep(toNode(fields, this.count));
    return ended;
  }

  /** @returns the last conversation; null without messages */
  end(): SourceConversation | null {
    if (this.first === null) return null;
    const thread = this.threads.get(this.first.threadId) ?? {};
    const conversation = {
      ...toConversation(thread, this.first, this.nodes),
      ...(this.stored && { stored: this.stored }),
      ...(this.isTooLong() && { isTooLong: true }),
    };
    this.first = null;
    this.nodes = [];
    this.stored = null;
    this.count = 0;
    this.characters = 0;
    return conversation;
  }

  /** Messages beyond the bounds are not kept: the conversation is refused as a whole. */
  private isTooLong(): boolean {
    const isLong = this.path !== null;
    const [nodes, characters] = isLong ? [MAX_STORED_NODES, MAX_STORED_CHARACTERS] : [MAX_NODES, MAX_CHARACTERS];
    return this.count > nodes || this.characters > characters;
  }

  private keep(node: SourceNode): void {
    this.count += 1;
    this.characters += charactersOf(node);
    if (this.stored === null && this.path !== null && (this.count > MAX_NODES || this.characters > MAX_CHARACTERS)) {
      this.stored = new StoredNodes(this.path);
      for (const earlier of this.nodes) this.stored.add(earlier);
      this.nodes = [];
    }
    if (this.stored === null) this.nodes.push(node);
    else this.stored.add(node);
  }
}

/** @param first its first message */
function toConversation(thread: Fields, first: Fields, nodes: SourceNode[]): SourceConversation {
  const id = idOf(thread.id) ?? idOf(first.threadId) ?? '';
  return {
    id: id === '' ? '' : `${id}@${textOf(first.createdAt)}`,
    title: textOf(thread.title),
    createdAt: timeOf(thread.createdAt) ?? nodes[0]?.createdAt ?? null,
    updatedAt: timeOf(thread.updatedAt) ?? nodes.at(-1)?.createdAt ?? null,
    isPinned: thread.isPinned === true,
    isArchived: thread.isArchived === true,
    currentId: idOf(thread.activeLeafId) ?? nodes.at(-1)?.id ?? null,
    nodes,
    own: ownThread(thread),
  };
}

function ownThread({ modelId, tools, useInstructions }: Fields): OwnThread {
  const names = listOf(tools).filter((name): name is string => typeof name === 'string' && TOOL_NAME.test(name));
  return {
    modelId: nameOf(modelId),
    tools: [...new Set(names)].slice(0, LIMITS.tools),
    useInstructions: typeof useInstructions === 'boolean' ? useInstructions : null,
  };
}

function toNode(message: Fields, at: number): SourceNode {
  const content = fieldsOf(parseContent(textOf(message.content)));
  const texts = { text: textOf(content.text), reasoning: textOf(message.reasoning) };
  return {
    id: idOf(message.id) ?? `#${at}`,
    parentId: idOf(message.parentId),
    role: message.isUserMessage === true ? 'user' : 'assistant',
    ...texts,
    model: nameOf(message.modelId),
    createdAt: timeOf(message.createdAt),
    files: filesIn(content, listOf(message.parts).map(fieldsOf)),
    ...(message.isUserMessage !== true && { answer: ownAnswer(message, content, texts) }),
  };
}

/** The attachments and the pictures of a message, each once. An archive of an account has their contents. */
function filesIn(content: Fields, parts: Fields[]): SourceFile[] {
  const { attachments, fileUrl, imageData, audioData, imageUrl, fileName, fileType } = content;
  const files = [
    ...listOf(attachments).map(fieldsOf),
    ...[fileUrl, imageData, audioData].map((url) => ({ url, name: fileName, type: fileType })),
    { url: imageUrl },
    ...parts.flatMap(({ type, url }) => (type === 'image' ? [{ url }] : [])),
  ];
  const found = new Map<string, SourceFile>();
  for (const { url, name, type } of files as Fields[]) {
    const address = nameOf(url);
    if (address === null) continue;
    const assetId = address.length > MAX_ADDRESS ? NO_ADDRESS : address;
    if (!found.has(assetId)) found.set(assetId, { name: textOf(name), type: textOf(type), source: { assetId } });
  }
  return [...found.values()];
}

/** Characters of the JSON that is in memory before it is written to the disk. */
const PAGE_CHARACTERS = 2_000_000;

interface Page {
  /** Bytes before it in the file. */
  start: number;
  bytes: number;
}

/** The nodes of a conversation that is too long for memory, in a file on the disk. They can be read any number of times. */
class StoredNodes implements Iterable<SourceNode> {
  private readonly file: number;
  private readonly pages: Page[] = [];
  private bytes = 0;
  private last: string[] = [];
  private lastCharacters = 0;

  /** @param path of the file, which is emptied */
  constructor(path: string) {
    this.file = openSync(path, 'w+', 0o600);
  }

  add(node: SourceNode): void {
    const json = JSON.stringify(node);
    if (this.lastCharacters + json.length > PAGE_CHARACTERS) this.writePage();
    this.last.push(json);
    this.lastCharacters += json.length;
  }

  *[Symbol.iterator](): Generator<SourceNode> {
    for (const { start, bytes } of this.pages) {
      const text = Buffer.alloc(bytes);
      for (let read = 0; read < bytes;) read += readSync(this.file, text, read, bytes - read, start + read);
      yield* JSON.parse(text.toString()) as SourceNode[];
    }
    for (const json of this.last) yield JSON.parse(json) as SourceNode;
  }

  close(): void {
    closeSync(this.file);
  }

  private writePage(): void {
    if (this.last.length === 0) return;
    const text = Buffer.from(`[${this.last.join(',')}]`);
    for (let written = 0; written < text.length;) written += writeSync(this.file, text, written);
    this.pages.push({ start: this.bytes, bytes: text.length });
    this.bytes += text.length;
    this.last = [];
    this.lastCharacters = 0;
  }
}
