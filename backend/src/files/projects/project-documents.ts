import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LIMITS, type ProjectSection } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { type Owner, projectOwner } from '../../identity/identity.js';
import { statement } from '../../platform/database/named-parameters.js';
import { AppError } from '../../platform/errors/app-error.js';
import { filesTooLarge } from '../../platform/errors/error-body.js';
import { drainBody } from '../../platform/http/drain-body.js';
import { DocumentReader, type ReadDocument } from '../document-reader.js';
import { FileEntity } from '../file.entity.js';
import { isFileId } from '../file-name.js';
import { FileRemoval } from '../file-removal.js';
import { inspectFile } from '../inspection/file-inspection.js';
import { type ByteRange, FILE_STORE, type FileStore } from '../store/file-store.js';
import { receiveUpload } from '../upload/multipart.js';
import { Staging } from '../upload/staging.js';

/** A document that was received and is not stored yet. Whoever asked for it removes the staged file. */
export interface StagedDocument {
  path: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  /** Of the contents, in hex. */
  sha256: string;
}

/** Of a deleted row. */
export type DeletedDocument = Pick<FileEntity, 'id' | 'picturesId'>;

export interface DocumentReading {
  file: Pick<FileEntity, 'name' | 'type'>;
  read: ReadDocument;
  /** Stores the sections of a reading, and runs `alongside` before in the same transaction. */
  store(read: ReadDocument, alongside: (manager: EntityManager) => Promise<void>): Promise<void>;
}

const selectSections = statement<{ fileId: string; first: number; last: number }>(
  `select index, kind, label, text from file_section
    where file_id = :fileId::uuid and index between :first::int and :last::int order by index`,
);

/** The first section with text. */
const selectBeginning = statement<{ fileId: string }>(
  `select index, kind, label, text from file_section where file_id = :fileId::uuid and text <> '' order by index limit 1`,
);

const selectAllSections = statement<{ fileIds: readonly string[] }>(`
  select s.file_id as "fileId", s.index, s.kind, s.label, s.text
  from unnest(:fileIds::uuid[]) with ordinality as given(id, place) join file_section s on s.file_id = given.id
  order by given.place, s.index`);

/**
 * The label itself, that of a page with a name of its own, or that name: `page 14`, `page xii` or `xii` of `page 14 (xii)`; else
 * the last or the first heading of a label, as of `Fees 2026 › Berth`, else one between.
 */
const findSection = statement<{ fileId: string; label: string; name: string }>(`
  select index from file_section
  where file_id = :fileId::uuid
    and (lower(label) = :label or starts_with(lower(label), :label || ' (') or right(lower(label), length(:name) + 2) = '(' || :name || ')'
      or starts_with(lower(label), :label || ' › ') or right(lower(label), length(:label) + 3) = ' › ' || :label
      or position(' › ' || :label || ' › ' in lower(label)) > 0)
  order by lower(label) = :label desc, starts_with(lower(label), :label || ' (') desc,
    position(' › ' || :label || ' › ' in lower(label)) > 0, index limit 1`);

const deleteOne = statement<{ projectId: number; id: string }>(
  'delete from file where id = :id::uuid and project_id = :projectId returning id, pictures_id as "picturesId"',
);

/** The documents of projects: their bytes, and the reading of their text. */
@Injectable()
export class ProjectDocuments {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly staging: Staging,
    private readonly reader: DocumentReader,
    private readonly removal: FileRemoval,
  ) {}

  /** Stages the one file of a multipart request and calls `work`. @throws AppError as for every upload */
  async withUpload<R>(request: IncomingMessage, work: (staged: StagedDocument) => Promise<R>): Promise<R> {
    const { path, name, type } = await receiveUpload(request, this.staging);
    const result = await this.withStaged(path, { name, type }, work);
    await drainBody(request);
    return result;
  }

  /** Stages a copy of an own file and calls `work`. @throws AppError `not_found` for a file of another owner */
  async withCopy<R>(owner: Owner, id: string, work: (staged: StagedDocument) => Promise<R>): Promise<R> {
    const file = isFileId(id) ? await this.rows.findOneBy({ id, owner }) : null;
    if (file === null || file.shareId !== null) throw new AppError('not_found');
    return this.withStaged(await this.stage(id), { name: file.name, type: file.type }, work);
  }

  async withText<R>(name: string, text: string, work: (staged: StagedDocument) => Promise<R>): Promise<R> {
    const limit = LIMITS.documentBytes;
    const path = await this.staging.write(Readable.from([text]), limit, () => filesTooLarge('document', limit));
    return this.withStaged(path, { name, type: 'text/markdown' }, work);
  }

  /**
   * Stores a staged document for a project. Its text is read later.
   * @param insert runs in the same transaction, after the row of the file
   * @returns the id of the file
   */
  async accept(
    projectId: number,
    { path, name, type, size }: StagedDocument,
    insert: (manager: EntityManager, id: string) => Promise<void>,
  ): Promise<string> {
    const id = randomUUID();
    try {
      await this.store.put(id, path);
      await this.rows.manager.transaction(async (manager) => {
        await manager.insert(FileEntity, { id, owner: projectOwner(projectId), projectId, name, type, size });
        await insert(manager, id);
      });
      return id;
    } catch (error) {
      await this.removal.deleteUnlessStored({ id }, [id]);
      throw error;
    }
  }

  /** Gives a file that is being stored another name. */
  async rename(manager: EntityManager, id: string, name: string): Promise<void> {
    await manager.update(FileEntity, { id }, { name });
  }

  /**
   * Reads the text of a document and calls `work` with it.
   * @throws AppError `unreadable_file`, `unsupported_type`, and `not_found` when the file was deleted meanwhile
   */
  async read<R>(id: string, work: (reading: DocumentReading) => Promise<R>): Promise<R> {
    const file = await this.rows.findOneBy({ id });
    if (file === null) throw new AppError('not_found');
    return this.withContents(file, async (path) => {
      const inspected = await inspectFile(path, { name: file.name, type: '' });
      return this.reader.withRead(path, inspected, LIMITS.pagePictures, (read) =>
        work({ file, read, store: (changed, alongside) => this.reader.store(id, changed, alongside) }),
      );
    });
  }

  /** Stages the contents of a file and calls `work`. */
  async withContents<R>({ id }: FileEntity, work: (path: string) => Promise<R>): Promise<R> {
    const path = await this.stage(id);
    try {
      return await work(path);
    } finally {
      await this.staging.remove(path);
    }
  }

  /** @throws AppError `not_found` */
  async find(projectId: number, id: string): Promise<FileEntity> {
    const file = isFileId(id) ? await this.rows.findOneBy({ id, projectId }) : null;
    if (file === null) throw new AppError('not_found');
    return file;
  }

  contents({ id }: FileEntity, range?: ByteRange): Promise<Readable> {
    return this.store.read(id, range);
  }

  /** The sections of a file from `first` to `last`. */
  sections(fileId: string, first: number, last: number): Promise<ProjectSection[]> {
    return this.rows.query<ProjectSection[]>(...selectSections({ fileId, first, last }));
  }

  /** The first section with text; none of a scan. */
  beginning(fileId: string): Promise<ProjectSection[]> {
    return this.rows.query<ProjectSection[]>(...selectBeginning({ fileId }));
  }

  /** All sections of files, in the order of the files. */
  allSections(fileIds: readonly string[]): Promise<(ProjectSection & { fileId: string })[]> {
    return this.rows.query<(ProjectSection & { fileId: string })[]>(...selectAllSections({ fileIds }));
  }

  /** The index of the section with a label; null without one. */
  async indexOf(fileId: string, given: string): Promise<number | null> {
    const label = given.trim().toLowerCase();
    const name = label.replace(/^page /, '');
    const [found] = await this.rows.query<{ index: number }[]>(...findSection({ fileId, label, name }));
    return found?.index ?? null;
  }

  /** Deletes a file with all that was read of it, in one statement, then its contents. @throws AppError `not_found` */
  async delete(projectId: number, id: string): Promise<void> {
    const [deleted] = isFileId(id) ? await this.deleteRow(this.rows.manager, projectId, id) : [];
    if (deleted === undefined) throw new AppError('not_found');
    await this.deleteContents(deleted);
  }

  /** @returns what `deleteContents` takes after the transaction; nothing without the file */
  async deleteRow(manager: EntityManager, projectId: number, id: string): Promise<DeletedDocument[]> {
    const [deleted] = await manager.query<[DeletedDocument[], number]>(...deleteOne({ projectId, id }));
    return deleted;
  }

  deleteContents(deleted: DeletedDocument): Promise<void> {
    return this.removal.deleteContentsOf(deleted);
  }

  /**
   * Deletes the contents of the files of projects around `deleteProjects`, which deletes the projects with the rows of
   * their files. Failures are left to the sweep.
   */
  deleteContentsOf(projectId: number, deleteProject: () => Promise<void>): Promise<void> {
    return this.removal.around({ projectId }, deleteProject);
  }

  private async withStaged<R>(
    path: string,
    claim: { name: string; type: string },
    work: (staged: StagedDocument) => Promise<R>,
  ): Promise<R> {
    try {
      const { name, size, kind } = await inspectFile(path, claim);
      return await work({ path, name, size, type: kind.type, sha256: await sha256Of(path) });
    } finally {
      await this.staging.remove(path);
    }
  }

  private async stage(id: string): Promise<string> {
    return this.staging.writeStored(await this.store.read(id));
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
