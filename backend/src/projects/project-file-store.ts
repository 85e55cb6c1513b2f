import { FILE_NOTICES, type FileNotice, LIMITS, type ProjectFile } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { fileColumns, joinFile, joinSection, lockedFile } from '../files/projects/project-file-sql.js';
import { statement } from '../platform/database/named-parameters.js';
import { formatSentence } from '../platform/errors/sentences.js';
import { isEmbedded } from './embedding/embedding-store.js';
import { EmbeddingModel } from './embedding/embedding-model.js';
import type { Chunk } from './indexing/chunks.js';
import { type SearchColumns, searchColumns } from './indexing/search-columns.js';
import { ProjectFileEntity } from './project-file.entity.js';
import { LONGEST_WORD, wordIn } from './project-sql.js';

/** A file whose reading a node has begun. */
export interface ClaimedFile {
  fileId: string;
  projectId: number;
  attempts: number;
}

interface FileRow extends Omit<ProjectFile, 'notice' | 'notices' | 'createdAt'> {
  embeddingNotice: FileNotice['code'] | null;
  notices: FileNotice[];
  createdAt: Date;
}

/** What a project has. */
export interface ProjectUsage {
  files: number;
  bytes: number;
  characters: number;
  /** Pages that models see, and those of files without any text. */
  pictures: number;
  scans: number;
}

/** Raised when the search vectors of chunks or their codes are made in another way: those of earlier versions are made again. */
export const WORDS_VERSION = 5;

const COLUMNS = `${fileColumns('f')}, pf.state, pf.sections, pf.chunks, pf.characters, ${isEmbedded('pf')} as "isSemantic",
  pf.embedding_notice as "embeddingNotice", pf.notices, pf.created_at as "createdAt"`;

const listFiles = statement<{
  projectId: number;
}>(`select ${COLUMNS} from project_file pf ${joinFile('f', 'pf.file_id')}
  where pf.project_id = :projectId order by lower(f.name), pf.created_at, f.id`);

const findFile = statement<{ projectId: number; id: string }>(`select ${COLUMNS}
  from project_file pf ${joinFile('f', 'pf.file_id')} where pf.project_id = :projectId and pf.file_id = :id::uuid`);

const findContents = statement<{ projectId: number; sha256: string }>(
  `select file_id as id, state from project_file where project_id = :projectId and sha256 = :sha256`,
);

const namesLike = statement<{ projectId: number; fileId: string; start: string }>(`
  select f.name from project_file pf ${joinFile('f', 'pf.file_id')}
  where pf.project_id = :projectId and pf.file_id <> :fileId::uuid and starts_with(lower(f.name), lower(:start))`);

const usageOf = statement<{
  projectId: number;
}>(`select count(*)::int as files, coalesce(sum(f.size), 0)::bigint as bytes,
    coalesce(sum(pf.characters), 0)::bigint as characters, coalesce(sum(f.pictures), 0)::int as pictures,
    coalesce(sum(f.pictures) filter (where pf.characters = 0), 0)::int as scans
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

/** Busy readers say nothing about a file, so the attempt does not count; after a day without room the file is given up. */
const awaitReaders = statement<{ fileId: string; attempts: number; seconds: number }>(
  `update project_file set attempts = attempts - 1, due_at = now() + make_interval(secs => :seconds)
  where ${HELD} and created_at > now() - interval '1 day' returning file_id`,
);

const lockHeld = statement<{ fileId: string; attempts: number }>(`
  with document as materialized (${lockedFile(':fileId::uuid')})
  select project_id from project_file where ${HELD} and file_id in (select id from document) for update`);

/** A file that came before there was a model waits behind later uploads, as what the site renews does. */
const storeResult = statement<
  Pick<ProjectFileEntity, 'fileId' | 'attempts' | 'state' | 'sections' | 'chunks' | 'characters'> & { notices: string }
>(`update project_file set state = :state, sections = :sections, chunks = :chunks, characters = :characters,
    notices = :notices::jsonb, words_version = ${WORDS_VERSION},
    embedding_due_at = case when :chunks > 0 then case when payer_id is null then now() else '-infinity'::timestamptz end end
  where ${HELD}`);

const deleteChunks = statement<{ fileId: string }>(`delete from project_chunk where file_id = :fileId::uuid`);

/** Expression of a search vector; its words and pieces are those of `indexedWords`. */
const searchVector = (projectId: string): string => `
    array_to_tsvector(array(
      select ${wordIn(projectId, 'word')}
      from unnest(
        tsvector_to_array(to_tsvector('simple', words) || to_tsvector('english', words) || to_tsvector('indonesian', words))
          || string_to_array(grams, ' ')
      ) word where octet_length(word) <= ${LONGEST_WORD}
    ))`;

/**
 * Chunks with their search vectors: those of the label and of the file's name count as words of each chunk. A search weighs
 * words by their rarity, not by their places.
 */
const insertChunks = statement<
  SearchColumns & {
    projectId: number;
    fileId: string;
    first: number;
    sections: number[];
    starts: number[];
    ends: number[];
    headers: string[];
    texts: string[];
  }
>(`insert into project_chunk (project_id, file_id, index, section, start, "end", header, text, codes, is_contents, search)
  select :projectId::int, :fileId::uuid, :first::int + place - 1, section, start, "end", header, text, codes, is_contents,
    ${searchVector(':projectId::int')}
  from unnest(:sections::int[], :starts::int[], :ends::int[], :headers::text[], :texts::text[], :words::text[], :grams::text[],
      :codes::text[], :areContents::boolean[])
    with ordinality as chunk(section, start, "end", header, text, words, grams, codes, is_contents, place)`);

/** Whether a file has chunks of an earlier version. */
const IS_OUTDATED = `pf.state = 'ready' and pf.words_version < ${WORDS_VERSION}`;

const findOutdated = statement<{ before: number }>(
  `select max(pf.project_id) as "projectId" from project_file pf where pf.project_id < :before::int and ${IS_OUTDATED}`,
);

const listOutdated = statement<{ projectId: number }>(`select pf.file_id as "fileId" from project_file pf
  where pf.project_id = :projectId::int and ${IS_OUTDATED} order by pf.created_at desc, pf.file_id`);

/** Other nodes pass over the file, and its deletion waits. */
const lockOutdated = statement<{ fileId: string }>(`select f.name, pf.project_id as "projectId"
  from project_file pf ${joinFile('f', 'pf.file_id')}
  where pf.file_id = :fileId::uuid and ${IS_OUTDATED} for no key update of f, pf skip locked`);

const selectChunksFrom = statement<{ fileId: string; from: number; limit: number }>(`
  select c.id, c.index, c.section, c.header, c.text, s.label
  from project_chunk c ${joinSection('s', 'c.file_id', 'c.section')}
  where c.file_id = :fileId::uuid and c.index >= :from::int order by c.index limit :limit::int`);

const updateWords = statement<SearchColumns & { projectId: number; ids: number[] }>(`
  update project_chunk set codes = made.codes, is_contents = made.is_contents, search = made.search
  from (
    select id, codes, is_contents, ${searchVector(':projectId::int')} as search
    from unnest(:ids::bigint[], :words::text[], :grams::text[], :codes::text[], :areContents::boolean[])
      as given(id, words, grams, codes, is_contents)
  ) made where project_chunk.id = made.id`);

const markRenewed = statement<{ fileId: string }>(
  `update project_file set words_version = ${WORDS_VERSION} where file_id = :fileId::uuid`,
);

/** Characters that tell files of one name apart, such as ` (2)`. */
const MAX_COUNTER = 8;

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

  /** The file of a project that has these contents; null without one. */
  async withContents(
    projectId: number,
    sha256: string,
    manager = this.dataSource.manager,
  ): Promise<Pick<ProjectFile, 'id' | 'state'> | null> {
    const found = findContents({ projectId, sha256 });
    const [row] = await manager.query<Pick<ProjectFile, 'id' | 'state'>[]>(...found);
    return row ?? null;
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

  /** A name that no other file of the project has, so that an answer, a search and a citation mean one file: `report (2).pdf`. */
  async freeName(manager: EntityManager, projectId: number, fileId: string, name: string): Promise<string> {
    const { stem, extension } = /^(?<stem>.+?)(?<extension>\.[^.]{1,16})?$/s.exec(name)!.groups as Record<
      string,
      string
    >;
    const start = stem!.slice(0, LIMITS.fileName.max - MAX_COUNTER - (extension?.length ?? 0)).toWellFormed();
    const rows = await manager.query<{ name: string }[]>(...namesLike({ projectId, fileId, start }));
    const taken = new Set(rows.map((row) => row.name.toLowerCase()));
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${start} (${count})${extension ?? ''}`;
    return free;
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

  /** Gives a file back whose readers are busy. @returns false when it has waited too long, or is not held any more */
  async awaitReaders({ fileId, attempts }: ClaimedFile, seconds: number): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(...awaitReaders({ fileId, attempts, seconds }));
    return rows.length > 0;
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
      const searched = await searchColumns(batch.map((chunk) => ({ ...chunk, place: placeOf(chunk.section) })));
      const insert = insertChunks({
        projectId,
        fileId,
        first,
        sections: batch.map(({ section }) => section),
        starts: batch.map(({ start }) => start),
        ends: batch.map(({ end }) => end),
        headers: batch.map(({ header }) => header),
        texts: batch.map(({ text }) => text),
        ...searched,
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

  /** The newest project with chunks of an earlier version, of those before the given id; null without one. */
  async outdatedBefore(before: number): Promise<number | null> {
    const [{ projectId }] = await this.dataSource.query<[{ projectId: number | null }]>(...findOutdated({ before }));
    return projectId;
  }

  /** The ids of the files of a project with chunks of an earlier version, the newest first. */
  async outdatedOf(projectId: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ fileId: string }[]>(...listOutdated({ projectId }));
    return rows.map(({ fileId }) => fileId);
  }

  /** Makes the search vectors of a file again, unless another node has done so or does so now. */
  async renewWords(fileId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [file] = await manager.query<{ name: string; projectId: number }[]>(...lockOutdated({ fileId }));
      if (file === undefined) return;
      const { name, projectId } = file;
      for (let from = 0; ;) {
        type Row = Pick<Chunk, 'header' | 'text'> & { id: number; index: number; label: string };
        const chunks = await manager.query<Row[]>(...selectChunksFrom({ fileId, from, limit: BATCH }));
        const last = chunks.at(-1);
        if (last === undefined) break;
        const searched = await searchColumns(chunks.map((chunk) => ({ ...chunk, place: `${name} ${chunk.label}` })));
        await manager.query(...updateWords({ projectId, ids: chunks.map(({ id }) => id), ...searched }));
        from = last.index + 1;
      }
      await manager.query(...markRenewed({ fileId }));
    });
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
