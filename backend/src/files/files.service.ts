import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LIMITS, type OutgoingMessage, type StoredFile, TEXTS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { type Identity, type Owner, ownerUserId } from '../platform/session/identity.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { AccountLifecycleHooks } from '../platform/session/account-lifecycle-hooks.js';
import { type Count, type RateLimit, RateLimits } from '../platform/redis/rate-limits.js';
import { isDataUrl, parseDataUrl } from './data-url.js';
import { readForModel } from './document-text.js';
import { TextExtractor } from './extract/text-extractor.js';
import { FileEntity } from './file.entity.js';
import { type FileClaim, inspectFile } from './file-inspection.js';
import { extensionForType } from './file-kind.js';
import { cleanFileName, extensionOf, fileIdOf, fileUrl, isFileId } from './file-name.js';
import { type ByteRange, FILE_STORE, type FileStore } from './file-store.js';
import { receiveUpload } from './multipart.js';
import { Staging } from './staging.js';

/** Seconds. */
const UPLOADS: RateLimit = { name: 'uploads', points: 60, window: 60 * 60 };

const MEGABYTE = 1024 * 1024;

/** What one owner may keep. */
const SPACE = { user: 500 * MEGABYTE, guest: 50 * MEGABYTE };

/** What a provider may draw; it is no upload. */
const DRAWN_BYTES = 20 * MEGABYTE;

/** Fields of a message that may bring a file along. */
const DATA_FIELDS = ['imageData', 'audioData', 'fileUrl'] as const;

/** How the type of a file begins that a page shows, or a model takes, as the field says; a document may be any file. */
const SHOWN_TYPE = { imageData: 'image/', audioData: 'audio/', fileUrl: '' } as const;

/** $1 owner, $2 files, $3 thread. */
const ATTACH = `update file set thread_id = coalesce(thread_id, $3::bigint),
  also_in = case when thread_id <> $3::bigint and $3::bigint <> all(also_in) then also_in || $3::bigint else also_in end
  where owner = $1 and id = any($2::uuid[])
  returning id, type`;

/** A file as a model takes it. */
export type ModelFile = { kind: 'image' | 'audio'; dataUrl: string } | { kind: 'document'; name: string; text: string };

type Attached = Pick<OutgoingMessage, (typeof DATA_FIELDS)[number]>;

interface Keeping {
  owner: Owner;
  id?: string;
  threadId?: number | null;
  /** In place of the limits of uploads. */
  bytes?: number;
}

/**
 * Everything that people upload or have drawn. A row always has its bytes: they are stored before the row and removed
 * after it, and what a crash leaves between the two is swept.
 */
@Injectable()
export class FilesService {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly staging: Staging,
    private readonly extractor: TextExtractor,
    private readonly limits: RateLimits,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.deleteOfOwner(owner));
    hooks.onAdopt((manager, from, to) => this.adopt(manager, from, to));
    hooks.onExport('files', (owner) => this.listOf(owner));
  }

  /** Takes the one file of a multipart request. @throws AppError */
  async receive(identity: Identity, request: IncomingMessage): Promise<StoredFile> {
    await this.countUpload(identity);
    const { path, ...claim } = await receiveUpload(request, this.staging);
    return this.keep(path, claim, { owner: identity.owner });
  }

  /**
   * Stores the data URLs of a message, puts the addresses of the files in their place and has it sent. Where that fails,
   * what no thread took is removed again.
   * @param seed makes repeats of one send arrive at the same addresses
   */
  async withStoredDataUrls<T extends Record<string, unknown>, R>(
    identity: Identity,
    content: T,
    seed: string | undefined,
    send: (stored: T) => Promise<R>,
  ): Promise<R> {
    const stored: Record<string, unknown> = { ...content };
    try {
      await this.storeDataUrls(identity, stored, seed);
      return await send(stored as T);
    } catch (error) {
      const ids = DATA_FIELDS.flatMap((field) =>
        stored[field] === content[field] ? [] : (fileIdOf(String(stored[field])) ?? []),
      );
      if (ids.length > 0) {
        // Failing to tidy up is no answer to the send; the sweep comes by anyway.
        await this.remove('owner = $1 and id = any($2::uuid[]) and thread_id is null', [identity.owner, ids]).catch(
          (failure: unknown) => this.logger.warn({ err: failure }, 'the files of a refused send stay for now'),
        );
      }
      throw error;
    }
  }

  private async storeDataUrls(
    identity: Identity,
    content: Record<string, unknown>,
    seed: string | undefined,
  ): Promise<void> {
    for (const field of DATA_FIELDS) {
      const value = content[field];
      if (typeof value !== 'string' || !isDataUrl(value)) continue;
      await this.countUpload(identity);
      const name = cleanFileName(field === 'fileUrl' && typeof content.fileName === 'string' ? content.fileName : '');
      const file = await this.saveDataUrl(identity.owner, value, name, seed && `${seed}.${field}`);
      content[field] = file.url;
      if (field === 'fileUrl') Object.assign(content, { fileName: name, fileType: file.type, fileSize: file.size });
    }
  }

  /** @param seed the same owner, seed and content give the same file */
  async saveDataUrl(owner: Owner, dataUrl: string, name: string, seed?: string): Promise<StoredFile> {
    const { type, bytes } = parseDataUrl(dataUrl);
    const claim = { type, name: withExtension(name, type) };
    if (seed === undefined) return this.keepBytes(bytes, claim, { owner });
    const id = idFor([owner, seed, claim.name, type], bytes);
    const known = await this.rows.findOneBy({ id, owner });
    return known === null ? this.keepBytes(bytes, claim, { owner, id }) : toStoredFile(known);
  }

  /** Stores what the product made by itself. */
  async saveBytes(
    owner: Owner,
    bytes: Buffer,
    type: string,
    name: string,
    threadId: number | null,
  ): Promise<StoredFile> {
    return this.keepBytes(bytes, { type, name }, { owner, threadId, bytes: DRAWN_BYTES });
  }

  /** @throws AppError `not_found`, whoever asks for what belongs to somebody else */
  async find(owner: Owner, id: string): Promise<FileEntity> {
    const file = isFileId(id) ? await this.rows.findOneBy({ id, owner }) : null;
    if (file === null) throw new AppError('not_found');
    return file;
  }

  /** The bytes of a file that was found. @throws AppError `not_found` when it went meanwhile */
  read({ id }: FileEntity, range?: ByteRange): Promise<Readable> {
    return this.store.read(id, range);
  }

  /** What a model gets of an attachment; null when it is gone. */
  async forModel(owner: Owner, urlOrId: string): Promise<ModelFile | null> {
    const id = fileIdOf(urlOrId);
    if (id === null) return null;
    const file = await this.rows.createQueryBuilder('file').addSelect('file.text').where({ id, owner }).getOne();
    if (file === null) return null;
    const kind = file.type.split('/')[0];
    if (kind !== 'image' && kind !== 'audio') {
      return { kind: 'document', name: file.name, text: file.text ?? `(${file.notice ?? 'No text.'})` };
    }
    const bytes = await this.bytesOf(id);
    return bytes === null ? null : { kind, dataUrl: `data:${file.type};base64,${bytes.toString('base64')}` };
  }

  /**
   * Ties the files of a message to the thread that uses them, inside its transaction.
   * @throws AppError `not_found`, or `invalid` for a file that is not what its field shows
   */
  async attach(manager: EntityManager, owner: Owner, content: Attached, threadId: number): Promise<void> {
    const attached = DATA_FIELDS.flatMap((field) => {
      const id = fileIdOf(content[field] ?? '');
      return id === null ? [] : [{ field, id }];
    });
    if (attached.length === 0) return;
    const ids = attached.map(({ id }) => id);
    const [rows] = await manager.query<[{ id: string; type: string }[], number]>(ATTACH, [owner, ids, threadId]);
    for (const { field, id } of attached) {
      const file = rows.find((row) => row.id === id);
      if (file === undefined) throw new AppError('not_found');
      if (!file.type.startsWith(SHOWN_TYPE[field]))
        throw invalidField(`content.${field}`, `The file in ${field} is ${file.type}: send it as fileUrl.`);
    }
  }

  /** Those that other threads use go on to the next of them. */
  async deleteOfThread(threadId: number): Promise<void> {
    await this.reassignSharedFiles('thread_id = $1', [threadId]);
    await this.remove("thread_id = $1 and also_in = '{}'", [threadId]);
  }

  async reassignSharedFiles(where: string, parameters: unknown[]): Promise<void> {
    await this.rows.query(
      `update file set thread_id = also_in[1], also_in = also_in[2:] where also_in <> '{}' and ${where}`,
      parameters,
    );
  }

  async deleteOfOwner(owner: Owner): Promise<void> {
    await this.remove('owner = $1', [owner]);
  }

  /** Removes rows and then bytes. @returns how many */
  async remove(where: string, parameters: unknown[]): Promise<number> {
    const [gone] = await this.rows.query<[{ id: string }[], number]>(
      `delete from file where ${where} returning id`,
      parameters,
    );
    for (const { id } of gone) await this.removeBytes(id);
    return gone.length;
  }

  private async *listOf(owner: Owner): AsyncGenerator<StoredFile & { createdAt: Date }> {
    // What somebody may keep bounds how many there are.
    for (const file of await this.rows.find({ where: { owner }, order: { createdAt: 'ASC' } }))
      yield { ...toStoredFile(file), createdAt: file.createdAt };
  }

  private async countUpload({ owner, userId, address }: Identity): Promise<void> {
    await this.limits.consumeAll([
      [UPLOADS, owner],
      ...(userId === null ? [[UPLOADS, `address:${address}`] satisfies Count] : []),
    ]);
  }

  private async keepBytes(bytes: Buffer, claim: FileClaim, keeping: Keeping): Promise<StoredFile> {
    const refusal = () => new AppError('too_large', { message: TEXTS.files.documentTooLarge });
    const path = await this.staging.write(Readable.from([bytes]), keeping.bytes ?? LIMITS.documentBytes, refusal);
    return this.keep(path, claim, keeping);
  }

  /** Accepts or refuses what is staged; either way it is no longer there afterwards. */
  private async keep(path: string, claim: FileClaim, keeping: Keeping): Promise<StoredFile> {
    const { owner, id = randomUUID(), threadId = null } = keeping;
    try {
      const inspected = await inspectFile(path, claim, keeping.bytes);
      await this.checkSpace(owner, inspected.size);
      const { text, notice } = await readForModel(path, inspected, this.extractor);
      const { name, size, kind } = inspected;
      const row = { id, owner, userId: ownerUserId(owner), threadId, name, type: kind.type, size, text, notice };
      await this.store.put(id, path);
      await this.insert(row);
      return toStoredFile(row);
    } finally {
      await this.staging.remove(path);
    }
  }

  private async insert(row: Omit<FileEntity, 'createdAt' | 'user' | 'alsoIn'>): Promise<void> {
    try {
      await this.rows.insert(row);
    } catch (error) {
      // Whether the row got in may be unknown: bytes are removed only when it surely did not, else the sweep decides.
      const isStored = await this.rows.existsBy({ id: row.id }).catch(() => true);
      if (!isStored) await this.removeBytes(row.id);
      throw error;
    }
  }

  private async checkSpace(owner: Owner, size: number): Promise<void> {
    const [{ used }] = await this.rows.query<[{ used: number }]>(
      'select coalesce(sum(size), 0)::bigint as used from file where owner = $1',
      [owner],
    );
    const space = ownerUserId(owner) === null ? SPACE.guest : SPACE.user;
    if (used + size > space) {
      const message = `Your files fill the ${space / MEGABYTE} MB that you may keep. Delete a conversation with files first.`;
      throw new AppError('too_large', { message });
    }
  }

  private async adopt(manager: EntityManager, from: Owner, to: Owner): Promise<void> {
    await manager.query('update file set owner = $2, user_id = $3 where owner = $1', [from, to, ownerUserId(to)]);
  }

  private async bytesOf(id: string): Promise<Buffer | null> {
    try {
      return await buffer(await this.store.read(id));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** What can't be removed now is swept later, since no row names it any more. */
  private async removeBytes(id: string): Promise<void> {
    await this.store
      .delete(id)
      .catch((error: unknown) => this.logger.warn({ err: error, fileId: id }, 'a file could not be deleted yet'));
  }
}

const toStoredFile = ({
  id,
  name,
  type,
  size,
  notice,
}: Pick<FileEntity, 'id' | 'name' | 'type' | 'size' | 'notice'>): StoredFile => ({
  id,
  url: fileUrl(id),
  name,
  type,
  size,
  ...(notice === null ? {} : { notice }),
});

/** Data URLs often come without a name: then their type says what the file ends in that is downloaded. */
function withExtension(name: string, type: string): string {
  const extension = extensionOf(name) === '' ? extensionForType(type) : null;
  return extension === null ? name : `${name}.${extension}`;
}

/** A UUID that says nothing of what it was made from. */
function idFor(parts: string[], bytes: Buffer): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).update(bytes).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
