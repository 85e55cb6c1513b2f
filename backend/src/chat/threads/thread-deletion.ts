import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { FileRemoval } from '../../files/file-removal.js';
import { FileSweep } from '../../files/file-sweep.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { eachAlone } from '../../platform/resilience/each-alone.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Owner, ownerOfTrash, ownerUserId, trashOf } from '../../identity/identity.js';
import { GenerationStopper } from '../generation/generation-stopper.js';
import { GenerationStore } from '../generation/store/generation-store.js';
import { restoreGenerations } from '../generation/store/generation-trash.js';
import { isDeleted } from '../messages/message-sql.js';
import { ThreadStore } from '../messages/thread-store.js';
import { TrashStore } from '../messages/trash-store.js';
import { type Deleted, RetentionService } from '../../retention/retention.service.js';
import { lockOld, sizeOfThreads } from '../messages/old-threads-sql.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';

/** Maximum of threads deleted per pass. */
const EXPIRY_BATCH = 200;

/** Threads, and generations without a thread, that one statement of the deletion of an account deletes. */
const ACCOUNT_THREADS = 20;
const ACCOUNT_GENERATIONS = 2_000;

const idsOf = (threads: readonly { id: number }[]): number[] => threads.map(({ id }) => id);

/**
 * Deletes expired threads with their messages, generations and files: those of guests, temporary ones and those in the trash; and old ones for the retention. Before the
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
    private readonly stopper: GenerationStopper,
    private readonly files: FileRemoval,
    private readonly retention: RetentionService,
    private readonly sockets: OwnerSockets,
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
    await this.files.deleteOfThreads(deleted.map((id) => ({ id, owner: trashOf(owner) })));
  }

  /**
   * Deletes those of the threads that the retention no longer keeps, with their files, and counts them. One in which
   * something happens is left for the next sweep.
   * @returns false when another node sweeps
   */
  async deleteOld(ids: readonly number[]): Promise<boolean> {
    const deleted = await this.dataSource.transaction(async (manager) => {
      if (!(await this.retention.claim(manager))) return null;
      const locked = await manager.query<{ id: number; owner: Owner }[]>(...lockOld({ ids }));
      const busy = await this.generationStore.busyAmong(manager, idsOf(locked));
      const idle = locked.filter(({ id }) => !busy.includes(id));
      await this.count(manager, idsOf(idle));
      await this.threads.deleteMany(manager, idsOf(idle));
      return idle;
    });
    if (deleted === null) return false;
    await this.files.deleteOfThreads(deleted);
    for (const { id, owner } of deleted) this.sockets.emit(owner, 'thread:deleted', { threadId: id });
    return true;
  }

  private async beforeAccountDeletion(owner: Owner): Promise<void> {
    await this.stopper.stopAllOfSuspended(owner);
    for (const id of await this.trash.idsOf(this.dataSource.manager, owner)) await this.delete(id, 'in the trash');
    const userId = ownerUserId(owner);
    if (userId === null) return;
    while ((await this.threads.deleteSomeOf(userId, ACCOUNT_THREADS)) === ACCOUNT_THREADS);
    while ((await this.generationStore.deleteSomeDetachedOf(userId, ACCOUNT_GENERATIONS)) === ACCOUNT_GENERATIONS);
  }

  private async deleteExpired(): Promise<void> {
    await eachAlone(await this.threads.expired(EXPIRY_BATCH), (id) => this.delete(id, 'expired'));
  }

  /** Deletes a thread, unless it was restored or another node deleted it. */
  private async delete(id: number, condition: 'expired' | 'in the trash'): Promise<void> {
    // Nobody refused the call of an answer that waits; one that is being written was read, up to its last word.
    await this.stopper.stopAllOfThreads([id], condition === 'expired' ? 'interrupted' : 'stopped');
    const deleted = await this.dataSource.transaction(async (manager) => {
      const thread = await this.threads.lockDeletable(manager, id, condition);
      if (thread === null) return null;
      const { owner, isTemporary } = thread;
      if ((await this.idleAmong(manager, ownerOfTrash(owner), [id])).length === 0) return null;
      // Those of the trash and temporary ones had their own time.
      if (owner.startsWith('guest:') && !isTemporary) await this.count(manager, [id]);
      await this.threads.delete(manager, id);
      return owner;
    });
    if (deleted !== null) await this.files.deleteOfThread(id, deleted);
  }

  /** Counts threads that the retention deletes, before they are deleted. */
  private async count(manager: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const [size] = await manager.query<[Omit<Deleted, 'threads'>]>(...sizeOfThreads({ ids }));
    await this.retention.count(manager, { threads: ids.length, ...size });
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
