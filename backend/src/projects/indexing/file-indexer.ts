import type { FileNotice } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { type DocumentReading, ProjectDocuments } from '../../files/projects/project-documents.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type ClaimedFile, ProjectFileStore } from '../project-file-store.js';
import { ProjectLimits } from '../project-limits.js';
import { ProjectStore } from '../project-store.js';
import { chunksOf } from './chunks.js';
import { markdownSections } from './markdown-sections.js';
import { withOuterHeadings } from './outer-headings.js';
import { extensionOf } from '../../files/file-name.js';

/** The readers of documents have too much to do: the file is read again later. */
export class ReaderBusy extends Error {
  constructor() {
    super('the readers of documents are busy');
  }
}

/** Thrown out of the transaction that would store more than the project may keep. */
class ProjectFull extends Error {
  constructor(readonly max: number) {
    super(`the project may keep ${max} characters`);
  }
}

const MARKDOWN = ['md', 'markdown', 'mdx'];
const TABLES = ['csv', 'tsv'];

/** Reads a file of a project, cuts its text into chunks and stores both in one transaction. */
@Injectable()
export class FileIndexer {
  constructor(
    private readonly documents: ProjectDocuments,
    private readonly files: ProjectFileStore,
    private readonly projects: ProjectStore,
    private readonly limits: ProjectLimits,
  ) {}

  /** A file that was deleted meanwhile is left. @throws ReaderBusy, or an error of the storage */
  async index(claimed: ClaimedFile): Promise<void> {
    try {
      await this.documents.read(claimed.fileId, (reading) => this.store(claimed, reading));
    } catch (error) {
      if (error instanceof ProjectFull)
        await this.files.fail(claimed, [{ code: 'project_full', params: { max: error.max } }]);
      else if (!(error instanceof AppError) || error.status >= 500) throw error;
      else if (error.code !== 'not_found') await this.files.fail(claimed, [{ code: 'text_unreadable' }]);
    }
  }

  private async store(claimed: ClaimedFile, reading: DocumentReading): Promise<void> {
    const { file } = reading;
    const read = withHeadings(reading.read, extensionOf(file.name));
    const { sections, notices } = read;
    if (!read.isWhole) throw new ReaderBusy();
    if (sections.length === 0) {
      const unknown: FileNotice = { code: 'type_unknown', params: { kind: file.type } };
      await this.files.fail(claimed, notices.length > 0 ? notices : [unknown]);
      return;
    }
    const chunks = await chunksOf(sections, TABLES.includes(extensionOf(file.name)));
    const characters = sections.reduce((sum, { text }) => sum + text.length, 0);
    await reading.store(read, async (manager) => {
      await this.projects.lock(manager, claimed.projectId);
      if (!(await this.files.lockHeld(manager, claimed))) throw new AppError('not_found');
      const max = await this.limits.exceededBy(manager, claimed.projectId, characters);
      if (max !== null) throw new ProjectFull(max);
      await this.files.storeChunks(manager, claimed, chunks, (section) => `${file.name} ${sections[section]!.label}`);
      const counts = { sections: sections.length, chunks: chunks.length, characters };
      await this.files.storeResult(manager, claimed, { state: 'ready', notices, ...counts });
    });
  }
}

/** The headings of a Markdown file begin sections. Those of any document without text of their own stand before others. */
function withHeadings(read: DocumentReading['read'], extension: string): DocumentReading['read'] {
  const [only] = read.sections;
  const isMarkdown = only !== undefined && read.sections.length === 1 && MARKDOWN.includes(extension);
  return { ...read, sections: withOuterHeadings(isMarkdown ? markdownSections(only.text) : read.sections) };
}
