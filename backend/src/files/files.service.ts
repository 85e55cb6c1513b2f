import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { StoredFile } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Identity, type Owner, ownerUserId, trashOf } from '../identity/identity.js';
import { FileIntake } from './file-intake.js';
import { FileRemoval } from './file-removal.js';
import { FileEntity } from './file.entity.js';
import { moveFiles } from './file-trash.js';
import { isFileId } from './file-name.js';
import { inspectAudio, type AudioFile } from './inspection/audio-file.js';
import { completeClaim, type FileClaim } from './inspection/file-inspection.js';
import { type ByteRange, FILE_STORE, type FileStore } from './store/file-store.js';
import { type FormField, receiveUpload, type UploadBounds } from './upload/multipart.js';
import { Staging } from './upload/staging.js';
import { UploadRateLimit } from './upload/upload-rate-limit.js';

/** $1 owner, $2 file ids. */
const UNATTACHED_OF = 'owner = $1 and id = any($2::uuid[]) and thread_id is null and share_id is null';

export type { FormField };

/** A staged audio file with the other fields of its form. */
export interface StagedAudio extends AudioFile {
  fields: readonly FormField[];
}

const giveToThread = statement<{ owner: Owner; ids: string[]; threadId: number }>(
  'update file set thread_id = :threadId where owner = :owner and id = any(:ids::uuid[])',
);

/** Uploaded and generated files of all owners. */
@Injectable()
export class FilesService {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly staging: Staging,
    private readonly intake: FileIntake,
    private readonly removal: FileRemoval,
    private readonly rateLimit: UploadRateLimit,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.removal.deleteOfOwner(owner));
  }

  /** Stores the one file of a multipart request. @throws AppError */
  async receive(identity: Identity, request: IncomingMessage): Promise<StoredFile> {
    await this.rateLimit.consume(identity);
    const { path, ...claim } = await receiveUpload(request, this.staging);
    return this.intake.accept(path, claim, { owner: identity.owner });
  }

  /** Stores a generated image unchanged. @throws AppError */
  saveGenerated(owner: Owner, bytes: Buffer, type: string, name: string, threadId: number | null): Promise<StoredFile> {
    return this.intake.acceptBytes(bytes, { type, name }, { owner, threadId, isGenerated: true });
  }

  /** @throws AppError `not_found` for a file that does not exist or belongs to another owner */
  async find(owner: Owner, id: string): Promise<FileEntity> {
    const file = isFileId(id) ? await this.rows.findOneBy({ id, owner, shareId: IsNull() }) : null;
    if (file === null) throw new AppError('not_found');
    return file;
  }

  /** Reads the contents of a file. @throws AppError `not_found` when the file was deleted since `find` */
  read({ id }: Pick<FileEntity, 'id'>, range?: ByteRange): Promise<Readable> {
    return this.store.read(id, range);
  }

  /**
   * Moves a guest's files to an account, those of the trash included. The caller has locked the threads.
   * @param left threads that stay behind with the files that no other thread uses
   */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner, left: readonly number[]): Promise<void> {
    await moveFiles(manager, guest, account, ownerUserId(account), left);
    await moveFiles(manager, trashOf(guest), trashOf(account), ownerUserId(account));
  }

  /**
   * Stages the one file of a multipart request, which is not accepted as an upload. The caller removes it from `Staging`.
   * @throws AppError
   */
  async stage(request: IncomingMessage, bounds: UploadBounds): Promise<string> {
    return (await receiveUpload(request, this.staging, bounds)).path;
  }

  /**
   * Stages the one audio file of a multipart request, with the other fields of the form. The caller removes it from `Staging`.
   * @throws AppError
   */
  async stageAudio(request: IncomingMessage, bounds: UploadBounds): Promise<StagedAudio> {
    const { path, fields, ...claim } = await receiveUpload(request, this.staging, bounds);
    try {
      return { ...(await inspectAudio(path, claim)), fields };
    } catch (error) {
      await this.staging.remove(path);
      throw error;
    }
  }

  /**
   * Accepts a staged file as an unattached upload. See `FileIntake.accept`. The file may have neither a name nor a type:
   * exports of other programs do not declare those of their images.
   * @param keepsBytes whether an image, which an own export has without its metadata, stays as it is
   */
  async acceptStaged(path: string, claim: FileClaim, owner: Owner, keepsBytes = false): Promise<StoredFile> {
    return this.intake.accept(path, await completeClaim(path, claim), { owner, keepsBytes });
  }

  /** Keeps an archive that has no row among the files: the sweep deletes it after a day. May move the file. */
  keepArchive(id: string, path: string): Promise<void> {
    return this.store.put(id, path);
  }

  deleteArchive(id: string): Promise<void> {
    return this.removal.deleteContents(id);
  }

  /** Gives unattached files to a new thread, in the transaction that inserts the thread. */
  async attachNew(manager: EntityManager, owner: Owner, ids: string[], threadId: number): Promise<void> {
    if (ids.length === 0) return;
    await manager.query(...giveToThread({ owner, ids, threadId }));
  }

  async deleteUnattached(owner: Owner, ids: string[]): Promise<void> {
    if (ids.length > 0) await this.removal.delete(UNATTACHED_OF, [owner, ids]);
  }

  /** @throws AppError `not_found` for a file that does not exist or belongs to something else than this snapshot */
  async findOfShare(shareId: string, id: string): Promise<FileEntity> {
    const file = isFileId(id) ? await this.rows.findOneBy({ id, shareId }) : null;
    if (file === null) throw new AppError('not_found');
    return file;
  }

  /**
   * Deletes the contents of snapshots around `deleteShares`, which deletes the snapshots with the rows of their files.
   * Failures are left to the sweep.
   */
  deleteContentsOfShares<R>(shareIds: string[], deleteShares: () => Promise<R>): Promise<R> {
    return this.removal.around({ shareId: In(shareIds) }, deleteShares);
  }

  /** Number and size of the files of all snapshots. */
  async totalOfShares(): Promise<{ files: number; fileBytes: number }> {
    const [total] = await this.rows.query<[{ files: number; fileBytes: number }]>(
      'select count(*)::int as files, coalesce(sum(size), 0)::bigint as "fileBytes" from file where share_id is not null',
    );
    return total;
  }
}
