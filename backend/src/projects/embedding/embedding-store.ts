import type { FileNotice } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { joinFile, joinSection } from '../../files/projects/project-file-sql.js';
import { statement } from '../../platform/database/named-parameters.js';
import { inSlices } from '../../platform/system/slices.js';
import { bitsOf, type StoredVector, storedVector } from './vectors.js';

/** What makes vectors. Another id of the provider is another model. */
export interface EmbeddingKey {
  modelId: string;
  upstreamId: string;
}

/** Vectors that can be compared. */
export interface EmbeddingSet extends EmbeddingKey {
  id: number;
  /** Numbers of a vector. */
  size: number;
}

/** A file whose embedding a node has begun. */
export interface ClaimedEmbedding {
  fileId: string;
  projectId: number;
  /** Fences a node that was too slow. */
  attempts: number;
  /** Attempts that failed one after another. */
  failures: number;
  /** The account that pays; null for the site. */
  payerId: number | null;
}

/** A chunk that has no vector yet. */
export interface UnembeddedChunk {
  id: number;
  /** In its file. */
  index: number;
  /** Its text with its place. */
  text: string;
}

/** A vector that is near to that of a question by its bits. */
interface NearVector {
  id: number;
  fileId: string;
  numbers: Buffer;
  scale: number;
}

/** Vectors whose numbers are compared after their bits: five for each that a search joins with the words. */
const NEAR = 300;

const COLUMNS = `s.id, s.model_id as "modelId", s.upstream_id as "upstreamId", s.size`;

const findServing = statement<{ projectId: number }>(
  `select ${COLUMNS} from project p join embedding_set s on s.id = p.embedding_set_id where p.id = :projectId`,
);

const findNewest = statement<EmbeddingKey>(`select ${COLUMNS} from embedding_set s
  where s.model_id = :modelId and s.upstream_id = :upstreamId order by s.since desc, s.id desc limit 1`);

/** No row while a set of another size is younger than an hour. */
const openSet = statement<EmbeddingKey & { size: number }>(`
  insert into embedding_set as s (model_id, upstream_id, size)
  select :modelId::text, :upstreamId::text, :size::int where not exists (
    select from embedding_set newer where newer.model_id = :modelId and newer.upstream_id = :upstreamId
      and newer.size <> :size and newer.since > now() - interval '1 hour'
  )
  on conflict (model_id, upstream_id, size) do update set since = now()
  returning ${COLUMNS}`);

/** Whether a file lacks vectors in the newest set of a model. */
const LACKS_VECTORS = `pf.state = 'ready' and pf.chunks > 0 and not exists (
    select from project_embedding e where e.file_id = pf.file_id and e.is_whole and e.set_id = (
      select s.id from embedding_set s where s.model_id = :modelId and s.upstream_id = :upstreamId
      order by s.since desc, s.id desc limit 1
    )
  )`;

const enqueueMissing = statement<EmbeddingKey>(`update project_file pf set embedding_due_at = now()
  where pf.embedding_due_at is null and ${LACKS_VECTORS}`);

const countMissing = statement<EmbeddingKey>(`select count(*)::int as files,
    coalesce(sum(pf.characters), 0)::bigint as characters
  from project_file pf where ${LACKS_VECTORS}`);

/**
 * A file that a node embeds is due at the end of its lease, which is renewed each quarter of it. One that waits for its next
 * try within the last half of a lease is taken for such a file, and is due soon anyway.
 */
const retryNow = statement<{ leaseSeconds: number }>(`update project_file set embedding_due_at = now()
  where embedding_due_at > now() and embedding_notice is not null and embedding_due_at not between
    now() + make_interval(secs => :leaseSeconds / 2.0) and now() + make_interval(secs => :leaseSeconds)`);

/** A new upload is due since ever, and so comes before what the site renews. */
const claimNext = statement<{ leaseSeconds: number }>(`update project_file
  set embedding_attempts = embedding_attempts + 1, embedding_due_at = now() + make_interval(secs => :leaseSeconds)
  where file_id = (
    select file_id from project_file where embedding_due_at <= now() and state = 'ready' and chunks > 0
    order by embedding_due_at, file_id limit 1 for update skip locked
  ) returning file_id as "fileId", project_id as "projectId", embedding_attempts as attempts,
    embedding_failures as failures, payer_id as "payerId"`);

const HELD = `file_id = :fileId::uuid and embedding_attempts = :attempts and embedding_due_at is not null`;

const postpone = statement<{ fileId: string; attempts: number; seconds: number }>(
  `update project_file set embedding_due_at = now() + make_interval(secs => :seconds) where ${HELD}`,
);

const storeFailure = statement<{ fileId: string; attempts: number; seconds: number; notice: string }>(
  `update project_file set embedding_due_at = now() + make_interval(secs => :seconds),
    embedding_failures = embedding_failures + 1, embedding_notice = :notice where ${HELD}`,
);

const storeDone = statement<{ fileId: string; attempts: number }>(`update project_file set embedding_due_at = null,
    embedding_failures = 0, embedding_notice = null, payer_id = null where ${HELD}`);

const selectUnembedded = statement<{ fileId: string; setId: number | null; from: number; limit: number }>(`
  select c.id, c.index, concat_ws(E'\\n', trim(f.name || ' ' || s.label), nullif(c.header, ''), c.text) as text
  from project_chunk c ${joinFile('f', 'c.file_id')} ${joinSection('s', 'c.file_id', 'c.section')}
  where c.file_id = :fileId::uuid and c.index >= :from::int and not exists (
    select from project_vector v where v.set_id = :setId::int and v.chunk_id = c.id
  ) order by c.index limit :limit::int`);

const openEmbedding = statement<{ fileId: string; setId: number }>(
  `insert into project_embedding (file_id, set_id) values (:fileId::uuid, :setId::int) on conflict do nothing`,
);

const insertVectors = statement<{
  projectId: number;
  fileId: string;
  setId: number;
  chunkIds: number[];
  bits: string[];
  numbers: Buffer[];
  scales: number[];
}>(`with vector as (
    select * from unnest(:chunkIds::bigint[], :bits::text[], :numbers::bytea[], :scales::real[])
      as v(chunk_id, bits, numbers, scale)
  ), bits as (
    insert into project_vector_bits (project_id, set_id, chunk_id, file_id, bits)
    select :projectId::int, :setId::int, chunk_id, :fileId::uuid, bits::varbit from vector on conflict do nothing
  )
  insert into project_vector (set_id, chunk_id, file_id, numbers, scale)
  select :setId::int, chunk_id, :fileId::uuid, numbers, scale from vector on conflict do nothing`);

const markWhole = statement<{ fileId: string; setId: number }>(`
  insert into project_embedding (file_id, set_id, is_whole) values (:fileId::uuid, :setId::int, true)
  on conflict (file_id, set_id) do update set is_whole = true`);

const lockProject = statement<{ projectId: number }>('select id from project where id = :projectId for no key update');

/** A project is searched in a new set when each file that its old one finds is in the new one too. `null` is all projects. */
const serveNewest = statement<EmbeddingKey & { projectId: number | null }>(`
  with newest as (
    select s.id from embedding_set s where s.model_id = :modelId and s.upstream_id = :upstreamId
    order by s.since desc, s.id desc limit 1
  )
  update project p set embedding_set_id = newest.id from newest
  where (:projectId::int is null or p.id = :projectId::int) and p.embedding_set_id is distinct from newest.id
    and exists (
      select from project_file pf join project_embedding e on e.file_id = pf.file_id
      where pf.project_id = p.id and e.set_id = newest.id
    )
    and not exists (
      select from project_file pf join project_embedding old on old.file_id = pf.file_id
      where pf.project_id = p.id and old.set_id = p.embedding_set_id and old.is_whole and not exists (
        select from project_embedding e where e.file_id = old.file_id and e.set_id = newest.id and e.is_whole
      )
    ) returning p.id`);

/** The vectors of sets that the projects were searched in before. */
const deleteFormer = statement<EmbeddingKey & { projectId: number | null }>(`
  delete from project_embedding e using project_file pf, project p, embedding_set s
  where (:projectId::int is null or p.id = :projectId::int) and pf.project_id = p.id and e.file_id = pf.file_id
    and s.id = p.embedding_set_id and s.model_id = :modelId and s.upstream_id = :upstreamId
    and e.set_id <> p.embedding_set_id and e.set_id not in (
      select id from embedding_set newer where newer.model_id = s.model_id and newer.upstream_id = s.upstream_id
        and newer.since > s.since
    )`);

/** All vectors of the project are compared by their bits. */
const selectNear = statement<{ projectId: number; setId: number; bits: string }>(`
  with near as materialized (
    select chunk_id from project_vector_bits where project_id = :projectId::int and set_id = :setId::int
    order by bit_count(bits # :bits::varbit), chunk_id limit ${NEAR}
  )
  select v.chunk_id as id, v.file_id as "fileId", v.numbers, v.scale
  from near join project_vector v on v.set_id = :setId::int and v.chunk_id = near.chunk_id`);

/** Expression of type boolean: whether a file is found by its meaning. */
export const isEmbedded = (file: string): string => `exists (
  select from project_embedding e join project p on p.embedding_set_id = e.set_id
  where e.file_id = ${file}.file_id and p.id = ${file}.project_id and e.is_whole)`;

/** Vectors of the chunks of files, and the queue of the files that wait for them. */
@Injectable()
export class EmbeddingStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The set in which a project is searched; null without vectors. */
  async serving(projectId: number): Promise<EmbeddingSet | null> {
    const [set] = await this.dataSource.query<EmbeddingSet[]>(...findServing({ projectId }));
    return set ?? null;
  }

  /** The set that a model fills; null before its first vector. */
  async newest({ modelId, upstreamId }: EmbeddingKey): Promise<EmbeddingSet | null> {
    const [set] = await this.dataSource.query<EmbeddingSet[]>(...findNewest({ modelId, upstreamId }));
    return set ?? null;
  }

  /**
   * The set for vectors of a size, which is the newest one from now on.
   * @returns null when the model sent another size within the last hour: one that goes back and forth would embed everything again each time
   */
  async open({ modelId, upstreamId }: EmbeddingKey, size: number): Promise<EmbeddingSet | null> {
    const newest = await this.newest({ modelId, upstreamId });
    if (newest?.size === size) return newest;
    const [set] = await this.dataSource.query<EmbeddingSet[]>(...openSet({ modelId, upstreamId, size }));
    return set ?? null;
  }

  /** Lets the files without vectors of a model wait for them. */
  async enqueueMissing({ modelId, upstreamId }: EmbeddingKey): Promise<void> {
    await this.dataSource.query(...enqueueMissing({ modelId, upstreamId }));
  }

  async missing({ modelId, upstreamId }: EmbeddingKey): Promise<{ files: number; characters: number }> {
    const [row] = await this.dataSource.query<[{ files: number; characters: number }]>(
      ...countMissing({ modelId, upstreamId }),
    );
    return row;
  }

  /** Lets the files whose embedding failed be tried again at once, but for those that a node embeds now. */
  async retryNow(leaseSeconds: number): Promise<void> {
    await this.dataSource.query(...retryNow({ leaseSeconds }));
  }

  /** Begins the embedding of the next file of the queue; null when none is due. */
  async claimNext(leaseSeconds: number): Promise<ClaimedEmbedding | null> {
    const [[row]] = await this.dataSource.query<[ClaimedEmbedding[], number]>(...claimNext({ leaseSeconds }));
    return row ?? null;
  }

  /** Moves the moment from which another node may embed the file. */
  async postpone({ fileId, attempts }: ClaimedEmbedding, seconds: number): Promise<void> {
    await this.dataSource.query(...postpone({ fileId, attempts, seconds }));
  }

  async fail({ fileId, attempts }: ClaimedEmbedding, seconds: number, notice: FileNotice['code']): Promise<void> {
    await this.dataSource.query(...storeFailure({ fileId, attempts, seconds, notice }));
  }

  /** The next chunks of a file without a vector, from an index on. @param setId null before the first vector of a model */
  unembedded(fileId: string, setId: number | null, from: number, limit: number): Promise<UnembeddedChunk[]> {
    return this.dataSource.query<UnembeddedChunk[]>(...selectUnembedded({ fileId, setId, from, limit }));
  }

  /** @throws a violated foreign key when the file was deleted meanwhile */
  async insert(
    { fileId, projectId }: ClaimedEmbedding,
    setId: number,
    chunks: readonly UnembeddedChunk[],
    vectors: readonly Float32Array[],
  ): Promise<void> {
    const stored: StoredVector[] = [];
    for await (const vector of inSlices(vectors)) stored.push(storedVector(vector));
    const insert = insertVectors({
      projectId,
      fileId,
      setId,
      chunkIds: chunks.map(({ id }) => id),
      bits: stored.map(({ bits }) => bits),
      numbers: stored.map(({ numbers }) => numbers),
      scales: stored.map(({ scale }) => scale),
    });
    await this.dataSource.query(...openEmbedding({ fileId, setId }));
    await this.dataSource.query(...insert);
  }

  /** Ends the embedding of a file whose chunks all have vectors, and searches the project in the set as soon as that loses nothing. */
  async finish({ fileId, projectId, attempts }: ClaimedEmbedding, set: EmbeddingSet): Promise<void> {
    const { id: setId, modelId, upstreamId } = set;
    await this.dataSource.transaction(async (manager) => {
      await manager.query(...lockProject({ projectId }));
      // In the order in which the deletion of a file locks its rows.
      await manager.query(...storeDone({ fileId, attempts }));
      await manager.query(...markWhole({ fileId, setId }));
      await manager.query(...serveNewest({ projectId, modelId, upstreamId }));
      await manager.query(...deleteFormer({ projectId, modelId, upstreamId }));
    });
  }

  /**
   * The same for all projects: the last file that was missing in a set may have been deleted.
   * @returns the projects that are searched in another set from now on
   */
  async serveNewest({ modelId, upstreamId }: EmbeddingKey): Promise<number[]> {
    const [changed] = await this.dataSource.query<[{ id: number }[], number]>(
      ...serveNewest({ projectId: null, modelId, upstreamId }),
    );
    await this.dataSource.query(...deleteFormer({ projectId: null, modelId, upstreamId }));
    return changed.map(({ id }) => id);
  }

  /** The vectors of a project that are nearest to one by their bits. */
  near(projectId: number, setId: number, vector: Float32Array): Promise<NearVector[]> {
    return this.dataSource.query<NearVector[]>(...selectNear({ projectId, setId, bits: bitsOf(vector) }));
  }
}
