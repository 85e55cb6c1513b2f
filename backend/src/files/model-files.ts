import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LIMITS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { filesTooLarge } from '../platform/errors/error-body.js';
import type { FileOwner } from '../identity/identity.js';
import { type ModelDocument, toModelDocument } from './document-pieces.js';
import { DocumentReader, noticeSentence } from './document-reader.js';
import { FileEntity } from './file.entity.js';
import { fileIdOf } from './file-name.js';
import type { Section } from './formats/sections.js';
import { completeClaim, type FileClaim, inspectFile } from './inspection/file-inspection.js';
import { type ByteRange, FILE_STORE, type FileStore } from './store/file-store.js';
import { Staging } from './upload/staging.js';

/** Model input of a file: images and audio as data URLs, other files as text and pictures of pages. */
export type ModelFile = { kind: 'image' | 'audio'; dataUrl: string } | ({ kind: 'document' } & ModelDocument);

const SECTIONS = 'select kind, label, text, picture from file_section where file_id = $1 order by index';

const RETRY_AFTER_SECONDS = 5;

const NONE = Buffer.alloc(0);

const bytesOf = (sections: readonly Section[], pictures: number): number =>
  sections
    .flatMap(({ picture }) => picture || [])
    .slice(0, pictures)
    .reduce((sum, bytes) => sum + bytes, 0);

/** Reads files as model input. */
@Injectable()
export class ModelFiles {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly reader: DocumentReader,
    private readonly staging: Staging,
  ) {}

  /**
   * @param pictures the most pages of a document that are read as pictures
   * @returns null for a file that does not exist or belongs to another owner
   */
  async read(owner: FileOwner, urlOrId: string, pictures = 0): Promise<ModelFile | null> {
    const id = fileIdOf(urlOrId);
    const file = id === null ? null : await this.rows.findOneBy({ id, owner, shareId: IsNull() });
    if (file === null) return null;
    const kind = file.type.split('/')[0];
    if (kind !== 'image' && kind !== 'audio') return { kind: 'document', ...(await this.documentOf(file, pictures)) };
    const bytes = await this.contentsOf(file.id);
    return bytes === null ? null : { kind, dataUrl: `data:${file.type};base64,${bytes.toString('base64')}` };
  }

  /**
   * Reads a file that does not belong to an account, and keeps nothing of it. A program gets no notices about it, so they
   * stand below its text.
   * @param pictures as of `read`
   * @throws AppError `too_large`, `unreadable_file`, `unsupported_type` for a recording, `rate_limited` when too many
   * documents wait
   */
  async readGiven(content: Iterable<Buffer>, claim: FileClaim, pictures: number): Promise<ModelFile> {
    const limit = LIMITS.documentBytes;
    const path = await this.staging.write(Readable.from(content), limit, () => filesTooLarge('document', limit));
    try {
      const file = await inspectFile(path, await completeClaim(path, claim));
      const { family, type } = file.kind;
      if (family === 'audio') throw new AppError('unsupported_type');
      if (family === 'image')
        return { kind: 'image', dataUrl: `data:${type};base64,${await readFile(path, 'base64')}` };
      return await this.reader.withRead(path, file, pictures, async (read) => {
        const { sections, notices, pictures: drawn } = read;
        if (!read.isWhole) throw new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS });
        const seen = drawn === null ? NONE : (await readFile(drawn.path)).subarray(0, bytesOf(sections, pictures));
        const document = await toModelDocument(file.name, sections, '', seen);
        const remark = noticeSentence(notices.filter(({ code }) => code !== 'pages_as_pictures'));
        if (remark !== null) document.pieces.push(`(${remark})`);
        return { kind: 'document', ...document };
      });
    } finally {
      await this.staging.remove(path);
    }
  }

  /** The text of a document, each section below its label, and the pictures of its first pages without text. */
  private async documentOf(given: FileEntity, pictures: number): Promise<ModelDocument> {
    await this.reader.refresh(given);
    const { id, name } = given;
    const sections = await this.rows.query<Section[]>(SECTIONS, [id]);
    const select = { text: true, notice: true, picturesId: true } as const;
    const file = await this.rows.findOne({ select, where: { id } });
    const end = bytesOf(sections, pictures) - 1;
    const seen = file?.picturesId && end > 0 ? await this.contentsOf(file.picturesId, { start: 0, end }) : null;
    return toModelDocument(name, sections, file?.text ?? `(${file?.notice ?? 'No text.'})`, seen ?? NONE);
  }

  private async contentsOf(id: string, range?: ByteRange): Promise<Buffer | null> {
    try {
      return await buffer(await this.store.read(id, range));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }
}
