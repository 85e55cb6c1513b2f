import type { FileNotice } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { EmbeddingQueue } from '../embedding/embedding-queue.js';
import { type ClaimedFile, ProjectFileStore } from '../project-file-store.js';
import { ProjectChanges } from '../project-changes.js';
import { FileIndexer, ReaderBusy } from './file-indexer.js';

/** Files that one node reads at once: uploads of chats need the same readers. */
const CONCURRENCY = 2;

/** Readings that may begin: a node may end during each, and a document may exhaust it. */
const MAX_ATTEMPTS = 5;

/** Pause before a file is read again, seconds for each reading before. */
const RETRY_SECONDS = 5;

/**
 * Reads the files of projects one after another. The queue is in Postgres: a node holds a file by a lease that it renews, and
 * any node continues with the files of one that has ended.
 */
@Injectable()
export class IndexQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly running = new Set<ClaimedFile>();
  private working = 0;
  private isStopping = false;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: ProjectFileStore,
    private readonly indexer: FileIndexer,
    private readonly changes: ProjectChanges,
    private readonly embeddings: EmbeddingQueue,
    background: BackgroundWork,
  ) {
    background.repeat('queue of project files', timings.projectQueue, () => this.wake());
    background.repeat('lease of project files', timings.projectLease / 4, () => this.renew());
  }

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** The next node, or this one after its restart, begins at once. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled([...this.running].map((claimed) => this.files.postpone(claimed, 0)));
  }

  /** Looks for a file that waits, as far as this node has room. */
  wake(): void {
    if (this.working === CONCURRENCY || this.isStopping) return;
    this.working += 1;
    void this.work().finally(() => (this.working -= 1));
  }

  private async work(): Promise<void> {
    try {
      while (!this.isStopping) {
        const claimed = await this.files.claimNext(this.timings.projectLease / 1000);
        if (claimed === null) return;
        // Where one file waits, more may.
        this.wake();
        await this.index(claimed);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'queue of project files failed; retrying at the next interval');
    }
  }

  private async index(claimed: ClaimedFile): Promise<void> {
    this.running.add(claimed);
    try {
      if (claimed.attempts > MAX_ATTEMPTS) await this.files.fail(claimed, [{ code: 'text_unreadable' }]);
      else await this.indexer.index(claimed);
      this.embeddings.wake();
    } catch (error) {
      await this.retryOrFail(claimed, error);
    } finally {
      this.running.delete(claimed);
      await this.changes.announce(claimed.projectId);
    }
  }

  private async retryOrFail(claimed: ClaimedFile, error: unknown): Promise<void> {
    const { fileId, attempts } = claimed;
    if (attempts < MAX_ATTEMPTS) {
      if (!(error instanceof ReaderBusy))
        this.logger.warn({ err: error, fileId }, 'project file could not be read; retrying later');
      await this.files.postpone(claimed, RETRY_SECONDS * attempts);
      return;
    }
    const notice: FileNotice = { code: error instanceof ReaderBusy ? 'reader_busy' : 'text_unreadable' };
    await this.files.fail(claimed, [notice]);
  }

  private async renew(): Promise<void> {
    for (const claimed of this.running) await this.files.postpone(claimed, this.timings.projectLease / 1000);
  }
}
