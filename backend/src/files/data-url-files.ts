import { createHash, randomUUID } from 'node:crypto';
import type { StoredFile } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { isUniqueViolation } from '../platform/database/constraint-violations.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import type { Identity, Owner } from '../identity/identity.js';
import { FILE_FIELDS } from './attached-files.js';
import { FileIntake } from './file-intake.js';
import { FileRemoval } from './file-removal.js';
import { FILE_KEY, FileEntity } from './file.entity.js';
import { cleanFileName, extensionOf, fileUrl } from './file-name.js';
import { extensionForType } from './inspection/file-kind.js';
import { toStoredFile } from './stored-file.js';
import { isDataUrl, parseDataUrl } from './upload/data-url.js';
import { UploadRateLimit } from './upload/upload-rate-limit.js';

/** Stands for the URL of a file that is not stored yet. */
const FUTURE_URL = fileUrl('00000000-0000-4000-8000-000000000000');

/** A message as it is after its data URLs were stored, so that it can be validated before. */
export function withFutureFiles(content: Record<string, unknown>): Record<string, unknown> {
  const future = { ...content };
  for (const field of FILE_FIELDS) {
    const value = content[field];
    if (typeof value !== 'string' || !isDataUrl(value)) continue;
    future[field] = FUTURE_URL;
    // Storing replaces the description of the file.
    if (field === 'fileUrl') for (const name of ['fileName', 'fileType', 'fileSize']) delete future[name];
  }
  return future;
}

interface StoringOptions {
  /** Makes it idempotent: the same owner, seed and content give the same file, also to a concurrent copy of the request. */
  seed?: string;
  /** Refuses a new file before it counts as an upload. */
  check?: () => Promise<void>;
}

/** Stores the data URLs of messages as files. */
@Injectable()
export class DataUrlFiles {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly intake: FileIntake,
    private readonly removal: FileRemoval,
    private readonly rateLimit: UploadRateLimit,
  ) {}

  /**
   * Stores the data URLs of a message, replaces them by file URLs and calls `send`. When `send` fails, the new files that
   * no thread uses are deleted.
   */
  async withStoredDataUrls<T extends Record<string, unknown>, R>(
    identity: Identity,
    content: T,
    options: StoringOptions,
    send: (stored: T) => Promise<R>,
  ): Promise<R> {
    const stored: Record<string, unknown> = { ...content };
    const created: string[] = [];
    try {
      await this.storeDataUrls(identity, stored, options, created);
      return await send(stored as T);
    } catch (error) {
      // A file that another copy of the request has stored is that one's to delete.
      if (created.length > 0) await this.deleteUnattached(identity.owner, created);
      throw error;
    }
  }

  /** Replaces the data URLs of a message by file URLs. @param created gets the ids of new files */
  private async storeDataUrls(
    identity: Identity,
    content: Record<string, unknown>,
    { seed, check }: StoringOptions,
    created: string[],
  ): Promise<void> {
    for (const field of FILE_FIELDS) {
      const value = content[field];
      if (typeof value !== 'string' || !isDataUrl(value)) continue;
      const name = cleanFileName(field === 'fileUrl' && typeof content.fileName === 'string' ? content.fileName : '');
      const { file, isNew } = await this.saveDataUrl(identity, value, name, {
        seed: seed && `${seed}.${field}`,
        check,
      });
      if (isNew) created.push(file.id);
      content[field] = file.url;
      if (field === 'fileUrl') Object.assign(content, { fileName: name, fileType: file.type, fileSize: file.size });
    }
  }

  /**
   * Stores one data URL as a file. A copy of an earlier request gets its file, and counts as no upload.
   * @throws AppError `rate_limited`
   */
  async saveDataUrl(
    identity: Pick<Identity, 'owner' | 'userId' | 'address'>,
    dataUrl: string,
    name: string,
    { seed, check }: StoringOptions = {},
  ): Promise<{ file: StoredFile; isNew: boolean }> {
    const { type, bytes } = await parseDataUrl(dataUrl);
    const claim = { type, name: withExtension(name, type) };
    const { owner } = identity;
    const id = seed === undefined ? randomUUID() : deterministicId([owner, seed, claim.name, type], bytes);
    const existing = seed === undefined ? null : await this.find(owner, id);
    if (existing !== null) return { file: existing, isNew: false };
    await check?.();
    await this.rateLimit.consume(identity);
    try {
      return { file: await this.intake.acceptBytes(bytes, claim, { owner, id }), isNew: true };
    } catch (error) {
      const concurrent = isUniqueViolation(error, FILE_KEY) ? await this.find(owner, id) : null;
      if (concurrent === null) throw error;
      return { file: concurrent, isNew: false };
    }
  }

  private async find(owner: Owner, id: string): Promise<StoredFile | null> {
    const row = await this.rows.findOneBy({ id, owner, shareId: IsNull() });
    return row && toStoredFile(row);
  }

  /** A failure is logged only: the error of the send is the answer, and the sweep deletes unattached files too. */
  private async deleteUnattached(owner: Owner, ids: string[]): Promise<void> {
    await this.removal
      .delete('owner = $1 and id = any($2::uuid[]) and thread_id is null', [owner, ids])
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'deletion of unattached files failed; leaving them to the sweep'),
      );
  }
}

/** Data URLs often come without a file name: downloads then get the usual extension of the type. */
function withExtension(name: string, type: string): string {
  const extension = extensionOf(name) === '' ? extensionForType(type) : null;
  return extension === null ? name : `${name}.${extension}`;
}

/** UUID (version 8) from a SHA-256 hash; reveals nothing about its input. */
function deterministicId(parts: string[], bytes: Buffer): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).update(bytes).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
