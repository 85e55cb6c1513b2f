import type { FileNotice } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { ModelsService } from '../../models/models.service.js';
import { isForeignKeyViolation } from '../../platform/database/constraint-violations.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { LeasedQueue } from '../../platform/resilience/leased-queue.js';
import { UnusableVectors } from '../../providers/provider-error.js';
import { SettingsService } from '../../settings/settings.service.js';
import { ProjectChanges } from '../project-changes.js';
import { EmbeddingModel, isSameModel, type UsableModel } from './embedding-model.js';
import { type ClaimedEmbedding, type EmbeddingSet, EmbeddingStore } from './embedding-store.js';

/** Files that one node embeds at once. */
const CONCURRENCY = 2;

/** Chunks of one call: 25,000 tokens, and 1 MB of vectors of 3,072 numbers. */
const BATCH = 64;

/** Pause after the first failure, seconds; it doubles with each, up to the longest one. */
const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 15 * 60;

/** How often files are looked for that no queue has, such as those of a project before its node could note the change of the model. */
const LOOK_MS = 60_000;

/**
 * Embeds the files of projects. Any node continues with the chunks that have no vector yet. A file that cannot be embedded is
 * found by its words, and tried again for as long as there is a model.
 */
@Injectable()
export class EmbeddingQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: LeasedQueue<ClaimedEmbedding>;
  private readonly shutdown = new AbortController();

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly settings: SettingsService,
    private readonly models: ModelsService,
    private readonly model: EmbeddingModel,
    private readonly store: EmbeddingStore,
    private readonly changes: ProjectChanges,
    background: BackgroundWork,
  ) {
    this.queue = new LeasedQueue(
      {
        name: 'queue of embeddings',
        concurrency: CONCURRENCY,
        leaseMs: timings.projectLease,
        lookMs: timings.projectQueue,
        claimNext: (leaseSeconds) => store.claimNext(leaseSeconds),
        postpone: (claimed, seconds) => store.postpone(claimed, seconds),
        work: (claimed) => this.embed(claimed),
        onWorked: ({ projectId }) => changes.announce(projectId),
        isPaused: () => model.current() === null,
      },
      logger,
      background,
    );
    background.repeat('search for files without embeddings', LOOK_MS, () => this.look());
  }

  onApplicationBootstrap(): void {
    // A change may mend what failed: another model, its key, a larger budget.
    for (const table of [this.settings, this.models]) table.onChanged(() => this.lookAgain());
    void this.lookAgain();
  }

  onModuleDestroy(): Promise<void> {
    this.shutdown.abort();
    return this.queue.stop();
  }

  /** Looks for a file that waits, as far as this node has room and there is a model. */
  wake(): void {
    this.queue.wake();
  }

  private async lookAgain(): Promise<void> {
    try {
      await this.look();
      await this.store.retryNow(this.timings.projectLease / 1000);
      this.wake();
    } catch (error) {
      this.logger.warn({ err: error }, 'files without embeddings not looked for; retrying at the next interval');
    }
  }

  private async look(): Promise<void> {
    const model = this.model.current();
    if (model === null) return;
    await this.store.enqueueMissing(model);
    for (const projectId of await this.store.serveNewest(model)) await this.changes.announce(projectId);
  }

  private async embed(claimed: ClaimedEmbedding): Promise<void> {
    const model = this.model.current();
    if (model === null) return this.store.postpone(claimed, 0);
    try {
      const set = await this.embedChunks(claimed, model);
      if (set !== null) await this.store.finish(claimed, set);
      // Another model was chosen meanwhile: the file waits for its vectors next.
      if (!isSameModel(model, this.model.current())) await this.look();
    } catch (error) {
      // The file was deleted meanwhile.
      if (!isForeignKeyViolation(error)) await this.retryLater(claimed, error);
    }
  }

  /** @returns the set of the vectors; null for a file without chunks */
  private async embedChunks(claimed: ClaimedEmbedding, model: UsableModel): Promise<EmbeddingSet | null> {
    let set = await this.store.newest(model);
    for (let from = 0; ;) {
      const chunks = await this.store.unembedded(claimed.fileId, set?.id ?? null, from, BATCH);
      const last = chunks.at(-1);
      if (last === undefined) return set;
      from = last.index + 1;
      const texts = chunks.map(({ text }) => text);
      let done = 0;
      // What was paid for is kept, also where the model refuses a later text.
      for await (const vectors of this.model.embed(model, texts, claimed.payerId, this.shutdown.signal)) {
        const found = await this.store.open(model, vectors[0]!.length);
        if (found === null) throw new UnusableVectors('vectors of another size than before');
        await this.store.insert(claimed, found.id, chunks.slice(done, done + vectors.length), vectors);
        done += vectors.length;
        if (set !== null && set.id !== found.id) {
          // A set of another size lacks the chunks before, and all other files.
          await this.store.enqueueMissing(model);
          from = 0;
        }
        set = found;
      }
    }
  }

  private async retryLater(claimed: ClaimedEmbedding, error: unknown): Promise<void> {
    if (this.shutdown.signal.aborted) return;
    const seconds = Math.min(RETRY_SECONDS * 2 ** Math.min(claimed.failures, 10), MAX_RETRY_SECONDS);
    const fields = { err: error, fileId: claimed.fileId, projectId: claimed.projectId };
    this.logger.warn(fields, 'project file not embedded; it is found by its words, retrying later');
    await this.store.fail(claimed, seconds, noticeOf(error));
  }
}

function noticeOf(error: unknown): FileNotice['code'] {
  if (error instanceof UnusableVectors) return 'embedding_length';
  return error instanceof AppError ? 'embedding_budget' : 'embedding_failed';
}
