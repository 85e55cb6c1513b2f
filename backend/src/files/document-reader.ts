import { FILE_NOTICES, type FileNotice, LIMITS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { formatSentence } from '../platform/errors/sentences.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type DocumentText, documentText } from './extract/document-text.js';
import { TextExtractor } from './extract/text-extractor.js';
import { FileEntity } from './file.entity.js';
import { type FileClaim, type InspectedFile, inspectFile } from './inspection/file-inspection.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';
import { Staging } from './upload/staging.js';

/** Raised when readers give more of a document than before: files that others have read are read again. */
export const READER_VERSION = 1;

/** $1 file. */
const DELETE = 'delete from file_section where file_id = $1';

/** The sections of a document in their order. */
const insertSections = statement<{
  fileId: string;
  kinds: string[];
  labels: (string | null)[];
  texts: string[];
}>(`insert into file_section (file_id, index, kind, label, text)
  select :fileId::uuid, place - 1, kind, label, text
  from unnest(:kinds::text[], :labels::text[], :texts::text[]) with ordinality as section(kind, label, text, place)`);

const storeReading = statement<{ fileId: string; version: number; pages: number | null; notice: string | null }>(
  'update file set reader_version = :version, pages = :pages, notice = :notice, text = null where id = :fileId',
);

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

/** Reads documents at their upload, and those of earlier versions of the reader again on their first use. */
@Injectable()
export class DocumentReader {
  /** Files that are being read again, by their ids. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly staging: Staging,
    private readonly extractor: TextExtractor,
  ) {}

  /** @throws AppError `unreadable_file` for a document that exhausts its reader */
  read(path: string, file: InspectedFile): Promise<DocumentText> {
    return documentText(path, file, this.extractor);
  }

  /** Reads a file again that an earlier version has read. A failure is logged, and the earlier text stays. */
  async refresh(file: FileEntity): Promise<void> {
    if (file.readerVersion >= READER_VERSION) return;
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

  private async readAgain({ id, name }: FileEntity): Promise<void> {
    const tooLarge = () => new AppError('too_large');
    const path = await this.staging.write(await this.store.read(id), 2 * LIMITS.documentBytes, tooLarge);
    try {
      const read = await this.readOrRefuse(path, { name, type: '' });
      if (read.notices.some(({ code }) => code === 'reader_busy')) return;
      await this.rows.manager.transaction((manager) => storeDocument(manager, id, read));
    } finally {
      await this.staging.remove(path);
    }
  }

  /** A file that an upload would refuse today gives no text. */
  private async readOrRefuse(path: string, claim: FileClaim): Promise<DocumentText> {
    try {
      return await this.read(path, await inspectFile(path, claim));
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
export async function storeDocument(manager: EntityManager, fileId: string, read: DocumentText): Promise<void> {
  const { sections, pages, notices } = read;
  const reading = { fileId, version: READER_VERSION, pages, notice: noticeSentence(notices) };
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
      texts: sections.map(({ text }) => text),
    }),
  );
  await manager.query(...storeReading(reading));
}
