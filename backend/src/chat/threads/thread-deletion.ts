import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { FileRemoval } from '../../files/file-removal.js';
import { FileSweep } from '../../files/file-sweep.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Owner, ownerOfTrash, ownerUserId, trashOf } from '../../identity/identity.js';
import { GenerationService } from '../generation/generation.service.js';
import { GenerationStore } from '../generation/store/generation-store.js';
import { restoreGenerations } from '../generation/store/generation-trash.js';
import { isDeleted } from '../messages/message-sql.js';
import { ThreadStore } from '../messages/thread-store.js';
import { TrashStore } from '../messages/trash-store.js';

/** Maximum of threads deleted per pass. */
const EXPIRY_BATCH = 200;

/** Threads, and generations without a thread, that one statement of the deletion of an account deletes. */
const ACCOUNT_THREADS = 20;
const ACCOUNT_GENERATIONS = 2_000;

/**
 * Deletes expired threads with their messages, generations and files: those of guests, and those in the trash. Before the
 * deletion of an account it stops the generations, empties the trash and deletes the threads in batches.
 */
@Injectable()
export class ThreadDeletion {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) timings: Timings,
    private readonly threads: ThreadStore,
    private readonly trash: TrashStore,
    private readonly generationStore: GenerationStore,
    private readonly generations: GenerationService,
    private readonly files: FileRemoval,
    fileSweep: FileSweep,
    hooks: AccountLifecycleHooks,
    background: BackgroundWork,
  ) {
    background.repeat('deletion of expired threads', timings.threadSweep, () => this.deleteExpired());
    hooks.onDelete((owner) => this.beforeAccountDeletion(owner));
    fileSweep.addDeletedThreads(isDeleted);
  }

  /** Deletes threads of the owner's trash for good, before their time there is over. */
  async purge(owner: Owner, ids: readonly number[]): Promise<void> {
    const deleted = await this.dataSource.transaction(async (manager) => {
      const locked = await this.trash.lockTrashed(manager, owner, ids);
      const idle = await this.idleAmong(manager, owner, locked);
      await this.threads.deleteMany(manager, idle);
      return idle;
    });
    await this.files.deleteOfThreads(deleted, trashOf(owner));
  }

  private async beforeAccountDeletion(owner: Owner): Promise<void> {
    await this.generations.stopAll({ owner });
    for (const id of await this.trash.idsOf(this.dataSource.manager, owner)) await this.delete(id, 'in the trash');
    const userId = ownerUserId(owner);
    if (userId === null) return;
    while ((await this.threads.deleteSomeOf(userId, ACCOUNT_THREADS)) === ACCOUNT_THREADS);
    while ((await this.generationStore.deleteSomeDetachedOf(userId, ACCOUNT_GENERATIONS)) === ACCOUNT_GENERATIONS);
  }

  private async deleteExpired(): Promise<void> {
    for (const id of await this.threads.expired(EXPIRY_BATCH)) await this.delete(id, 'expired');
  }

  /** Deletes a thread, unless it was restored or another node deleted it. */
  private async delete(id: number, condition: 'expired' | 'in the trash'): Promise<void> {
    await this.generations.stopAll({ threadIds: [id] });
    const deleted = await this.dataSource.transaction(async (manager) => {
      const owner = await this.threads.lockDeletable(manager, id, condition);
      if (owner === null || (await this.idleAmong(manager, ownerOfTrash(owner), [id])).length === 0) return null;
      await this.threads.delete(manager, id);
      return owner;
    });
    if (deleted !== null) await this.files.deleteOfThread(id, deleted);
  }

  /**
   * The locked threads without an open generation: one that started since the stop could not settle its hold. Those
   * return to their owner, so that the next pass can stop them, and then deletes the thread.
   */
  private async idleAmong(manager: EntityManager, owner: Owner, locked: readonly number[]): Promise<number[]> {
    const busy = await this.generationStore.busyAmong(manager, locked);
    for (const id of busy) await restoreGenerations(manager, owner, id);
    return locked.filter((id) => !busy.includes(id));
  }
}
