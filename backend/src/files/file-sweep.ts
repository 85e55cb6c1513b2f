import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { TIMINGS, type Timings } from '../config/timings.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { eachAlone } from '../platform/resilience/each-alone.js';
import { FileRemoval } from './file-removal.js';
import { FileEntity } from './file.entity.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';
import { Staging } from './upload/staging.js';

const BATCH = 100;

/** Files that were never attached to anything. $1 minimum age, seconds. */
const UNATTACHED = `id in (
  select id from file where thread_id is null and share_id is null and project_id is null
    and created_at < now() - make_interval(secs => $1)
  order by created_at limit ${BATCH} for update skip locked)`;

/** Files of deleted threads whose node stopped before it deleted the files. $1 minimum age, seconds. */
const ofDeletedThread = (isDeleted: string): string => `id in (
  select id from file where thread_id is not null and also_in = '{}' and created_at < now() - make_interval(secs => $1)
  and ${isDeleted} limit ${BATCH} for update skip locked)`;

/** Files that were attached to another thread while their own was being deleted. $1 minimum age, seconds. */
const ofDeletedThreadShared = (isDeleted: string): string =>
  `thread_id is not null and created_at < now() - make_interval(secs => $1) and ${isDeleted}`;

/** Deletes unused files in small batches. Runs on every node; `skip locked` keeps concurrent sweeps apart. */
@Injectable()
export class FileSweep implements OnApplicationBootstrap {
  /** Expression of type boolean: whether the thread of a file is deleted. */
  private isOfDeletedThread: string | null = null;

  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly removal: FileRemoval,
    private readonly staging: Staging,
    background: BackgroundWork,
  ) {
    background.repeat('file sweep', timings.fileSweep, () => this.sweep());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.staging.removeAbandoned();
  }

  /**
   * Adds the files of deleted threads, whose table belongs to another room.
   * @param isDeleted expression of type boolean for the expression of a thread's id
   */
  addDeletedThreads(isDeleted: (threadId: string) => string): void {
    this.isOfDeletedThread = isDeleted('file.thread_id');
  }

  /** One sweep of the staging folder, the rows and the store. */
  async sweep(): Promise<void> {
    await this.staging.removeAbandoned();
    const age = this.timings.orphanFile / 1000;
    await this.deleteAll(UNATTACHED, age);
    if (this.isOfDeletedThread !== null) {
      await this.removal.reassignSharedFiles(ofDeletedThreadShared(this.isOfDeletedThread), [age]);
      await this.deleteAll(ofDeletedThread(this.isOfDeletedThread), age);
    }
    await this.sweepStore();
  }

  private async deleteAll(where: string, age: number): Promise<void> {
    while ((await this.removal.delete(where, [age])) === BATCH);
  }

  private async sweepStore(): Promise<void> {
    let batch: string[] = [];
    for await (const { id, modifiedAt } of this.store.list()) {
      if (Date.now() - modifiedAt.getTime() < this.timings.orphanFile) continue;
      batch.push(id);
      if (batch.length < BATCH) continue;
      await this.deleteWithoutRow(batch);
      batch = [];
    }
    await this.deleteWithoutRow(batch);
  }

  private async deleteWithoutRow(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const select = { id: true, picturesId: true } as const;
    const found = await this.rows.find({ select, where: [{ id: In(ids) }, { picturesId: In(ids) }] });
    const existing = new Set(found.flatMap(({ id, picturesId }) => [id, picturesId]));
    await eachAlone(
      ids.filter((id) => !existing.has(id)),
      (id) => this.store.delete(id),
    );
  }
}
