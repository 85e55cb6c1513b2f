import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ImportedConversation, type ImportFailure, type ImportStatus, LIMITS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ThreadsService } from '../chat/threads/threads.service.js';
import { FilesService } from '../files/files.service.js';
import { Staging } from '../files/upload/staging.js';
import { ownerUserId, userOwner } from '../identity/identity.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { orConflict } from '../platform/database/constraint-violations.js';
import { AppError } from '../platform/errors/app-error.js';
import { filesTooLarge } from '../platform/errors/error-body.js';
import { RESOURCES, type Resources } from '../platform/platform.module.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { sentenceOf } from './import-texts.js';
import { ImportRunner } from './import-runner.js';
import { type ImportRow, ImportStore } from './import-store.js';
import { ONE_RUNNING_IMPORT } from './import.entity.js';

/** Imports per account. Seconds. */
const IMPORTS: RateLimit = { name: 'imports', points: 20, window: 24 * 60 * 60, isDurable: true };

/** Delay before another attempt on a node where too many imports wait, or that gets too many of the account. */
const RETRY_AFTER_SECONDS = 60;

/** Threads that one transaction of an undo deletes. */
const UNDO_BATCH = 100;

const BOUNDS = {
  limitOf: () => LIMITS.importBytes,
  tooLarge: () => filesTooLarge('import', LIMITS.importBytes),
};

@Injectable()
export class ImportsService {
  constructor(
    @Inject(RESOURCES) private readonly resources: Resources,
    private readonly store: ImportStore,
    private readonly runner: ImportRunner,
    private readonly files: FilesService,
    private readonly staging: Staging,
    private readonly threads: ThreadsService,
    private readonly limits: RateLimits,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('imports', (owner) => this.exportOf(ownerUserId(owner)));
  }

  /**
   * Stores the file of a multipart request and starts to import it.
   * @returns the id of the import
   * @throws AppError `conflict` while another import of the account runs or is undone, `rate_limited`, `too_large`, `invalid`
   */
  async start(userId: number, request: IncomingMessage): Promise<string> {
    await this.store.failDead(userId);
    await this.requireNone(userId);
    if (!this.runner.reserve(userId)) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS });
    try {
      return await this.stageAndStart(userId, request);
    } finally {
      this.runner.release(userId);
    }
  }

  /** @throws AppError `not_found` */
  async status(userId: number, id: string): Promise<ImportStatus> {
    return this.toStatus(await this.require(userId, id));
  }

  async list(userId: number): Promise<ImportStatus[]> {
    await this.store.failDead(userId);
    return Promise.all((await this.store.list(userId)).map((row) => this.toStatus(row)));
  }

  /** A page of the report. @throws AppError `not_found` */
  async report(
    userId: number,
    id: string,
    { after, limit }: { after: number; limit: number },
  ): Promise<{ conversations: ImportedConversation[]; nextCursor: number | null }> {
    await this.require(userId, id);
    const rows = await this.store.items(id, after, limit + 1);
    const shown = rows.slice(0, limit);
    const conversations = shown.map(({ title, outcome, reason, threadId }): ImportedConversation => ({
      title,
      outcome,
      reason: reason && sentenceOf(reason),
      remark: reason,
      threadId,
    }));
    return { conversations, nextCursor: rows.length > limit ? (shown.at(-1)?.position ?? null) : null };
  }

  /** Stops an import and deletes its threads, those that were continued included. @throws AppError `not_found` */
  async undo(userId: number, id: string): Promise<void> {
    if (!(await this.store.markUndone(userId, id))) throw new AppError('not_found');
    await this.deleteThreads(userId, id);
  }

  /**
   * Deletes the threads of an undone import, then the import. Can be repeated after a failure.
   * @throws AppError `thread_busy` after the others, for a thread whose answer has not stopped
   */
  async deleteThreads(userId: number, id: string): Promise<void> {
    let busy: AppError | null = null;
    for (let after = 0; ;) {
      const threads = await this.store.threadsOf(id, after, UNDO_BATCH);
      if (threads.length === 0) break;
      try {
        await this.threads.deleteMany(
          userOwner(userId),
          threads.map(({ threadId }) => threadId),
        );
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'thread_busy') throw error;
        busy = error;
      }
      after = threads.at(-1)!.position;
      await this.store.keepUndoing(id);
    }
    if (busy !== null) throw busy;
    await this.store.delete(id);
  }

  private async stageAndStart(userId: number, request: IncomingMessage): Promise<string> {
    await this.limits.consume(IMPORTS, userOwner(userId));
    const path = await this.files.stage(request, BOUNDS);
    const run = { id: randomUUID(), userId, nodeId: this.resources.nodeId };
    try {
      // Again, since an undo may have begun during the upload.
      await this.requireNone(userId);
      await orConflict(ONE_RUNNING_IMPORT, 'import', () => this.store.insert(run));
    } catch (error) {
      await this.staging.remove(path);
      throw error;
    }
    this.runner.start(run, path);
    return run.id;
  }

  /** The conversations of an import that is being undone would count as imported already, and be deleted. */
  private async requireNone(userId: number): Promise<void> {
    const state = await this.store.unfinished(userId);
    if (state !== null) throw new AppError('conflict', { reason: state === 'undone' ? 'import_undo' : 'import' });
  }

  private async require(userId: number, id: string): Promise<ImportRow> {
    await this.store.failDead(userId);
    const row = await this.store.find(userId, id);
    if (row === null) throw new AppError('not_found');
    return row;
  }

  private async toStatus(row: ImportRow): Promise<ImportStatus> {
    const { id, state, source, imported, skipped, failed, progress, error, createdAt, endedAt } = row;
    return {
      id,
      state: state === 'undone' ? 'failed' : state,
      source,
      total: imported + skipped + failed,
      imported,
      skipped,
      failures: failed === 0 ? [] : await this.failuresOf(id),
      progress,
      error: error && sentenceOf(error),
      errorRemark: error,
      createdAt: createdAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    };
  }

  private async failuresOf(id: string): Promise<ImportFailure[]> {
    const rows = await this.store.failures(id);
    return rows.map(({ title, reason }) => ({ title, reason: reason === null ? '' : sentenceOf(reason) }));
  }

  private async *exportOf(userId: number | null): AsyncGenerator<ImportStatus> {
    if (userId !== null) yield* await this.list(userId);
  }
}
