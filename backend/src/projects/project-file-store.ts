import { FILE_NOTICES, type FileNotice, type ProjectFile, type ProjectFileState } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { fileColumns, joinFile, lockedFile } from '../files/projects/project-file-sql.js';
import { statement } from '../platform/database/named-parameters.js';
import { formatSentence } from '../platform/errors/sentences.js';
import { isEmbedded } from './embedding/embedding-store.js';
import { EmbeddingModel } from './embedding/embedding-model.js';
import { codesIn } from './indexing/codes.js';
import type { Chunk } from './indexing/chunks.js';
import { ProjectFileEntity } from './project-file.entity.js';

/** A file whose reading a node has begun. */
export interface ClaimedFile {
  fileId: string;
  projectId: number;
  attempts: number;
}

interface FileRow {
  id: string;
  name: string;
  type: string;
  size: number;
  state: ProjectFileState;
  sections: number;
  chunks: number;
  characters: number;
  isSemantic: boolean;
  embeddingNotice: FileNotice['code'] | null;
  notices: FileNotice[];
  createdAt: Date;
}

/** What a project has of each limit. */
export interface ProjectUsage {
  files: number;
  bytes: number;
  characters: number;
}

const COLUMNS = `${fileColumns('f')}, pf.state, pf.sections, pf.chunks, pf.characters, ${isEmbedded('pf')} as "isSemantic",
  pf.embedding_notice as "embeddingNotice", pf.notices, pf.created_at as "createdAt"`;

const listFiles = statement<{
  projectId: number;
}>(`select ${COLUMNS} from project_file pf ${joinFile('f', 'pf.file_id')}
  where pf.project_id = :projectId order by lower(f.name), pf.created_at, f.id`);

const findFile = statement<{ projectId: number; id: string }>(`select ${COLUMNS}
  from project_file pf ${joinFile('f', 'pf.file_id')} where pf.project_id = :projectId and pf.file_id = :id::uuid`);

const findContents = statement<{ projectId: number; sha256: string }>(
  `select file_id as id from project_file where project_id = :projectId and sha256 = :sha256`,
);

const usageOf = statement<{
  projectId: number;
}>(`select count(*)::int as files, coalesce(sum(f.size), 0)::bigint as bytes,
    coalesce(sum(pf.characters), 0)::bigint as characters
  from project_file pf ${joinFile('f', 'pf.file_id')} where pf.project_id = :projectId`);

/** The next file of the queue; another node passes over it until the lease ends. */
const claimNext = statement<{ leaseSeconds: number }>(`update project_file set attempts = attempts + 1,
    due_at = now() + make_interval(secs => :leaseSeconds)
  where file_id = (
    select file_id from project_file where state = 'reading' and due_at <= now()
    order by due_at, created_at, file_id limit 1 for update skip locked
  ) returning file_id as "fileId", project_id as "projectId", attempts`);

const HELD = `file_id = :fileId::uuid and attempts = :attempts and state = 'reading'`;

const postpone = statement<{ fileId: string; attempts: number; seconds: number }>(
  `update project_file set due_at = now() + make_interval(secs => :seconds) where ${HELD}`,
);

const lockHeld = statement<{ fileId: string; attempts: number }>(`
  with document as materialized (${lockedFile(':fileId::uuid')})
  select project_id from project_file where ${HELD} and file_id in (select id from document) for update`);

const storeResult = statement<{
  fileId: string;
  attempts: number;
  state: ProjectFileState;
  sections: number;
  chunks: number;
  characters: number;
  notices: string;
}>(`update project_file set state = :state, sections = :sections, chunks = :chunks, characters = :characters,
    notices = :notices::jsonb, embedding_due_at = case when :chunks > 0 then '-infinity'::timestamptz end where ${HELD}`);

const deleteChunks = statement<{ fileId: string }>(`delete from project_chunk where file_id = :fileId::uuid`);

/**
 * Chunks with their search vectors. Words of the label and of the file's name count as words of each chunk. Stripped: a
 * search weighs words by their rarity, not by their places.
 */
const insertChunks = statement<{
  projectId: number;
  fileId: string;
  first: number;
  sections: number[];
  starts: number[];
  ends: number[];
  headers: string[];
  texts: string[];
  places: string[];
  codes: string[];
}>(`insert into project_chunk (project_id, file_id, index, section, start, "end", header, text, codes, search)
  select :projectId::int, :fileId::uuid, :first::int + place - 1, section, start, "end", header, text, codes,
    strip(to_tsvector('simple', words) || to_tsvector('english', words) || to_tsvector('indonesian', words))
      || array_to_tsvector(array['#' || :projectId::int])
  from unnest(:sections::int[], :starts::int[], :ends::int[], :headers::text[], :texts::text[], :places::text[], :codes::text[])
      with ordinality as chunk(section, start, "end", header, text, words_of_place, codes, place),
    lateral (select words_of_place || ' ' || header || ' ' || text as words) searched`);

/** Chunks of one statement, whose texts are encoded in one turn of the event loop. */
const BATCH = 100;

/** Rows of the files of projects, which are also the queue of their reading, and of chunks. */
@Injectable()
export class ProjectFileStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly embedding: EmbeddingModel,
  ) {}

  async list(projectId: number): Promise<ProjectFile[]> {
    const rows = await this.dataSource.query<FileRow[]>(...listFiles({ projectId }));
    return rows.map((row) => this.toProjectFile(row));
  }

  async find(projectId: number, id: string): Promise<ProjectFile | null> {
    const [row] = await this.dataSource.query<FileRow[]>(...findFile({ projectId, id }));
    return row === undefined ? null : this.toProjectFile(row);
  }

  /** The file of a project that has these contents. */
  async withContents(projectId: number, sha256: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ id: string }[]>(...findContents({ projectId, sha256 }));
    return row?.id ?? null;
  }

  async usage(manager: EntityManager, projectId: number): Promise<ProjectUsage> {
    const [row] = await manager.query<[ProjectUsage]>(...usageOf({ projectId }));
    return row;
  }

  /** @param uploaderId pays for the embedding, where there is a model for it */
  async insert(
    manager: EntityManager,
    projectId: number,
    file: { fileId: string; sha256: string; uploaderId: number },
  ): Promise<void> {
    const { fileId, sha256, uploaderId } = file;
    const payerId = this.embedding.current() === null ? null : uploaderId;
    await manager.insert(ProjectFileEntity, { fileId, projectId, sha256, payerId });
  }

  /** Begins the reading of the next file of the queue; null when none is due. */
  async claimNext(leaseSeconds: number): Promise<ClaimedFile | null> {
    const [[row]] = await this.dataSource.query<[ClaimedFile[], number]>(...claimNext({ leaseSeconds }));
    return row ?? null;
  }

  /** Moves the moment from which another node may read the file. */
  async postpone({ fileId, attempts }: ClaimedFile, seconds: number): Promise<void> {
    await this.dataSource.query(...postpone({ fileId, attempts, seconds }));
  }

  /** @returns false when the file was deleted, or another node reads it */
  async lockHeld(manager: EntityManager, { fileId, attempts }: ClaimedFile): Promise<boolean> {
    return (await manager.query<unknown[]>(...lockHeld({ fileId, attempts }))).length > 0;
  }

  async storeChunks(
    manager: EntityManager,
    { fileId, projectId }: ClaimedFile,
    chunks: readonly Chunk[],
    placeOf: (section: number) => string,
  ): Promise<void> {
    await manager.query(...deleteChunks({ fileId }));
    for (let first = 0; first < chunks.length; first += BATCH) {
      const batch = chunks.slice(first, first + BATCH);
      const insert = insertChunks({
        projectId,
        fileId,
        first,
        sections: batch.map(({ section }) => section),
        starts: batch.map(({ start }) => start),
        ends: batch.map(({ end }) => end),
        headers: batch.map(({ header }) => header),
        texts: batch.map(({ text }) => text),
        places: batch.map(({ section }) => placeOf(section)),
        codes: batch.map(({ header, text }) => codesIn(`${header} ${text}`).join(' ')),
      });
      await manager.query(...insert);
    }
  }

  /** Ends the reading of a file, which waits for its vectors from now on. */
  async storeResult(
    manager: EntityManager,
    { fileId, attempts }: ClaimedFile,
    result: { state: 'ready' | 'failed'; notices: readonly FileNotice[] } & Record<
      'sections' | 'chunks' | 'characters',
      number
    >,
  ): Promise<void> {
    await manager.query(...storeResult({ fileId, attempts, ...result, notices: JSON.stringify(result.notices) }));
  }

  /** Ends the reading of a file of which nothing can be read. */
  async fail(claimed: ClaimedFile, notices: readonly FileNotice[]): Promise<void> {
    const nothing = { sections: 0, chunks: 0, characters: 0 };
    await this.storeResult(this.dataSource.manager, claimed, { state: 'failed', notices, ...nothing });
  }

  /** Vectors find nothing while there is no model for the questions. */
  private toProjectFile({ createdAt, embeddingNotice, notices: ofText, ...row }: FileRow): ProjectFile {
    const isOn = this.embedding.current() !== null;
    const isSemantic = row.isSemantic && isOn;
    const ofVectors = embeddingNotice === null || isSemantic || !isOn ? [] : [{ code: embeddingNotice }];
    const notices: FileNotice[] = [...ofText, ...ofVectors];
    return {
      ...row,
      isSemantic,
      ...(notices.length > 0 && { notice: sentenceOf(notices), notices }),
      createdAt: createdAt.toISOString(),
    };
  }
}

const sentenceOf = (notices: readonly FileNotice[]): string =>
  notices.map(({ code, params }) => formatSentence(FILE_NOTICES[code], params)).join(' ');
