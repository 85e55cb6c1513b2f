import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { MessageContent, OutgoingMessage, StoredFile } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Identity, type Owner, ownerUserId, trashOf } from '../identity/identity.js';
import { type Attached, AttachedFiles, hasFiles } from './attached-files.js';
import { type CopySource, type FileCopies, FileCopier } from './file-copies.js';
import { FileIntake } from './file-intake.js';
import { FileRemoval } from './file-removal.js';
import { FileSweep } from './file-sweep.js';
import { FileEntity } from './file.entity.js';
import { moveFiles, restoreFiles, trashFiles } from './file-trash.js';
import { isFileId } from './file-name.js';
import { inspectAudio, type AudioFile } from './inspection/audio-file.js';
import { completeClaim, type FileClaim } from './inspection/file-inspection.js';
import { MessageFiles, withFutureFiles } from './message-files.js';
import { type ModelFile, ModelFiles } from './model-files.js';
import { type ByteRange, FILE_STORE, type FileStore } from './store/file-store.js';
import { toStoredFile } from './stored-file.js';
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

/** Entry of the files room: uploaded and generated files of all owners. */
@Injectable()
export class FilesService {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly staging: Staging,
    private readonly intake: FileIntake,
    private readonly attached: AttachedFiles,
    private readonly messageFiles: MessageFiles,
    private readonly modelFiles: ModelFiles,
    private readonly removal: FileRemoval,
    private readonly fileSweep: FileSweep,
    private readonly copier: FileCopier,
    private readonly rateLimit: UploadRateLimit,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.removal.deleteOfOwner(owner));
    hooks.onExport('files', (owner) => this.listOf(owner));
  }

  /** Stores the one file of a multipart request. @throws AppError */
  async receive(identity: Identity, request: IncomingMessage): Promise<StoredFile> {
    await this.rateLimit.consume(identity);
    const { path, ...claim } = await receiveUpload(request, this.staging);
    return this.intake.accept(path, claim, { owner: identity.owner });
  }

  /** A message as it is after its data URLs were stored, so that it can be validated before. */
  withFutureFiles(content: Record<string, unknown>): Record<string, unknown> {
    return withFutureFiles(content);
  }

  /** Stores the data URLs of a message around `send`. See `MessageFiles.withStoredDataUrls`. */
  withStoredDataUrls<T extends Record<string, unknown>, R>(
    identity: Identity,
    content: T,
    seed: string | undefined,
    send: (stored: T) => Promise<R>,
  ): Promise<R> {
    return this.messageFiles.withStoredDataUrls(identity, content, seed, send);
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
  read({ id }: FileEntity, range?: ByteRange): Promise<Readable> {
    return this.store.read(id, range);
  }

  /** Reads a file as model input; null for a file that does not exist or belongs to another owner. */
  forModel(owner: Owner, urlOrId: string): Promise<ModelFile | null> {
    return this.modelFiles.read(owner, urlOrId);
  }

  /** Whether a message refers to files, which the transaction of its send must attach. */
  areIn(content: Attached): boolean {
    return hasFiles(content);
  }

  /** The content of a message with the properties of its files. See `AttachedFiles.describe`. */
  describe(owner: Owner, content: OutgoingMessage): Promise<MessageContent> {
    return this.attached.describe(owner, content);
  }

  /** Attaches the files of a message to its thread. See `AttachedFiles.attach`. */
  attach(manager: EntityManager, owner: Owner, content: Attached, threadId: number): Promise<void> {
    return this.attached.attach(manager, owner, content, threadId);
  }

  /** Deletes the files that only this thread uses. See `FileRemoval.deleteOfThread`. */
  deleteOfThread(threadId: number, owner: string): Promise<void> {
    return this.removal.deleteOfThread(threadId, owner);
  }

  /** Deletes the files of many deleted threads of one owner. See `FileRemoval.deleteOfThread`. */
  deleteOfThreads(threadIds: readonly number[], owner: string): Promise<void> {
    return this.removal.deleteOfThreads(threadIds, owner);
  }

  /** Adds the files of deleted threads to the sweep. See `FileSweep.addDeletedThreads`. */
  addDeletedThreadsToSweep(isDeleted: (threadId: string) => string): void {
    this.fileSweep.addDeletedThreads(isDeleted);
  }

  /** Hides the files that only threads of the trash use. @param trashedIds all threads of the owner's trash */
  trash(manager: EntityManager, owner: Owner, trashedIds: readonly number[]): Promise<void> {
    return trashFiles(manager, owner, trashedIds);
  }

  /** Shows the files of restored threads again. */
  restore(manager: EntityManager, owner: Owner, threadIds: readonly number[]): Promise<void> {
    return restoreFiles(manager, owner, threadIds);
  }

  /** Moves a guest's files to an account, those of the trash included. The caller has locked the threads. */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner): Promise<void> {
    await moveFiles(manager, guest, account, ownerUserId(account));
    await moveFiles(manager, trashOf(guest), trashOf(account), ownerUserId(account));
  }

  /**
   * Stages the one file of a multipart request, which is not accepted as an upload. The caller calls `unstage`.
   * @throws AppError
   */
  async stage(request: IncomingMessage, bounds: UploadBounds): Promise<string> {
    return (await receiveUpload(request, this.staging, bounds)).path;
  }

  /**
   * Stages the one audio file of a multipart request, with the other fields of the form. The caller calls `unstage`.
   * @throws AppError
   */
  async stageAudio(request: IncomingMessage, bounds: UploadBounds): Promise<StagedAudio> {
    const { path, fields, ...claim } = await receiveUpload(request, this.staging, bounds);
    try {
      return { ...(await inspectAudio(path, claim)), fields };
    } catch (error) {
      await this.unstage(path);
      throw error;
    }
  }

  /** Keeps a staged file from the sweep for another hour. */
  async keepStaged(path: string): Promise<void> {
    await this.staging.keep(path);
  }

  /**
   * Accepts a staged file as an unattached upload. See `FileIntake.accept`. The file may have neither a name nor a type:
   * exports of other programs do not declare those of their images.
   */
  async acceptStaged(path: string, claim: FileClaim, owner: Owner): Promise<StoredFile> {
    return this.intake.accept(path, await completeClaim(path, claim), { owner });
  }

  async unstage(path: string): Promise<void> {
    await this.staging.remove(path);
  }

  /** Gives unattached files to a new thread, in the transaction that inserts the thread. */
  async attachNew(manager: EntityManager, owner: Owner, ids: string[], threadId: number): Promise<void> {
    if (ids.length === 0) return;
    const values = [owner, ids, threadId];
    await manager.query('update file set thread_id = $3 where owner = $1 and id = any($2::uuid[])', values);
  }

  /** Deletes unattached files. */
  async deleteUnattached(owner: Owner, ids: string[]): Promise<void> {
    if (ids.length > 0) await this.removal.delete(UNATTACHED_OF, [owner, ids]);
  }

  /** Copies files around `work`. See `FileCopier.withCopies`. */
  withCopies<R>(
    source: CopySource,
    originals: readonly string[],
    owner: Owner,
    work: (copies: FileCopies) => Promise<R>,
  ): Promise<R> {
    return this.copier.withCopies(source, originals, owner, work);
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
  async deleteContentsOfShares<R>(shareIds: string[], deleteShares: () => Promise<R>): Promise<R> {
    const files = await this.rows.find({ select: { id: true }, where: { shareId: In(shareIds) } });
    const result = await deleteShares();
    for (const { id } of files) await this.removal.deleteContents(id);
    return result;
  }

  /** Number and size of the files of all snapshots. */
  async totalOfShares(): Promise<{ files: number; fileBytes: number }> {
    const [total] = await this.rows.query<[{ files: number; fileBytes: number }]>(
      'select count(*)::int as files, coalesce(sum(size), 0)::bigint as "fileBytes" from file where share_id is not null',
    );
    return total;
  }

  private async *listOf(owner: Owner): AsyncGenerator<StoredFile & { createdAt: Date }> {
    // The storage quota bounds the number of rows.
    for (const file of await this.rows.find({ where: { owner, shareId: IsNull() }, order: { createdAt: 'ASC' } }))
      yield { ...toStoredFile(file), createdAt: file.createdAt };
  }
}
