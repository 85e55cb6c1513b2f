import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportOutcome, ImportRemark, StoredFile } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ConversationWriter, writtenCharacters } from '../chat/messages/conversation-writer.js';
import { FilesService } from '../files/files.service.js';
import { Staging } from '../files/upload/staging.js';
import { userOwner } from '../identity/identity.js';
import { isUniqueViolation } from '../platform/database/constraint-violations.js';
import { AppError } from '../platform/errors/app-error.js';
import { toAppError } from '../platform/errors/error-body.js';
import type { ExportReader, Found } from './export-reader.js';
import { ConversationContent } from './import-content.js';
import type { ImportRoom } from './import-room.js';
import { type ImportRun, ImportStore } from './import-store.js';
import { filesLeftOut, NOT_STORED, REJECTED, STORAGE_FULL } from './import-texts.js';
import { ONE_THREAD_PER_CONVERSATION } from './imported-thread.entity.js';
import type { ReadConversation, ReadFile } from './reader/reader-messages.js';

/** Files of one conversation of another program. Those of an own export are bounded by the storage of the account alone. */
const MAX_FILES = 200;

/** The import was undone, or another node ended it. */
export class ImportEnded extends Error {}

/**
 * Errors of a file that is left out; `internal` is that of pictures where the image library cannot be loaded. Others, such
 * as a database that is away, end the import.
 */
const FILE_ERRORS = ['too_large', 'unsupported_type', 'invalid', 'unreadable_file', 'internal'];

/** Where the conversations of an import come from, and what they may take. */
export interface ImportInput {
  reader: ExportReader;
  room: ImportRoom;
  /** Ends the import. */
  signal: AbortSignal;
}

/** Stores one conversation of an export with its files. Each is one transaction: it is there as a whole or not at all. */
@Injectable()
export class ConversationImporter {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: ImportStore,
    private readonly files: FilesService,
    private readonly staging: Staging,
    private readonly writer: ConversationWriter,
  ) {}

  /**
   * @param position of the conversation in the file, from 1
   * @returns the new thread, null when no thread was made
   * @throws ImportEnded
   */
  async import(run: ImportRun, position: number, found: Found, input: ImportInput): Promise<number | null> {
    if ('rejected' in found) {
      return this.report(run, position, found.title, 'failed', REJECTED[found.rejected]);
    }
    const { conversation } = found;
    if (await this.store.hasThread(run.userId, conversation.key)) {
      return this.report(run, position, conversation.title, 'skipped');
    }
    if (!(await input.room.takeCharacters(writtenCharacters(conversation.count, conversation.characters)))) {
      return this.report(run, position, conversation.title, 'failed', STORAGE_FULL);
    }
    const stored = new Map<number, StoredFile>();
    try {
      await this.storeFiles(run, conversation, input, stored);
      return await this.write(run, position, conversation, stored, input.reader);
    } catch (error) {
      await this.files.deleteUnattached(userOwner(run.userId), idsOf(stored)).catch(() => undefined);
      if (isUniqueViolation(error, ONE_THREAD_PER_CONVERSATION)) {
        return this.report(run, position, conversation.title, 'skipped');
      }
      if (toAppError(error).code !== 'invalid') throw error;
      return this.report(run, position, conversation.title, 'failed', NOT_STORED);
    }
  }

  private async write(
    run: ImportRun,
    position: number,
    read: ReadConversation,
    stored: ReadonlyMap<number, StoredFile>,
    reader: ExportReader,
  ): Promise<number> {
    const owner = userOwner(run.userId);
    const content = new ConversationContent(read, stored, new Date());
    const written = await this.dataSource.transaction(async (manager) => {
      const thread = await this.writer.startThread(manager, owner, content.thread, read.count);
      for await (const messages of reader.messagesOf(read)) await thread.addMessages(content.toWritten(messages));
      await thread.finish(read.activeLeaf, false);
      await this.files.attachNew(
        manager,
        owner,
        content.shown.map(({ id }) => id),
        thread.id,
      );
      // Last, so that heartbeats of the import do not wait for a long conversation.
      if (!(await this.store.lock(manager, run))) throw new ImportEnded();
      await this.store.insertThread(manager, run, { threadId: thread.id, position, sourceKey: read.key });
      const reason = content.leftOut === 0 ? null : filesLeftOut(content.leftOut);
      await this.store.record(manager, run, { position, title: content.thread.title, outcome: 'imported', reason });
      return thread.id;
    });
    await this.files.deleteUnattached(
      owner,
      content.surplus.map(({ id }) => id),
    );
    return written;
  }

  private async report(
    run: ImportRun,
    position: number,
    title: string,
    outcome: ImportOutcome,
    reason: ImportRemark | null = null,
  ): Promise<null> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.store.lock(manager, run))) throw new ImportEnded();
      await this.store.record(manager, run, { position, title, outcome, reason });
    });
    return null;
  }

  /** Accepts the files of a conversation as uploads. @param stored gets them, by their number */
  private async storeFiles(
    { userId }: ImportRun,
    { files, source }: ReadConversation,
    { reader, signal }: ImportInput,
    stored: Map<number, StoredFile>,
  ): Promise<void> {
    const isOwn = source === 'tanya';
    for (const file of isOwn ? files : files.slice(0, MAX_FILES)) {
      const accepted = await this.whenReadersHaveTime(() => this.storeFile(userId, file, reader, isOwn), signal);
      if (accepted !== null) stored.set(file.file, accepted);
    }
  }

  /** Repeats work while uploads keep the processes busy that read pictures and documents. */
  private async whenReadersHaveTime<R>(work: () => Promise<R>, signal: AbortSignal): Promise<R> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
        await sleep((error.retryAfter ?? 1) * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async storeFile(
    userId: number,
    { file, name, type }: ReadFile,
    reader: ExportReader,
    isOwn: boolean,
  ): Promise<StoredFile | null> {
    const path = reader.filePath;
    try {
      if (!(await reader.extract(file))) return null;
      return await this.files.acceptStaged(path, { name, type }, userOwner(userId), isOwn);
    } catch (error) {
      if (error instanceof AppError && FILE_ERRORS.includes(error.code)) return null;
      throw error;
    } finally {
      await this.staging.remove(path);
    }
  }
}

const idsOf = (files: ReadonlyMap<number, StoredFile>): string[] => [...files.values()].map(({ id }) => id);
