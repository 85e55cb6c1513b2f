import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type Owner, ownerOfTrash, trashOf } from '../identity/identity.js';
import { FileEntity } from './file.entity.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';

type StoredContents = Pick<FileEntity, 'id' | 'picturesId'>;

/** Query of number and bytes of the files that only these threads use. @param threads query of their ids */
export const filesOnlyIn = (threads: string): string => `select count(*)::int as files,
    coalesce(sum(size + picture_bytes), 0)::bigint as bytes
  from file where thread_id in (${threads}) and also_in = '{}'`;

/** Deletes files: first their rows, then their contents. */
@Injectable()
export class FileRemoval {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Deletes the files of a deleted thread. Files that other threads use too are reassigned to the next of them.
   * @param owner owner of the thread as it was deleted: an account, a guest or a trash
   */
  async deleteOfThread(threadId: number, owner: string): Promise<void> {
    await this.rows.query(
      'update file set also_in = array_remove(also_in, $1::bigint) where owner = any($2) and $1::bigint = any(also_in)',
      [threadId, [owner, ownerOfTrash(owner)]],
    );
    await this.reassignSharedFiles('thread_id = $1', [threadId]);
    await this.delete("thread_id = $1 and also_in = '{}'", [threadId]);
  }

  /** Deletes the files of deleted threads, with their owners as they were deleted. */
  async deleteOfThreads(threads: readonly { id: number; owner: string }[]): Promise<void> {
    const rows = await this.rows.query<{ id: number }[]>(
      `select distinct used.id from file, unnest(thread_id || also_in) as used(id)
       where owner = any($2) and used.id = any($1::bigint[])`,
      [threads.map(({ id }) => id), threads.flatMap(({ owner }) => [owner, ownerOfTrash(owner)])],
    );
    const used = new Set(rows.map(({ id }) => id));
    for (const { id, owner } of threads) if (used.has(id)) await this.deleteOfThread(id, owner);
  }

  async deleteOfOwner(owner: Owner): Promise<void> {
    await this.delete('owner = any($1)', [[owner, trashOf(owner)]]);
  }

  /** Reassigns the matching files to the next thread in `also_in`. Files that no other thread uses are unchanged. */
  async reassignSharedFiles(where: string, parameters: unknown[]): Promise<void> {
    await this.rows.query(
      `update file set thread_id = also_in[1], also_in = also_in[2:] where also_in <> '{}' and ${where}`,
      parameters,
    );
  }

  /** Deletes the matching files. @returns their number */
  async delete(where: string, parameters: unknown[]): Promise<number> {
    const [deleted] = await this.rows.query<[StoredContents[], number]>(
      `delete from file where ${where} returning id, pictures_id as "picturesId"`,
      parameters,
    );
    for (const file of deleted) await this.deleteContentsOf(file);
    return deleted.length;
  }

  /** Runs `work`, which deletes the rows of the matching files, then deletes their contents. */
  async around<R>(where: FindOptionsWhere<FileEntity>, work: () => Promise<R>): Promise<R> {
    const files = await this.rows.find({ select: { id: true, picturesId: true }, where });
    const result = await work();
    for (const file of files) await this.deleteContentsOf(file);
    return result;
  }

  /**
   * Deletes the contents that a failed transaction would have given a row. A lost connection leaves it open whether the row
   * was stored: in doubt the contents stay for the sweep.
   * @param where the row
   */
  async deleteUnlessStored(where: FindOptionsWhere<FileEntity>, ids: readonly string[]): Promise<void> {
    if (!(await this.rows.existsBy(where).catch(() => true))) for (const id of ids) await this.deleteContents(id);
  }

  /** Deletes the contents of a file without a row, and the pictures of its pages. */
  async deleteContentsOf({ id, picturesId }: StoredContents): Promise<void> {
    await this.deleteContents(id);
    if (picturesId !== null) await this.deleteContents(picturesId);
  }

  /** Deletes contents that no row refers to. Failures are left to the sweep. */
  async deleteContents(id: string): Promise<void> {
    await this.store
      .delete(id)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, fileId: id }, 'file deletion failed; leaving the contents to the sweep'),
      );
  }
}
