import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { LIMITS, type StoredFile } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { filesTooLarge } from '../platform/errors/error-body.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { DocumentReader, noticeSentence, type ReadDocument } from './document-reader.js';
import { FileRemoval } from './file-removal.js';
import { FileEntity } from './file.entity.js';
import { ImageEncoder } from './images/image-encoder.js';
import { type FileClaim, inspectFile } from './inspection/file-inspection.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';
import { FileQuota } from './file-quota.js';
import { toStoredFile } from './stored-file.js';
import { Staging } from './upload/staging.js';

/** Size limit of a generated image, bytes. */
const GENERATED_BYTES = 20 * 1024 * 1024;

/** Row of a new file. */
interface FileTarget {
  owner: Owner;
  /** Random when missing. */
  id?: string;
  threadId?: number | null;
  /** Generated images are stored unchanged, up to `GENERATED_BYTES`. Default: false. */
  isGenerated?: boolean;
  /** Images are decoded as a check and stored unchanged. Default: false. */
  keepsBytes?: boolean;
}

type NewFile = Pick<FileEntity, 'id' | 'owner' | 'userId' | 'threadId' | 'name' | 'type' | 'size'>;

/**
 * Accepts new files: inspection, re-encoding of images, quota, text extraction, storage.
 *
 * Contents are stored before their row and deleted after it, so every row has its contents. The sweep deletes contents
 * that a crash left without a row.
 */
@Injectable()
export class FileIntake {
  constructor(
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly staging: Staging,
    private readonly images: ImageEncoder,
    private readonly reader: DocumentReader,
    private readonly removal: FileRemoval,
    private readonly quota: FileQuota,
  ) {}

  /** Accepts contents in memory. @throws AppError */
  async acceptBytes(bytes: Buffer, claim: FileClaim, target: FileTarget): Promise<StoredFile> {
    const limit = target.isGenerated ? GENERATED_BYTES : LIMITS.documentBytes;
    const tooLarge = () => filesTooLarge('document', limit);
    return this.accept(await this.staging.write(Readable.from([bytes]), limit, tooLarge), claim, target, bytes);
  }

  /**
   * Accepts or rejects a staged file, and removes it from the staging folder.
   * @param bytes its contents, where memory has them already
   * @throws AppError
   */
  async accept(path: string, claim: FileClaim, target: FileTarget, bytes?: Buffer): Promise<StoredFile> {
    const { owner, id = randomUUID(), threadId = null, isGenerated = false, keepsBytes = false } = target;
    try {
      const imageBytes = isGenerated || keepsBytes ? GENERATED_BYTES : LIMITS.imageBytes;
      const file = await inspectFile(bytes ?? path, claim, imageBytes);
      const { name, kind } = file;
      const sender = ownerUserId(owner) === null ? 'guest' : 'member';
      const isReencoded = kind.family === 'image' && !isGenerated;
      const encoded = isReencoded ? await this.images.reencode(path, kind.type, sender, keepsBytes) : file.size;
      const size = keepsBytes ? file.size : encoded;
      await this.quota.ensureRoom(owner, size);
      const row = { id, owner, userId: ownerUserId(owner), threadId, name, type: kind.type, size };
      const { notices, pages, pictures } = await this.reader.withRead(path, file, LIMITS.pagePictures, async (read) => {
        await this.store.put(id, path);
        await this.insert(row, read);
        return read;
      });
      const seen = { pages, pictures: pictures?.count ?? 0, notice: noticeSentence(notices) };
      return { ...toStoredFile({ ...row, ...seen }), ...(notices.length > 0 && { notices }) };
    } finally {
      await this.staging.remove(path);
    }
  }

  private async insert(row: NewFile, read: ReadDocument): Promise<void> {
    try {
      await this.reader.store(row.id, read, async (manager) => {
        await this.quota.claimRoom(manager, row.owner as Owner, row.size + (read.pictures?.bytes ?? 0));
        await manager.insert(FileEntity, row);
      });
    } catch (error) {
      await this.removal.deleteUnlessStored({ id: row.id }, [row.id]);
      throw error;
    }
  }
}
