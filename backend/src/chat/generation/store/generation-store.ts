import type { ErrorCode, MessageNotice, MessageStatus, ReasoningEffort } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../../../platform/database/named-parameters.js';
import { parseOwn } from '../../../platform/json/json-text.js';
import { type StoredError, AppError } from '../../../platform/errors/app-error.js';
import { type Owner, ownerUserId } from '../../../identity/identity.js';
import type { MeterState } from '../../../quota/usage-meter.js';
import { trashPattern } from './generation-trash.js';
import type { StoredAnswer } from '../detached/written-answer.js';
import { type AnswerPart, checkpointedParts, type PartEntry } from '../../messages/stored-parts.js';
import type { GenerationChunkEntity } from './generation-chunk.entity.js';

/** An attempt that failed before anything of the answer was written. */
export interface FailedAttempt {
  modelId: string;
  reason: ErrorCode;
  /** Decimal string in USD; null when unknown. */
  costUsd: string | null;
}

/** What is stored of an answer that another model than the asked one writes. */
export interface StoredFallback {
  attempts: FailedAttempt[];
  /** The sums of the attempts. */
  meter: MeterState;
}

export interface GenerationRow {
  id: string;
  owner: Owner;
  threadId: number | null;
  userMessageId: number | null;
  messageId: number | null;
  modelId: string;
  status: MessageStatus;
  nodeId: string;
  requestHash: string;
  answer: StoredAnswer | null;
  error: StoredError | null;
  /** null while the asked model answers. */
  fallback: StoredFallback | null;
  /** null for the page. */
  apiKeyId: number | null;
  createdAt: Date;
}

/** One that is not final, so without an answer. */
export type OpenGeneration = Omit<GenerationRow, 'answer'>;

/** The remark on an answer of another model than the asked one. @param attempts at least one */
export function fallbackNotice([first]: readonly FailedAttempt[], to: string): MessageNotice {
  return { code: 'fallback', params: { from: first!.modelId, to, reason: first!.reason } };
}

/** Text and changed parts of a run between two checkpoints. */
export type TextChunk = Omit<GenerationChunkEntity, 'generation'>;

export interface ChunkParameters {
  seq: number | null;
  text: string | null;
  reasoning: string | null;
  parts: string | null;
  isWhole: boolean;
}

/** @param chunk null stores none */
export const chunkParameters = (chunk: TextChunk | null): ChunkParameters => ({
  seq: chunk?.seq ?? null,
  text: chunk?.text ?? null,
  reasoning: chunk?.reasoning ?? null,
  parts: chunk?.parts == null ? null : JSON.stringify(chunk.parts),
  isWhole: chunk?.isWhole ?? false,
});

/** The text and parts of a running generation as of its last checkpoint, and the last sequence number in it. */
export interface Checkpoint {
  text: string;
  reasoning: string;
  parts: AnswerPart[];
  seq: number;
}

/** A generation that is not final. */
const IS_OPEN = `status in ('streaming', 'waiting')`;

const GENERATION_COLUMNS = `id, owner, thread_id as "threadId", user_message_id as "userMessageId",
  message_id as "messageId", model_id as "modelId", status, node_id as "nodeId", request_hash as "requestHash",
  error, api_key_id as "apiKeyId", created_at as "createdAt", fallback`;

/**
 * The share lock keeps a generation from ending before its chunk is stored, which would leave the chunk behind. A chunk
 * whose commit was not confirmed is sent again under the same seq.
 */
const insertChunks = statement<{
  generationIds: string[];
  seqs: number[];
  texts: string[];
  reasonings: string[];
  parts: (string | null)[];
  areWhole: boolean[];
}>(`
insert into generation_chunk (generation_id, seq, text, reasoning, parts, is_whole)
select c.generation_id, c.seq, c.text, c.reasoning, c.parts::jsonb, c.is_whole
from unnest(:generationIds::uuid[], :seqs::int[], :texts::text[], :reasonings::text[], :parts::text[],
  :areWhole::boolean[]) as c (generation_id, seq, text, reasoning, parts, is_whole)
join generation g on g.id = c.generation_id and g.status = 'streaming'
for share of g
on conflict do nothing`);

/** A client message id that both have used stays with the account. */
const moveToAccount = statement<{ guest: Owner; account: Owner; userId: number }>(`
update generation g set owner = :account, user_id = :userId::int, client_message_id = case
  when exists (select 1 from generation o where o.owner = :account and o.client_message_id = g.client_message_id)
  then 'adopted:' || g.id else g.client_message_id end
where g.owner = :guest`);

/** Generations in Postgres. `AdmissionStore` inserts them, `GenerationFinalizer` ends them. */
@Injectable()
export class GenerationStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async find(owner: Owner, id: string): Promise<GenerationRow | null> {
    return this.one('id = $1 and owner = $2', [id, owner]);
  }

  async findById(id: string): Promise<GenerationRow | null> {
    return this.one('id = $1', [id]);
  }

  async findByClientMessage(owner: Owner, clientMessageId: string): Promise<GenerationRow | null> {
    return this.one('owner = $1 and client_message_id = $2', [owner, clientMessageId]);
  }

  /** @returns null when the generation does not exist */
  async status(id: string): Promise<MessageStatus | null> {
    const rows = await this.dataSource.query<{ status: MessageStatus }[]>(
      'select status from generation where id = $1',
      [id],
    );
    return rows[0]?.status ?? null;
  }

  /** The effort that the send of a generation asked for; null without one. */
  async reasoningEffort(id: string): Promise<ReasoningEffort | null> {
    const rows = await this.dataSource.query<{ reasoning_effort: ReasoningEffort | null }[]>(
      'select reasoning_effort from generation where id = $1',
      [id],
    );
    return rows[0]?.reasoning_effort ?? null;
  }

  /**
   * Notes the model that a running generation asks now.
   * @returns false when another node has ended the generation
   */
  async changeModel(id: string, modelId: string, fallback: StoredFallback): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `update generation set model_id = $2, fallback = $3::jsonb where id = $1::uuid and status = 'streaming'`,
      [id, modelId, JSON.stringify(fallback)],
    );
    return count > 0;
  }

  /** Those of the given generations that are final or deleted. */
  async endedAmong(ids: string[]): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `select id from unnest($1::uuid[]) as given (id)
       where not exists (select from generation g where g.id = given.id and g.status = 'streaming')`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether a generation with this id exists, of any owner; false for one in the trash. */
  async exists(id: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `select 1 from generation where id = $1 and owner not like '${trashPattern}'`,
      [id],
    );
    return rows.length > 0;
  }

  async openGenerations(where: { threadIds: readonly number[] } | { owner: Owner }): Promise<OpenGeneration[]> {
    const [condition, values] =
      'threadIds' in where ? ['thread_id = any($1::bigint[])', [where.threadIds]] : ['owner = $1', [where.owner]];
    return this.dataSource.query<OpenGeneration[]>(
      `select ${GENERATION_COLUMNS} from generation where ${condition} and ${IS_OPEN}`,
      values,
    );
  }

  async saveChunks(chunks: TextChunk[]): Promise<void> {
    await this.dataSource.query(
      ...insertChunks({
        generationIds: chunks.map((chunk) => chunk.generationId),
        seqs: chunks.map((chunk) => chunk.seq),
        texts: chunks.map((chunk) => chunk.text),
        reasonings: chunks.map((chunk) => chunk.reasoning),
        parts: chunks.map(({ parts }) => parts && JSON.stringify(parts)),
        areWhole: chunks.map(({ isWhole }) => isWhole),
      }),
    );
  }

  async checkpoint(id: string): Promise<Checkpoint> {
    const [row] = await this.dataSource.query<[Omit<Checkpoint, 'parts'> & { parts: PartEntry[][] | null }]>(
      `select coalesce(string_agg(text, '' order by seq), '') as text,
              coalesce(string_agg(reasoning, '' order by seq), '') as reasoning,
              json_agg(parts order by seq) filter (where parts is not null) as parts,
              coalesce(max(seq), 0)::int as seq
       from generation_chunk where generation_id = $1 and seq >=
         coalesce((select max(seq) from generation_chunk where generation_id = $1 and is_whole), 0)`,
      [id],
    );
    const { text, reasoning, parts, seq } = row;
    return { text, reasoning, parts: checkpointedParts((parts ?? []).flat(), text, reasoning), seq };
  }

  /** Those of the threads in which a generation runs or waits, as seen by the caller's transaction. */
  async busyAmong(manager: EntityManager, threadIds: readonly number[]): Promise<number[]> {
    const rows = await manager.query<{ thread_id: number }[]>(
      `select thread_id from generation where thread_id = any($1::bigint[]) and ${IS_OPEN}`,
      [threadIds],
    );
    return rows.map(({ thread_id }) => thread_id);
  }

  /**
   * Frees the idempotency key of a detached generation that did not complete. The text of one that a filter ended stays for
   * its stored response.
   * @returns whether it was freed
   */
  async releaseFailedKey(id: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `update generation set client_message_id = 'failed:' || id,
         answer = case when answer #>> '{choices,0,finishReason}' = 'content_filter' then answer end
       where id = $1 and status in ('error', 'interrupted', 'stopped')`,
      [id],
    );
    return count > 0;
  }

  /** Deletes answers some time after their end. @returns how many, at most `limit` */
  async expireAnswers(hours: number, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `update generation set answer = null, client_message_id = 'expired:' || id where id in (
         select id from generation where answer is not null and finished_at < now() - $1 * interval '1 hour'
         order by finished_at limit $2::int for update skip locked)`,
      [hours, limit],
    );
    return count;
  }

  /** Deletes detached generations some time after their end. Usage records stay. @returns how many, at most `limit` */
  async deleteDetached(ageMs: number, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `delete from generation where id in (
         select id from generation where thread_id is null and finished_at < now() - $1 * interval '1 ms'
           and not (${IS_OPEN})
         order by finished_at limit $2::int for update skip locked)`,
      [ageMs, limit],
    );
    return count;
  }

  /** Deletes final detached generations of an account that is being deleted. @returns their number */
  async deleteSomeDetachedOf(userId: number, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `delete from generation where id in (
         select id from generation where user_id = $1 and thread_id is null and not (${IS_OPEN})
         limit $2::int for update skip locked)`,
      [userId, limit],
    );
    return count;
  }

  /** Locks an owner's running and waiting generations; an end that waits for the lock then reads the new owner. */
  async lockRunning(manager: EntityManager, owner: Owner): Promise<void> {
    await manager.query(`select 1 from generation where owner = $1 and ${IS_OPEN} for update`, [owner]);
  }

  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner, userId: number): Promise<void> {
    await manager.query(...moveToAccount({ guest, account, userId }));
  }

  private async one(condition: string, parameters: unknown[]): Promise<GenerationRow | null> {
    const [row] = await this.dataSource.query<(Omit<GenerationRow, 'answer'> & { answer: string | null })[]>(
      `select ${GENERATION_COLUMNS}, answer::text as answer from generation where ${condition}`,
      parameters,
    );
    if (row === undefined) return null;
    return { ...row, answer: row.answer === null ? null : ((await parseOwn(row.answer)) as StoredAnswer) };
  }
}

/** Maximum of concurrent generations per owner. Waiting ones do not count. */
const MAX_RUNNING = { user: 20, guest: 3 };

export const maxRunningOf = (owner: Owner): number =>
  ownerUserId(owner) === null ? MAX_RUNNING.guest : MAX_RUNNING.user;

/**
 * Whether the owner may have no further running answer, on all nodes.
 * @param ending running answers that end before it
 */
export async function hasMaxRunning(manager: EntityManager, owner: Owner, ending = 0): Promise<boolean> {
  const [{ count }] = await manager.query<[{ count: number }]>('select running_generations($1) as count', [owner]);
  return count - ending >= maxRunningOf(owner);
}

export const tooManyRunning = (cause?: unknown): AppError =>
  new AppError('rate_limited', { reason: 'answers', retryAfter: 2, cause });
