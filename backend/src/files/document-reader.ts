import { randomUUID } from 'node:crypto';
import { FILE_NOTICES, type FileNotice, LIMITS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { textArray } from '../platform/database/text-array.js';
import { AppError } from '../platform/errors/app-error.js';
import { formatSentence } from '../platform/errors/sentences.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type DocumentText, documentText } from './extract/document-text.js';
import { PageDrawer } from './extract/page-drawer.js';
import { withPagePictures } from './extract/page-pictures.js';
import type { PagePictures } from './extract/picture-task.js';
import { TextExtractor } from './extract/text-extractor.js';
import { FileRemoval } from './file-removal.js';
import { FileEntity } from './file.entity.js';
import type { Section } from './formats/sections.js';
import { type FileClaim, type InspectedFile, inspectFile } from './inspection/file-inspection.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';
import { Staging } from './upload/staging.js';

/** Raised when readers give more of a document than before: attachments that others have read are read again. */
export const READER_VERSION = 17;

/** A document with the pictures of its pages. */
export interface ReadDocument extends Pick<DocumentText, 'notices' | 'pages'> {
  sections: Section[];
  /** A staged file with the pictures, one after another; null without any. */
  pictures: { path: string; count: number; bytes: number } | null;
  /** False where its readers were busy: it is read at its first use. */
  isWhole: boolean;
}

const DELETE = 'delete from file_section where file_id = $1';

/** The sections of a document in their order. */
const insertSections = statement<{
  fileId: string;
  kinds: string[];
  labels: (string | null)[];
  texts: Buffer;
  pictures: (number | null)[];
}>(`insert into file_section (file_id, index, kind, label, text, picture)
  select :fileId::uuid, place - 1, kind, label, text, picture
  from unnest(:kinds::text[], :labels::text[], :texts::text[], :pictures::int[])
    with ordinality as section(kind, label, text, picture, place)`);

const storeReading = statement<{
  fileId: string;
  version: number;
  pages: number | null;
  pictures: number;
  picturesId: string | null;
  pictureBytes: number;
  notice: string | null;
}>(`update file set reader_version = :version, pages = :pages, pictures = :pictures, pictures_id = :picturesId,
  picture_bytes = :pictureBytes, notice = :notice, text = null where id = :fileId`);

/** A reading that found no text: an earlier one stays, with its notice. */
const storeReadingWithoutText = statement<{
  fileId: string;
  version: number;
  pages: number | null;
  notice: string | null;
}>(`update file set reader_version = :version, pages = coalesce(:pages, pages),
    notice = case when text is null and not exists (select from file_section where file_id = file.id)
      then :notice else notice end
  where id = :fileId`);

/** Reads documents at their upload, and attachments of earlier versions of the reader again on their first use. */
@Injectable()
export class DocumentReader {
  /** Files that are being read again, by their ids. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly files: FileStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly staging: Staging,
    private readonly extractor: TextExtractor,
    private readonly drawer: PageDrawer,
    private readonly removal: FileRemoval,
  ) {}

  /**
   * Reads a staged file and calls `work`. The pictures of its pages are staged until then.
   * @param pages that are drawn at most; 0 names all pages without text, blank ones included
   * @throws AppError `unreadable_file` for a document that exhausts its reader
   */
  async withRead<T>(
    path: string,
    file: InspectedFile,
    pages: number,
    work: (read: ReadDocument) => Promise<T>,
  ): Promise<T> {
    const text = await documentText(path, file, this.extractor);
    return this.withPictures(path, text, pages, work);
  }

  /**
   * Stores what was read of a document, in place of what was read before.
   * @param insert runs before, in the same transaction
   */
  async store(id: string, read: ReadDocument, insert?: (manager: EntityManager) => Promise<void>): Promise<void> {
    const { pictures } = read;
    const picturesId = pictures && randomUUID();
    try {
      if (pictures !== null) await this.files.put(picturesId!, pictures.path);
      await this.rows.manager.transaction(async (manager) => {
        await insert?.(manager);
        await storeDocument(manager, id, read, picturesId);
      });
    } catch (error) {
      if (picturesId !== null) await this.removal.deleteUnlessStored({ picturesId }, [picturesId]);
      throw error;
    }
  }

  /**
   * Reads a file again that an earlier version has read. A failure is logged, and the earlier text stays. A file of a project
   * stays as it was read: its passages, their vectors and the citations of them are made of its sections.
   */
  async refresh(file: FileEntity): Promise<void> {
    if (file.readerVersion >= READER_VERSION || file.projectId !== null) return;
    const running =
      this.running.get(file.id) ??
      this.readAgain(file)
        .catch((error: unknown) =>
          this.logger.warn({ err: error, fileId: file.id }, 'file could not be read again; using its earlier text'),
        )
        .finally(() => this.running.delete(file.id));
    this.running.set(file.id, running);
    await running;
  }

  private async readAgain({ id, name, picturesId }: FileEntity): Promise<void> {
    const path = await this.staging.writeStored(await this.files.read(id));
    try {
      const text = await this.textOrRefusal(path, { name, type: '' });
      await this.withPictures(path, text, LIMITS.pagePictures, async (read) => {
        if (!read.isWhole) return;
        await this.store(id, read);
        if (picturesId !== null && read.sections.length > 0) await this.removal.deleteContents(picturesId);
      });
    } finally {
      await this.staging.remove(path);
    }
  }

  private async withPictures<T>(
    path: string,
    text: DocumentText,
    most: number,
    work: (read: ReadDocument) => Promise<T>,
  ): Promise<T> {
    const { sections, notices, pages, textless } = text;
    const target = `${path}.pictures`;
    try {
      if (textless.length === 0) {
        const isWhole = !notices.some(({ code }) => code === 'reader_busy');
        return await work({ sections, notices, pages, pictures: null, isWhole });
      }
      const pictures: PagePictures =
        most === 0 ? { drawn: [], left: textless } : await this.drawer.draw({ path, target, pages: textless, most });
      const [count, bytes] = [pictures.drawn.length, pictures.drawn.reduce((sum, drawn) => sum + drawn.bytes, 0)];
      const read = { ...withPagePictures(text, pictures), pages, isWhole: pictures.isBusy !== true };
      return await work({ ...read, pictures: count === 0 ? null : { path: target, count, bytes } });
    } finally {
      await this.staging.remove(target);
    }
  }

  /** A file that an upload would refuse today has no text. */
  private async textOrRefusal(path: string, claim: FileClaim): Promise<DocumentText> {
    try {
      return await documentText(path, await inspectFile(path, claim), this.extractor);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { sections: [], notices: [{ code: 'text_unreadable' }], pages: null, textless: [] };
    }
  }
}

/** The notices of a file as its row keeps them; null without any. */
export const noticeSentence = (notices: readonly FileNotice[]): string | null =>
  notices.map(({ code, params }) => formatSentence(FILE_NOTICES[code], params)).join(' ') || null;

/**
 * Stores what was read of a document, in place of what was read before. An earlier text stays where the reader finds none:
 * it may have failed for want of time or memory.
 */
async function storeDocument(
  manager: EntityManager,
  fileId: string,
  { sections, pages, notices, pictures, isWhole }: ReadDocument,
  picturesId: string | null,
): Promise<void> {
  const version = isWhole ? READER_VERSION : 0;
  const reading = { fileId, version, pages, notice: noticeSentence(notices) };
  if (sections.length === 0) {
    await manager.query(...storeReadingWithoutText(reading));
    return;
  }
  await manager.query(DELETE, [fileId]);
  await manager.query(
    ...insertSections({
      fileId,
      kinds: sections.map(({ kind }) => kind),
      labels: sections.map(({ label }) => label),
      texts: textArray(sections.map(({ text }) => text)),
      pictures: sections.map(({ picture }) => picture ?? null),
    }),
  );
  const seen = { pictures: pictures?.count ?? 0, picturesId, pictureBytes: pictures?.bytes ?? 0 };
  await manager.query(...storeReading({ ...reading, ...seen }));
}
