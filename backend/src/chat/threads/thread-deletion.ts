import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { FilesService } from '../../files/files.service.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { Owner } from '../../identity/identity.js';
import { GenerationService } from '../generation/generation.service.js';
import { GenerationStore } from '../generation/store/generation-store.js';
import { ThreadStore } from '../messages/thread-store.js';

/** Interval in ms at which guests' expired threads are deleted, and the maximum per pass. */
const EXPIRY_INTERVAL_MS = 10 * 60 * 1000;
const EXPIRY_BATCH = 200;

/** A send can start a generation between the stop and the deletion; after this number of attempts the thread is busy. */
const MAX_ATTEMPTS = 5;

/**
 * Deletes threads with their messages, generations and files, on request and when a guest's thread has expired. Stops the
 * generations of an account before its deletion.
 */
@Injectable()
export class ThreadDeletion implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly threads: ThreadStore,
    private readonly generationStore: GenerationStore,
    private readonly generations: GenerationService,
    private readonly files: FilesService,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => generations.stopAll({ owner }));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.deleteExpired(), EXPIRY_INTERVAL_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Stops the thread's generation, then deletes the thread. @throws AppError `not_found`, `thread_busy` */
  async delete(owner: Owner, id: number): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      await this.generations.stopAll({ threadId: id });
      const result = await this.tryDelete(owner, id);
      if (result === 'absent') throw new AppError('not_found');
      if (result === 'deleted') return this.files.deleteOfThread(id);
    }
    throw new AppError('thread_busy');
  }

  /**
   * Deletes a thread without a running generation. The thread is locked before the check, as by an admission: a generation
   * that starts later could not settle its hold, because its rows are deleted.
   */
  private tryDelete(owner: Owner, id: number): Promise<'deleted' | 'busy' | 'absent'> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.threads.lock(manager, owner, id))) return 'absent';
      if (await this.generationStore.isRunningIn(manager, id)) return 'busy';
      await this.threads.delete(manager, id);
      return 'deleted';
    });
  }

  private async deleteExpired(): Promise<void> {
    try {
      for (const { id, owner } of await this.threads.expired(EXPIRY_BATCH)) await this.delete(owner, id);
    } catch (error) {
      this.logger.warn({ err: error }, 'deletion of expired guest threads failed; retrying with the next pass');
    }
  }
}
