import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { FileRemoval } from './file-removal.js';
import { FileEntity } from './file.entity.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';
import { FileQuota } from './file-quota.js';
import { Staging } from './upload/staging.js';

/** Files to copy: those of an owner's threads, or those of a snapshot. */
export type CopySource = { owner: Owner } | { shareId: string };

/** The snapshot or the thread that the copies belong to. */
export type CopyTarget = { shareId: string } | { threadId: number };

/** Copies whose contents are stored and whose rows are not. */
export interface FileCopies {
  /** The id of the copy, by the id of its original. An original that does not exist has none. */
  ids: ReadonlyMap<string, string>;
  /** Inserts the rows of the copies, in the transaction that inserts what they belong to. */
  insert(manager: EntityManager, target: CopyTarget): Promise<void>;
}

/** A copy of a PDF has no pictures of pages: they are drawn again on its first use, and most copies are never used. */
const insertCopies = statement<{
  originals: string[];
  copies: string[];
  owner: Owner;
  userId: number | null;
  shareId: string | null;
  threadId: number | null;
}>(`insert into file (id, owner, user_id, share_id, thread_id, name, type, size, text, notice, pages, pictures,
    reader_version)
  select pair.copy, :owner, :userId::int, :shareId::uuid, :threadId::bigint, f.name, f.type, f.size, f.text, f.notice,
    f.pages, f.pictures, case when f.pictures > 0 then 0 else f.reader_version end
  from unnest(:originals::uuid[], :copies::uuid[]) as pair(original, copy) join file f on f.id = pair.original`);

/** $1 ids of the originals, $2 ids of the copies. */
const INSERT_SECTIONS = `insert into file_section (file_id, index, kind, label, text)
  select pair.copy, s.index, s.kind, s.label, s.text
  from unnest($1::uuid[], $2::uuid[]) as pair(original, copy) join file_section s on s.file_id = pair.original`;

const sizeOf = (files: readonly FileEntity[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Copies files, so that the copy outlives its original. Contents are stored before their rows, as at an upload. */
@Injectable()
export class FileCopier {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly staging: Staging,
    private readonly quota: FileQuota,
    private readonly removal: FileRemoval,
  ) {}

  /**
   * Copies the contents of files and calls `work`, which inserts their rows. When `work` fails, the contents are deleted.
   * @throws AppError `too_large` when the owner has no room for the copies
   */
  async withCopies<R>(
    source: CopySource,
    originals: readonly string[],
    owner: Owner,
    work: (copies: FileCopies) => Promise<R>,
  ): Promise<R> {
    const where = 'owner' in source ? { ...source, shareId: IsNull() } : source;
    const files = originals.length === 0 ? [] : await this.rows.findBy({ ...where, id: In([...originals]) });
    if (files.length > 0) await this.quota.ensureRoom(owner, sizeOf(files));
    const ids = new Map<string, string>();
    try {
      for (const { id } of files) await this.copyContents(id, ids);
      return await work({
        ids,
        insert: async (manager, target) => {
          if (ids.size === 0) return;
          await this.quota.claimRoom(manager, owner, sizeOf(files.filter(({ id }) => ids.has(id))));
          await this.insert(manager, ids, owner, target);
        },
      });
    } catch (error) {
      const copies = [...ids.values()];
      if (copies.length > 0) await this.removal.deleteUnlessStored({ id: In(copies) }, copies);
      throw error;
    }
  }

  private async copyContents(id: string, ids: Map<string, string>): Promise<void> {
    const contents = await this.store.read(id).catch((error: unknown) => {
      // The file was deleted since its row was read.
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    });
    if (contents === null) return;
    const path = await this.staging.writeStored(contents);
    const copy = randomUUID();
    ids.set(id, copy);
    try {
      await this.store.put(copy, path);
    } finally {
      await this.staging.remove(path);
    }
  }

  private async insert(
    manager: EntityManager,
    ids: ReadonlyMap<string, string>,
    owner: Owner,
    target: CopyTarget,
  ): Promise<void> {
    const [originals, copies] = [[...ids.keys()], [...ids.values()]];
    await manager.query(
      ...insertCopies({
        originals,
        copies,
        owner,
        userId: ownerUserId(owner),
        shareId: 'shareId' in target ? target.shareId : null,
        threadId: 'threadId' in target ? target.threadId : null,
      }),
    );
    await manager.query(INSERT_SECTIONS, [originals, copies]);
  }
}
