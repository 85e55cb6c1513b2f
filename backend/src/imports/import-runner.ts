import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type ImportRemark, type ImportSource, LIMITS } from '@tanya/contract';
import pLimit from 'p-limit';
import { TextQuota } from '../chat/messages/text-quota.js';
import { ThreadsService } from '../chat/threads/threads.service.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import { Staging } from '../files/upload/staging.js';
import { userOwner } from '../identity/identity.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { MemoryBudget } from '../platform/sandbox/memory-budget.js';
import { ConversationImporter, ImportEnded } from './conversation-importer.js';
import { ExportReader } from './export-reader.js';
import { ImportRoom } from './import-room.js';
import { type ImportRun, ImportStore } from './import-store.js';
import { FAILED, STOPPED, UNREADABLE } from './import-texts.js';
import { UnreadableExport } from './reader/unreadable-export.js';

/** Imports that a node reads at once. Each has a process of its own; the others wait. */
export const CONCURRENT_IMPORTS = 2;

/** Imports that wait on a node at most. Each keeps its file on the disk. */
const MAX_WAITING = 10;

/** Uploads of one account at once: another one beside one whose connection broke. Each may put 1 GB on the disk. */
const MAX_UPLOADS = 2;

class Progress {
  source: ImportSource | null = null;
  share = 0;
  conversations = 0;
  /** Whether texts of the archive were broken, and nothing else was reported. */
  isBroken = false;
  lastThreadId: number | null = null;
  /** Ends its process, or the wait for one. */
  readonly end = new AbortController();
}

/**
 * Reads the files of imports in the background. A conversation is stored only while the import is `running` on this node,
 * so a node that seemed dead to the others writes nothing after they have ended its import.
 */
@Injectable()
export class ImportRunner implements BeforeApplicationShutdown {
  private readonly limit = pLimit(CONCURRENT_IMPORTS);
  private readonly runs = new Map<ImportRun, { progress: Progress; ended: Promise<void> }>();
  /** The account of each upload of a further import. */
  private readonly uploads: number[] = [];
  private isStopping = false;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ImportStore,
    private readonly importer: ConversationImporter,
    private readonly staging: Staging,
    private readonly threads: ThreadsService,
    private readonly texts: TextQuota,
    private readonly budget: MemoryBudget,
  ) {}

  /**
   * Reserves a place for the file of an import before it is uploaded. The caller calls `release` after the start or a
   * failure.
   * @returns false when no further import may wait on this node, or the account uploads too many
   */
  reserve(userId: number): boolean {
    if (this.runs.size + this.uploads.length >= CONCURRENT_IMPORTS + MAX_WAITING) return false;
    if (this.uploads.filter((id) => id === userId).length >= MAX_UPLOADS) return false;
    this.uploads.push(userId);
    return true;
  }

  release(userId: number): void {
    this.uploads.splice(this.uploads.indexOf(userId), 1);
  }

  /** Starts an import whose row exists. @param path the staged file, which is removed at the end */
  start(run: ImportRun, path: string): void {
    const progress = new Progress();
    const heartbeat = setInterval(() => void this.beatWithFile(run, path, progress), this.timings.nodeBeat);
    const ended = this.limit(() => this.run(run, path, progress))
      .finally(() => {
        clearInterval(heartbeat);
        this.runs.delete(run);
        return Promise.all(ExportReader.filesOf(path).map((file) => this.staging.remove(file)));
      })
      // Nothing else handles a rejection.
      .catch((error: unknown) =>
        this.logger.warn({ err: error, importId: run.id }, 'import not cleaned up; leaving its file to the sweep'),
      );
    this.runs.set(run, { progress, ended });
  }

  /** Stops the imports of this node. Their conversations so far stay, and importing the file again goes on from there. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const { progress } of this.runs.values()) progress.end.abort(new ImportEnded());
    await Promise.all([...this.runs.values()].map(({ ended }) => ended));
  }

  private async run(run: ImportRun, path: string, progress: Progress): Promise<void> {
    const error = await this.read(run, path, progress).then(
      () => {
        if (progress.isBroken) return UNREADABLE.broken;
        return progress.conversations === 0 ? UNREADABLE['unknown-format'] : null;
      },
      (reason: unknown) => this.remarkOn(run, reason),
    );
    progress.end.abort();
    await this.store
      .finish(run, progress.source, error)
      .catch((reason: unknown) =>
        this.logger.warn({ err: reason, importId: run.id }, 'end of an import not stored; another node ends it'),
      );
    if (progress.lastThreadId !== null) this.threads.announce(userOwner(run.userId), progress.lastThreadId);
  }

  private async read(run: ImportRun, path: string, progress: Progress): Promise<void> {
    if (this.isStopping) throw new ImportEnded();
    const reader = await ExportReader.open(path, this.budget, progress.end.signal);
    const room = new ImportRoom(this.texts, userOwner(run.userId));
    const input = { reader, room, signal: progress.end.signal };
    for (let found = await reader.next(); found !== null; found = await reader.next()) {
      if (this.isStopping) throw new ImportEnded();
      progress.share = found.progress;
      if ('conversation' in found && progress.source === null) {
        progress.source = found.conversation.source;
        await this.beat(run, progress);
      }
      // Other JSON files of an archive hold no conversations. Within a list of conversations, other values are reported.
      if (progress.source === null && 'rejected' in found && found.rejected === 'unrecognized') continue;
      const isBroken = 'rejected' in found && found.rejected === 'broken';
      progress.isBroken = isBroken && (progress.isBroken || progress.conversations === 0);
      progress.conversations += 1;
      if (progress.conversations > LIMITS.importConversations) throw new UnreadableExport('too-many');
      const threadId = await this.importer.import(run, progress.conversations, found, input);
      progress.lastThreadId = threadId ?? progress.lastThreadId;
    }
  }

  private remarkOn({ id }: ImportRun, error: unknown): ImportRemark {
    if (this.isStopping || error instanceof ImportEnded) return STOPPED;
    if (error instanceof UnreadableExport) return UNREADABLE[error.reason];
    this.logger.error({ err: error, importId: id }, 'import failed; keeping the conversations so far');
    return FAILED;
  }

  /** Keeps the row and the staged file, which the sweep of staged files deletes after an hour, also while it waits. */
  private async beatWithFile(run: ImportRun, path: string, progress: Progress): Promise<void> {
    await this.beat(run, progress);
    await this.staging.keep(path);
  }

  /** An import that no longer runs here is stopped: it was undone, or another node has ended it. */
  private async beat(run: ImportRun, { source, share, end }: Progress): Promise<void> {
    try {
      if (!(await this.store.beat(run, source, share))) end.abort(new ImportEnded());
    } catch (error) {
      this.logger.warn({ err: error, importId: run.id }, 'heartbeat of an import failed; retrying with the next');
    }
  }
}
