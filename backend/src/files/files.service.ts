import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { MessageContent, OutgoingMessage, StoredFile } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Identity, type Owner, ownerUserId } from '../identity/identity.js';
import { type Attached, AttachedFiles, hasFiles } from './attached-files.js';
import { FileIntake } from './file-intake.js';
import { FileRemoval } from './file-removal.js';
import { FileEntity } from './file.entity.js';
import { restoreFiles, trashFiles } from './file-trash.js';
import { isFileId } from './file-name.js';
import { MessageFiles } from './message-files.js';
import { type ModelFile, ModelFiles } from './model-files.js';
import { type ByteRange, FILE_STORE, type FileStore } from './store/file-store.js';
import { toStoredFile } from './stored-file.js';
import { receiveUpload } from './upload/multipart.js';
import { Staging } from './upload/staging.js';
import { UploadRateLimit } from './upload/upload-rate-limit.js';

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
    private readonly rateLimit: UploadRateLimit,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.removal.deleteOfOwner(owner));
    hooks.onGuestMigration((manager, from, to) => this.migrateGuest(manager, from, to));
    hooks.onExport('files', (owner) => this.listOf(owner));
  }

  /** Stores the one file of a multipart request. @throws AppError */
  async receive(identity: Identity, request: IncomingMessage): Promise<StoredFile> {
    await this.rateLimit.consume(identity);
    const { path, ...claim } = await receiveUpload(request, this.staging);
    return this.intake.accept(path, claim, { owner: identity.owner });
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
    const file = isFileId(id) ? await this.rows.findOneBy({ id, owner }) : null;
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

  /** Hides the files that only threads of the trash use. @param trashedIds all threads of the owner's trash */
  trash(manager: EntityManager, owner: Owner, trashedIds: readonly number[]): Promise<void> {
    return trashFiles(manager, owner, trashedIds);
  }

  /** Shows the files of restored threads again. */
  restore(manager: EntityManager, owner: Owner, threadIds: readonly number[]): Promise<void> {
    return restoreFiles(manager, owner, threadIds);
  }

  private async *listOf(owner: Owner): AsyncGenerator<StoredFile & { createdAt: Date }> {
    // The storage quota bounds the number of rows.
    for (const file of await this.rows.find({ where: { owner }, order: { createdAt: 'ASC' } }))
      yield { ...toStoredFile(file), createdAt: file.createdAt };
  }

  private async migrateGuest(manager: EntityManager, from: Owner, to: Owner): Promise<void> {
    await manager.query('update file set owner = $2, user_id = $3 where owner = $1', [from, to, ownerUserId(to)]);
  }
}
