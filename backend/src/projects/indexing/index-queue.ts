import { setTimeout } from 'node:timers/promises';
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

/** Between two looks whether the readers of documents have room, and how long a file waits for it, ms. */
const BUSY_PAUSE_MS = 2_000;
const MAX_BUSY_MS = 2 * 60 * 60 * 1000;

/** Reads the files of projects one after another. */
@Injectable()
export class IndexQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: LeasedQueue<ClaimedFile>;
  private isStopping = false;

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
    this.isStopping = true;
    return this.queue.stop();
  }

  /** Looks for a file that waits, as far as this node has room. */
  wake(): void {
    this.queue.wake();
  }

  private async index(claimed: ClaimedFile): Promise<void> {
    try {
      if (claimed.attempts > MAX_ATTEMPTS) await this.files.fail(claimed, [{ code: 'text_unreadable' }]);
      else await this.indexOnceFree(claimed);
      this.embeddings.wake();
    } catch (error) {
      await this.retryOrFail(claimed, error);
    }
  }

  /** Busy readers say nothing about the file: it stays claimed until they have room. */
  private async indexOnceFree(claimed: ClaimedFile): Promise<void> {
    const until = Date.now() + MAX_BUSY_MS;
    while (!this.isStopping) {
      try {
        return await this.indexer.index(claimed);
      } catch (error) {
        if (!(error instanceof ReaderBusy)) throw error;
        if (Date.now() > until) return await this.files.fail(claimed, [{ code: 'reader_busy' }]);
      }
      await setTimeout(BUSY_PAUSE_MS, undefined, { ref: false });
    }
  }

  private async retryOrFail(claimed: ClaimedFile, error: unknown): Promise<void> {
    const { fileId, attempts } = claimed;
    if (attempts >= MAX_ATTEMPTS) return this.files.fail(claimed, [{ code: 'text_unreadable' }]);
    this.logger.warn({ err: error, fileId }, 'project file could not be read; retrying later');
    await this.files.postpone(claimed, RETRY_SECONDS * attempts);
  }
}
