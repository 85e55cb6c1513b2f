import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { restoreFiles, trashFiles } from '../../files/file-trash.js';
import type { Owner } from '../../identity/identity.js';
import { GenerationStopper } from '../generation/generation-stopper.js';
import { GenerationStore } from '../generation/store/generation-store.js';
import { restoreGenerations, trashGenerations } from '../generation/store/generation-trash.js';
import { TrashStore } from '../messages/trash-store.js';

/** Threads per transaction: one statement moves all their generations. */
const CHUNK = 20;

/** A send can start a generation between the stop and the deletion; after this number of attempts the thread is busy. */
const MAX_ATTEMPTS = 5;

export interface TrashResult {
  trashed: number[];
  /** Threads in which new generations kept starting. */
  busy: number[];
  /** Until when the threads can be restored; null without threads. */
  restorableUntil: Date | null;
}

/**
 * The trash: deleted threads with their generations and files, restorable for a short time. Their rows change owner, so
 * that every read misses them at once. `ThreadDeletion` deletes them when the time is over.
 */
@Injectable()
export class ThreadTrash {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly store: TrashStore,
    private readonly generationStore: GenerationStore,
    private readonly stopper: GenerationStopper,
  ) {}

  /** Stops the generations of threads and moves the threads to the trash. Threads of other owners are left out. */
  async trash(owner: Owner, ids: readonly number[]): Promise<TrashResult> {
    const own = await this.store.ownAmong(owner, ids);
    const all: TrashResult = { trashed: [], busy: [], restorableUntil: null };
    for (let start = 0; start < own.length; start += CHUNK) {
      const { trashed, busy, restorableUntil } = await this.trashChunk(owner, own.slice(start, start + CHUNK));
      all.trashed.push(...trashed);
      all.busy.push(...busy);
      all.restorableUntil ??= restorableUntil;
    }
    return all;
  }

  /** Restores threads of the owner. @returns those that were in the trash and not due for deletion */
  restore(owner: Owner, ids: readonly number[]): Promise<number[]> {
    return this.dataSource.transaction(async (manager) => {
      const restored = await this.store.lockRestorable(manager, owner, ids);
      if (restored.length === 0) return [];
      await this.store.restore(manager, owner, restored);
      for (const id of restored) await restoreGenerations(manager, owner, id);
      await restoreFiles(manager, owner, restored);
      return restored;
    });
  }

  private async trashChunk(owner: Owner, ids: readonly number[]): Promise<TrashResult> {
    const result: TrashResult = { trashed: [], busy: [...ids], restorableUntil: null };
    for (let attempt = 0; attempt < MAX_ATTEMPTS && result.busy.length > 0; attempt += 1) {
      await this.stopper.stopAllOfThreads(result.busy);
      const { trashed, busy, restorableUntil } = await this.tryTrash(owner, result.busy);
      result.trashed.push(...trashed);
      result.busy = busy;
      result.restorableUntil ??= restorableUntil;
    }
    return result;
  }

  /**
   * Moves the threads without a running generation. They are locked before the check, as by an admission: a generation that
   * starts later finds no thread.
   */
  private tryTrash(owner: Owner, ids: readonly number[]): Promise<TrashResult> {
    return this.dataSource.transaction(async (manager) => {
      const own = await this.store.lock(manager, owner, ids);
      const busy = await this.generationStore.busyAmong(manager, own);
      const trashed = own.filter((id) => !busy.includes(id));
      return { trashed, busy, restorableUntil: await this.move(manager, owner, trashed) };
    });
  }

  private async move(manager: EntityManager, owner: Owner, ids: readonly number[]): Promise<Date | null> {
    if (ids.length === 0) return null;
    const restorableUntil = await this.store.trash(manager, owner, ids, this.timings.threadTrash);
    await trashGenerations(manager, owner, ids);
    await trashFiles(manager, owner, await this.store.idsOf(manager, owner));
    return restorableUntil;
  }
}
