import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type ImportSource, LIMITS } from '@tanya/contract';
import { toStorableText } from '../../platform/json/storable-json.js';
import { type ExportFile, openExport } from './archive.js';
import { buildTree } from './conversation-tree.js';
import { fieldsOf, textOf } from './fields.js';
import { recognize } from './formats.js';
import { jsonElements } from './json-elements.js';
import type { ReadConversation, ReaderResponse } from './reader-messages.js';
import type { FileSource, SourceConversation } from './source-conversation.js';
import { AccountConversations } from './tanya.js';
import { isBroken } from './unreadable-export.js';

/** A longer id is replaced by its hash. */
const MAX_ID_LENGTH = 200;

/** Characters of a file's name, from its end, which has the extension. */
const MAX_NAME_LENGTH = 1_000;

const MAX_TYPE_LENGTH = 200;

const titleOf = (text: string): string =>
  toStorableText(text).replace(/\s+/g, ' ').trim().slice(0, LIMITS.threadTitle.max).toWellFormed();

const modelIdOf = (text: string | null): string | null =>
  text === null ? null : toStorableText(text).slice(0, LIMITS.modelId.max).toWellFormed();

/** Reads the conversations of an export, one at a time. */
export class ConversationReader {
  private files: FileSource[] = [];
  private readonly results: AsyncGenerator<ReaderResponse, void>;

  private constructor(private readonly file: ExportFile) {
    this.results = this.read();
  }

  /** @throws UnreadableExport */
  static async open(path: string): Promise<ConversationReader> {
    return new ConversationReader(await openExport(path));
  }

  /** @throws UnreadableExport */
  async next(): Promise<ReaderResponse> {
    const result = await this.results.next();
    return result.done === true ? { type: 'end' } : result.value;
  }

  /** Writes a file of the last conversation to `path`. @returns false for a missing file and for one that is too large */
  async extract(number: number, path: string): Promise<boolean> {
    const source = this.files[number];
    if (source === undefined) return false;
    if ('assetId' in source) return this.file.extract(source.assetId, path, LIMITS.documentBytes);
    const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(source.dataUrl) ?? [];
    if (base64 === undefined || base64.length > (LIMITS.documentBytes * 4) / 3) return false;
    await writeFile(path, Buffer.from(base64, 'base64'), { flag: 'wx', mode: 0o600 });
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
    const account = new AccountConversations();
    for await (const element of jsonElements(text)) {
      const progress = this.file.progress();
      if (element === null) {
        yield { type: 'rejected', title: '', reason: 'too-large', progress };
      } else if ('accountPart' in element) {
        const conversation = account.add(element.accountPart);
        if (conversation !== null) yield this.toResponse('tanya', conversation, progress);
      } else {
        const recognized = recognize(element.value);
        if (recognized === null) {
          const title = titleOf(textOf(fieldsOf(element.value).title));
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
    const numbers = new Map<string, number>();
    return (source) => {
      const next = this.files.length;
      const known = 'assetId' in source ? numbers.get(source.assetId) : undefined;
      if (known !== undefined) return known;
      if ('assetId' in source) numbers.set(source.assetId, next);
      this.files.push(source);
      return next;
    };
  }

  private toResponse(source: ImportSource, conversation: SourceConversation, progress: number): ReaderResponse {
    const title = titleOf(conversation.title);
    const tree = buildTree(conversation);
    if (tree === null) {
      const reason = conversation.nodes.some(({ role }) => role !== 'none') ? 'too-large' : 'empty';
      return { type: 'rejected', title, reason, progress };
    }
    const numberOf = this.numbering();
    const own = conversation.own && { ...conversation.own, modelId: modelIdOf(conversation.own.modelId) };
    const messages = tree.messages.map(({ files, ...message }) => ({
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
    }));
    const { createdAt, updatedAt, isPinned, isArchived } = conversation;
    const key = keyOf(source, conversation, messages);
    const { activeLeaf } = tree;
    return {
      type: 'conversation',
      conversation: {
        ...{ source, key, title, createdAt, updatedAt, isPinned, isArchived, messages, activeLeaf },
        ...(own && { own }),
      },
      progress,
    };
  }
}

/** The conversation's id in its program, else a hash of its contents. */
function keyOf(
  source: ImportSource,
  { id, title }: SourceConversation,
  messages: ReadConversation['messages'],
): string {
  const isUsable = id !== '' && id.length <= MAX_ID_LENGTH && id === toStorableText(id);
  if (isUsable) return `${source}:${id}`;
  const hash = createHash('sha256').update(JSON.stringify(id === '' ? [title, messages] : id));
  return `${source}#${hash.digest('hex')}`;
}
