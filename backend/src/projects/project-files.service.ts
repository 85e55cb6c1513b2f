import type { IncomingMessage } from 'node:http';
import type { PagePicture, ProjectFile, ProjectSection } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DocumentPages } from '../files/projects/document-pages.js';
import { type DeletedDocument, ProjectDocuments, type StagedDocument } from '../files/projects/project-documents.js';
import type { Asker } from '../identity/identity.js';
import { isForeignKeyViolation } from '../platform/database/constraint-violations.js';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { IndexQueue } from './indexing/index-queue.js';
import { ProjectChanges } from './project-changes.js';
import { ProjectFileStore } from './project-file-store.js';
import { ProjectLimits } from './project-limits.js';
import { ProjectStore } from './project-store.js';
import { ProjectsService } from './projects.service.js';

/** Files that an account adds to projects. Seconds. */
const UPLOADS: RateLimit = { name: 'project-uploads', points: 3_000, window: 60 * 60 };

/** Pages that an account looks at. Seconds. */
const PAGES: RateLimit = { name: 'project-pages', points: 240, window: 60 };

/** Sections of one answer about a file. */
const MAX_SECTIONS = 50;

/** The files of projects: who may add and read them, and how many there may be. */
@Injectable()
export class ProjectFilesService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly store: ProjectStore,
    private readonly files: ProjectFileStore,
    private readonly documents: ProjectDocuments,
    private readonly pages: DocumentPages,
    private readonly queue: IndexQueue,
    private readonly changes: ProjectChanges,
    private readonly room: ProjectLimits,
    private readonly limits: RateLimits,
  ) {}

  /** By name. @throws AppError `not_found` */
  async list(asker: Asker, projectId: number): Promise<ProjectFile[]> {
    await this.projects.require(asker, projectId, 'read');
    return this.files.list(projectId);
  }

  /** @throws AppError `not_found` */
  async find(asker: Asker, projectId: number, id: string): Promise<ProjectFile> {
    await this.projects.require(asker, projectId, 'read');
    const file = await this.files.find(projectId, id);
    if (file === null) throw new AppError('not_found');
    return file;
  }

  /**
   * Adds the one file of a multipart request. Its text is read afterwards.
   * @throws AppError `not_found`, `forbidden`, `conflict` with the `id` of the same file, `storage_full`, and as for every upload
   */
  async upload(asker: Asker, projectId: number, request: IncomingMessage): Promise<ProjectFile> {
    await this.admitUpload(asker, projectId);
    return this.documents.withUpload(request, (staged) => this.add(asker, projectId, staged));
  }

  /** Adds a copy of an own file. @throws AppError as `upload`, and `not_found` for a file of others */
  async copy(asker: Asker, projectId: number, fileId: string): Promise<ProjectFile> {
    await this.admitUpload(asker, projectId);
    return this.documents.withCopy(asker.owner, fileId, (staged) => this.add(asker, projectId, staged));
  }

  /** Adds a text as a file. @throws AppError as `upload` */
  async addText(asker: Asker, projectId: number, name: string, text: string): Promise<ProjectFile> {
    await this.admitUpload(asker, projectId);
    return this.documents.withText(name, text, (staged) => this.add(asker, projectId, staged));
  }

  /** @throws AppError `not_found`, `forbidden` */
  async delete(asker: Asker, projectId: number, id: string): Promise<void> {
    await this.projects.require(asker, projectId, 'edit');
    await this.documents.delete(projectId, id);
    this.pages.forget(id);
    await this.changes.announce(projectId);
  }

  /** The sections of a file from one on, for its page. @throws AppError `not_found` */
  async sections(asker: Asker, projectId: number, id: string, first: number): Promise<ProjectSection[]> {
    const { id: fileId } = await this.find(asker, projectId, id);
    return this.documents.sections(fileId, first, first + MAX_SECTIONS - 1);
  }

  /** A page of a PDF as a picture, from 1. @throws AppError `not_found`, also for a blank page, `rate_limited`, `server_busy` */
  async page(asker: Asker, projectId: number, id: string, page: number): Promise<PagePicture> {
    await this.projects.require(asker, projectId, 'read');
    const file = await this.documents.find(projectId, id);
    await this.limits.consume(PAGES, asker.owner);
    return this.pages.picture(file, page);
  }

  private async admitUpload(asker: Asker, projectId: number): Promise<void> {
    await this.projects.require(asker, projectId, 'edit');
    await this.limits.consume(UPLOADS, asker.owner);
  }

  private async add(asker: Asker, projectId: number, staged: StagedDocument): Promise<ProjectFile> {
    const { sha256 } = staged;
    await this.requireNew(projectId, sha256);
    const replaced: DeletedDocument[] = [];
    try {
      const id = await this.documents.accept(projectId, staged, async (manager, fileId) => {
        if (!(await this.store.lock(manager, projectId))) throw new AppError('not_found');
        // The upload took its time: the asker may have been removed meanwhile.
        await this.projects.require(asker, projectId, 'edit', manager);
        // Of two uploads of one file at once, the second has waited for the first.
        const failed = await this.requireNew(projectId, sha256, manager);
        if (failed !== null) replaced.push(...(await this.documents.deleteRow(manager, projectId, failed)));
        const name = await this.files.freeName(manager, projectId, fileId, staged.name);
        if (name !== staged.name) await this.documents.rename(manager, fileId, name);
        await this.files.insert(manager, projectId, { fileId, sha256, uploaderId: asker.userId! });
        await this.room.requireRoom(manager, projectId);
        await this.store.touch(manager, projectId);
      });
      for (const file of replaced) await this.documents.deleteContents(file);
      this.queue.wake();
      await this.changes.announce(projectId);
      const file = await this.files.find(projectId, id);
      if (file === null) throw new AppError('not_found');
      return file;
    } catch (error) {
      // The project was deleted during the upload.
      if (isForeignKeyViolation(error)) throw new AppError('not_found');
      throw error;
    }
  }

  /**
   * @returns the id of a file with the same contents that failed, which a new upload replaces
   * @throws AppError `conflict` with the id of any other
   */
  private async requireNew(projectId: number, sha256: string, manager?: EntityManager): Promise<string | null> {
    const same = await this.files.withContents(projectId, sha256, manager);
    if (same === null) return null;
    if (same.state === 'failed') return same.id;
    throw new AppError('conflict', { reason: 'file_exists', params: { id: same.id } });
  }
}
