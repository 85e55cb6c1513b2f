import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { TIMINGS, type Timings } from '../config/timings.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { FileEntity } from './file.entity.js';
import { FILE_STORE, type FileStore } from './file-store.js';
import { FilesService } from './files.service.js';
import { Staging } from './staging.js';

const BATCH = 100;

/** No thread ever took it; or the thread went, and the process with it before it came to the files. */
const UNUSED = `id in (
  select id from file where thread_id is null and created_at < now() - make_interval(secs => $1)
  order by created_at limit ${BATCH} for update skip locked)`;
const THREAD_GONE = `id in (
  select id from file where thread_id is not null and also_in = '{}' and created_at < now() - make_interval(secs => $1)
  and not exists (select 1 from thread where thread.id = file.thread_id) limit ${BATCH} for update skip locked)`;

/** One that was taken into another thread in the moment in which its own went. */
const HEIR_LEFT = `thread_id is not null and created_at < now() - make_interval(secs => $1)
  and not exists (select 1 from thread where thread.id = file.thread_id)`;

/** Removes files that nothing uses, in small batches, on whichever process comes to it. */
@Injectable()
export class FileSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: FilesService,
    private readonly staging: Staging,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.staging.removeAbandoned();
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) => this.logger.warn({ err: error }, 'unused files stay for now'));
    }, this.timings.fileSweep).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One round over rows, bytes and the staging folder. */
  async sweep(): Promise<void> {
    await this.staging.removeAbandoned();
    const age = this.timings.orphanFile / 1000;
    await this.files.reassignSharedFiles(HEIR_LEFT, [age]);
    for (const where of [UNUSED, THREAD_GONE]) {
      while ((await this.files.remove(where, [age])) === BATCH);
    }
    await this.sweepBytes();
  }

  private async sweepBytes(): Promise<void> {
    let batch: string[] = [];
    for await (const { id, modifiedAt } of this.store.list()) {
      if (Date.now() - modifiedAt.getTime() < this.timings.orphanFile) continue;
      batch.push(id);
      if (batch.length < BATCH) continue;
      await this.removeUnknown(batch);
      batch = [];
    }
    await this.removeUnknown(batch);
  }

  private async removeUnknown(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const known = new Set((await this.rows.find({ select: { id: true }, where: { id: In(ids) } })).map(({ id }) => id));
    for (const id of ids) if (!known.has(id)) await this.store.delete(id);
  }
}
