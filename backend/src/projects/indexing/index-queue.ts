import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { LeasedQueue } from '../../platform/resilience/leased-queue.js';
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

/** Pause before a file is read again whose readers had too much to do, in seconds: other files may need other readers. */
const BUSY_SECONDS = 20;

/** Reads the files of projects one after another. */
@Injectable()
export class IndexQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: LeasedQueue<ClaimedFile>;

  constructor(
    @Inject(TIMINGS) timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: ProjectFileStore,
    private readonly indexer: FileIndexer,
    changes: ProjectChanges,
    private readonly embeddings: EmbeddingQueue,
    background: BackgroundWork,
  ) {
    this.queue = new LeasedQueue(
      {
        name: 'queue of project files',
        concurrency: CONCURRENCY,
        leaseMs: timings.projectLease,
        lookMs: timings.projectQueue,
        claimNext: (leaseSeconds) => files.claimNext(leaseSeconds),
        postpone: (claimed, seconds) => files.postpone(claimed, seconds),
        work: (claimed) => this.index(claimed),
        onWorked: ({ projectId }) => changes.announce(projectId),
      },
      logger,
      background,
    );
  }

  onApplicationBootstrap(): void {
    this.wake();
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop();
  }

  /** Looks for a file that waits, as far as this node has room. */
  wake(): void {
    this.queue.wake();
  }

  private async index(claimed: ClaimedFile): Promise<void> {
    try {
      if (claimed.attempts > MAX_ATTEMPTS) await this.files.fail(claimed, [{ code: 'text_unreadable' }]);
      else await this.indexer.index(claimed);
      this.embeddings.wake();
    } catch (error) {
      await this.retryOrFail(claimed, error);
    }
  }

  private async retryOrFail(claimed: ClaimedFile, error: unknown): Promise<void> {
    const { fileId, attempts } = claimed;
    if (error instanceof ReaderBusy) {
      if (!(await this.files.awaitReaders(claimed, BUSY_SECONDS)))
        await this.files.fail(claimed, [{ code: 'reader_busy' }]);
      return;
    }
    if (attempts >= MAX_ATTEMPTS) return this.files.fail(claimed, [{ code: 'text_unreadable' }]);
    this.logger.warn({ err: error, fileId }, 'project file could not be read; retrying later');
    await this.files.postpone(claimed, RETRY_SECONDS * attempts);
  }
}
