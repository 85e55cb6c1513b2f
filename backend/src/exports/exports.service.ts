import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type DataExport, LIMITS } from '@tanya/contract';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { TIMINGS, type Timings } from '../config/timings.js';
import { FilesService } from '../files/files.service.js';
import { Staging } from '../files/upload/staging.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { orConflict } from '../platform/database/constraint-violations.js';
import { AppError } from '../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { eachAlone } from '../platform/resilience/each-alone.js';
import { AccountArchive } from './account-archive.js';
import { ONE_RUNNING_EXPORT } from './data-export.entity.js';
import { type ExportRow, ExportStore, KEPT_HOURS } from './export-store.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Exports that a node writes at once; the others wait. */
const CONCURRENT_EXPORTS = 1;

/** Exports of everything of an account. Each is written on the disk of a node and then kept in the file store for a day. */
@Injectable()
export class ExportsService implements BeforeApplicationShutdown {
  private readonly limit = pLimit(CONCURRENT_EXPORTS);
  private readonly runs = new Map<AbortController, Promise<void>>();

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ExportStore,
    private readonly archive: AccountArchive,
    private readonly staging: Staging,
    private readonly files: FilesService,
    background: BackgroundWork,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.deleteOf(owner));
    background.repeat('sweep of exports', timings.nodeDead, () => this.sweep());
  }

  /** @throws AppError `conflict` while another export of the account runs, `rate_limited` after three in a day */
  async start(userId: number): Promise<string> {
    await this.store.failDead();
    const counted = await this.store.counted(userId);
    if (counted.length >= LIMITS.dataExportsPerDay) {
      const retryAfter = Math.ceil((counted[0]!.getTime() + DAY_MS - Date.now()) / 1000);
      throw new AppError('rate_limited', { retryAfter: Math.max(1, retryAfter) });
    }
    const id = randomUUID();
    await orConflict(ONE_RUNNING_EXPORT, 'export', () => this.store.insert(id, userId));
    const end = new AbortController();
    const ended = this.run(id, userId, end).finally(() => this.runs.delete(end));
    this.runs.set(end, ended);
    return id;
  }

  async list(userId: number): Promise<DataExport[]> {
    await this.store.failDead();
    return (await this.store.list(userId)).map(toDataExport);
  }

  /** @throws AppError `not_found` */
  async status(userId: number, id: string): Promise<DataExport> {
    await this.store.failDead();
    return toDataExport(await this.require(userId, id));
  }

  /** The archive, whole or a range of it. @throws AppError `not_found`, also before it is done and after a day */
  async open(userId: number, id: string): Promise<{ bytes: number; read: (range?: Range) => Promise<Readable> }> {
    const { state, bytes } = await this.require(userId, id);
    if (state !== 'done') throw new AppError('not_found');
    return { bytes, read: (range) => this.files.read({ id }, range) };
  }

  /** Ends the exports of this node. They count as failed, and can be asked for again. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const end of this.runs.keys()) end.abort();
    await Promise.all(this.runs.values());
  }

  /** Never rejects. */
  private async run(id: string, userId: number, end: AbortController): Promise<void> {
    const path = this.staging.newPath();
    let [progress, bytes] = [0, 0];
    const beat = setInterval(() => {
      this.staging.keep(path).catch(() => undefined);
      this.store.beat(id, progress, bytes).then(
        (runs) => runs || end.abort(),
        (error: unknown) => this.logger.warn({ err: error, exportId: id }, 'heartbeat of an export failed; retrying'),
      );
    }, this.timings.nodeBeat);
    try {
      const size = await this.limit(async () => {
        end.signal.throwIfAborted();
        const onProgress = (share: number, written: number) => ([progress, bytes] = [share, written]);
        const written = await this.archive.write(userId, path, onProgress, end.signal);
        await this.files.keepArchive(id, path);
        return written;
      });
      if (!(await this.store.end(id, 'done', size))) await this.files.deleteArchive(id);
    } catch (error) {
      // Else the node is shut down, or the account was deleted.
      if (!end.signal.aborted)
        this.logger.error({ err: error, exportId: id, userId }, 'export failed; it can be asked for again');
      await this.store.end(id, 'failed', 0).catch(() => undefined);
    } finally {
      clearInterval(beat);
      // Closes what a failure has left open.
      end.abort();
      await this.staging.remove(path).catch(() => undefined);
    }
  }

  private async sweep(): Promise<void> {
    await this.store.failDead();
    await eachAlone(await this.store.deleteOld(), (id) => this.files.deleteArchive(id));
  }

  /** Deletes the archives of an account that is being deleted. Its running export ends with its row. */
  private async deleteOf(owner: Owner): Promise<void> {
    const userId = ownerUserId(owner);
    if (userId === null) return;
    for (const { id } of await this.store.list(userId)) await this.files.deleteArchive(id);
  }

  private async require(userId: number, id: string): Promise<ExportRow> {
    const row = await this.store.find(userId, id);
    if (row === null) throw new AppError('not_found');
    return row;
  }
}

interface Range {
  start: number;
  end: number;
}

const toDataExport = ({ id, state, progress, bytes, createdAt, endedAt }: ExportRow): DataExport => ({
  id,
  state,
  progress,
  bytes,
  createdAt: createdAt.toISOString(),
  expiresAt: state === 'done' ? new Date(endedAt!.getTime() + KEPT_HOURS * HOUR_MS).toISOString() : null,
});
