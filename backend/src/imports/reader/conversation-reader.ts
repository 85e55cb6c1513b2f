import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ImportSource, LIMITS } from '@tanya/contract';
import { toStorableText, truncate } from '../../platform/json/storable-json.js';
import { type ExportFile, openExport } from './archive.js';
import { charactersOf, type TreeMessage } from './conversation-tree.js';
import { fieldsOf, titleIn } from './fields.js';
import { recognize } from './formats.js';
import { jsonElements } from './json-elements.js';
import { treeOf } from './long-thread.js';
import type { ReadFile, ReadMessage, ReaderResponse } from './reader-messages.js';
import type { FileSource, SourceConversation } from './source-conversation.js';
import { AccountConversations } from './tanya.js';
import { isBroken } from './unreadable-export.js';

/** A longer id is replaced by its hash. */
const MAX_ID_LENGTH = 200;

/** Characters of a file's name, from its end, which has the extension. */
const MAX_NAME_LENGTH = 1_000;

const MAX_TYPE_LENGTH = 200;

/** Bytes of a file in an archive. Pictures that were drawn here may have twice those of an upload. */
const MAX_STORED_BYTES = 2 * LIMITS.documentBytes;

/** Bounds of the messages that the server gets at once: together with one of them they take a few megabytes. */
const PAGE_MESSAGES = 1_000;
const PAGE_CHARACTERS = 1_000_000;

/** Characters of the first question that may become a title. */
const QUESTION_CHARACTERS = 1_000;

const titleOf = (text: string): string =>
  truncate(toStorableText(text).replace(/\s+/g, ' ').trim(), LIMITS.threadTitle.max);

const modelIdOf = (text: string | null): string | null =>
  text === null ? null : truncate(toStorableText(text), LIMITS.modelId.max);

/** Reads the conversations of an export, one at a time. */
export class ConversationReader {
  private files: FileSource[] = [];
  private readonly results: AsyncGenerator<ReaderResponse, void>;
  private pages: Iterator<ReadMessage[], void> = [].values();
  /** The page after the last one that was given. */
  private page: IteratorResult<ReadMessage[], void> = { done: true, value: undefined };
  private conversation: SourceConversation | null = null;

  private constructor(
    private readonly file: ExportFile,
    private readonly nodesPath: string,
  ) {
    this.results = this.read();
  }

  /** @param nodesPath of the file for a thread that is too long for memory. @throws UnreadableExport */
  static async open(path: string, nodesPath: string): Promise<ConversationReader> {
    return new ConversationReader(await openExport(path), nodesPath);
  }

  /** @throws UnreadableExport */
  async next(): Promise<ReaderResponse> {
    this.conversation?.stored?.close();
    this.conversation = null;
    const result = await this.results.next();
    return result.done === true ? { type: 'end' } : result.value;
  }

  /** The next messages of the last conversation; none after its end. */
  moreMessages(): ReaderResponse {
    return { type: 'messages', ...this.nextPage() };
  }

  private nextPage(): { messages: ReadMessage[]; hasMore: boolean } {
    const messages = this.page.done ? [] : this.page.value;
    if (!this.page.done) this.page = this.pages.next();
    return { messages, hasMore: !this.page.done };
  }

  /** Writes a file of the last conversation to `path`. @returns false for a missing file and for one that is too large */
  async extract(number: number, path: string): Promise<boolean> {
    const source = this.files[number];
    if (source === undefined) return false;
    if ('assetId' in source) return this.file.extract(source.assetId, path, MAX_STORED_BYTES);
    if ('text' in source) return this.write(path, Buffer.from(source.text));
    const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(source.dataUrl) ?? [];
    if (base64 === undefined || base64.length > (LIMITS.documentBytes * 4) / 3) return false;
    return this.write(path, Buffer.from(base64, 'base64'));
  }

  private async write(path: string, contents: Buffer): Promise<boolean> {
    if (contents.length > LIMITS.documentBytes) return false;
    await writeFile(path, contents, { flag: 'wx', mode: 0o600 });
    return true;
  }

  close(): void {
    this.file.close();
  }

  /** A broken text ends the import, unless the archive has others. */
  private async *read(): AsyncGenerator<ReaderResponse, void> {
    const { texts } = this.file;
    for (const { name, open } of texts) {
      try {
        yield* this.readText(await open());
      } catch (error) {
        if (texts.length === 1 || !isBroken(error)) throw error;
        yield { type: 'rejected', title: titleOf(name), reason: 'broken', progress: this.file.progress() };
      }
    }
  }

  private async *readText(text: Readable): AsyncGenerator<ReaderResponse, void> {
    const account = new AccountConversations(this.nodesPath);
    for await (const element of jsonElements(text)) {
      const progress = this.file.progress();
      if ('leftOut' in element) {
        yield { type: 'rejected', title: titleOf(element.leftOut), reason: 'too-large', progress };
      } else if ('accountPart' in element) {
        const conversation = account.add(element.accountPart);
        if (conversation !== null) yield this.toResponse('tanya', conversation, progress);
      } else {
        const recognized = recognize(element.value);
        if (recognized === null) {
          const title = titleOf(titleIn(fieldsOf(element.value)));
          yield { type: 'rejected', title, reason: 'unrecognized', progress };
        }
        for (const conversation of recognized?.conversations ?? []) {
          yield this.toResponse(recognized!.source, conversation, progress);
        }
      }
    }
    const last = account.end();
    if (last !== null) yield this.toResponse('tanya', last, this.file.progress());
  }

  /** Numbers the files of a conversation. Several messages may show one file of an archive, such as versions of a question. */
  private numbering(): (source: FileSource) => number {
    this.files = [];
    const numbers = new Map<string | FileSource, number>();
    return (source) => {
      const key = 'assetId' in source ? source.assetId : source;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, this.files.length);
      return this.files.push(source) - 1;
    };
  }

  private toResponse(source: ImportSource, conversation: SourceConversation, progress: number): ReaderResponse {
    this.conversation = conversation;
    const title = titleOf(conversation.title);
    const tree = treeOf(conversation);
    if (tree === null) {
      const isEmpty = !conversation.stored && !conversation.nodes.some(({ role }) => role !== 'none');
      return { type: 'rejected', title, reason: isEmpty ? 'empty' : 'too-large', progress };
    }
    const numberOf = this.numbering();
    const own = conversation.own && { ...conversation.own, modelId: modelIdOf(conversation.own.modelId) };
    const toRead = ({ files, ...message }: TreeMessage): ReadMessage => ({
      ...message,
      text: toStorableText(message.text),
      reasoning: toStorableText(message.reasoning),
      model: modelIdOf(message.model),
      files: files.map(({ name, type, source: contents }) => ({
        file: numberOf(contents),
        name: toStorableText(name.slice(-MAX_NAME_LENGTH)),
        type: toStorableText(type.slice(0, MAX_TYPE_LENGTH)),
        ...(own && 'assetId' in contents && { address: contents.assetId }),
      })),
    });
    const messages = mapped(tree.messages, toRead);
    const summary = summaryOf(messages);
    const { id, isPinned, isArchived } = conversation;
    const createdAt = conversation.createdAt ?? summary.firstAt;
    const updatedAt = conversation.updatedAt ?? summary.lastAt;
    const { count, characters, question, files } = summary;
    const key = keyOf(source, id, title, messages);
    const { activeLeaf } = tree;
    this.pages = pagesOf(messages);
    this.page = this.pages.next();
    return {
      type: 'conversation',
      conversation: {
        source,
        key,
        title,
        createdAt,
        updatedAt,
        isPinned,
        isArchived,
        count,
        characters,
        question,
        files,
        ...this.nextPage(),
        activeLeaf,
        ...(own && { own }),
      },
      progress,
    };
  }
}

/** The items in memory are mapped once, others as often as they are read. */
function mapped<From, To>(items: Iterable<From>, toItem: (item: From) => To): Iterable<To> {
  if (Array.isArray(items)) return (items as From[]).map(toItem);
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield toItem(item);
    },
  };
}

/** What the server needs of all messages before it writes the first. */
function summaryOf(messages: Iterable<ReadMessage>) {
  const files = new Map<number, ReadFile>();
  let [count, characters, question] = [0, 0, ''];
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  for (const message of messages) {
    count += 1;
    characters += charactersOf(message);
    if (question === '' && message.isUserMessage) question = message.text.slice(0, QUESTION_CHARACTERS);
    firstAt ??= message.createdAt;
    lastAt = message.createdAt ?? lastAt;
    for (const file of message.files) files.set(file.file, file);
  }
  return { count, characters, question, files: [...files.values()], firstAt, lastAt };
}

function* pagesOf(messages: Iterable<ReadMessage>): Generator<ReadMessage[], void> {
  let page: ReadMessage[] = [];
  let characters = 0;
  for (const message of messages) {
    const size = charactersOf(message);
    if (page.length > 0 && (page.length === PAGE_MESSAGES || characters + size > PAGE_CHARACTERS)) {
      yield page;
      [page, characters] = [[], 0];
    }
    page.push(message);
    characters += size;
  }
  if (page.length > 0) yield page;
}

/** The conversation's id in its program, else a hash of its contents. */
function keyOf(source: ImportSource, id: string, title: string, messages: Iterable<ReadMessage>): string {
  const isUsable = id !== '' && id.length <= MAX_ID_LENGTH && id === toStorableText(id);
  if (isUsable) return `${source}:${id}`;
  const hash = createHash('sha256');
  if (id !== '') hash.update(JSON.stringify(id));
  else {
    hash.update(JSON.stringify(title));
    for (const message of messages) hash.update(JSON.stringify(message));
  }
  return `${source}#${hash.digest('hex')}`;
}
