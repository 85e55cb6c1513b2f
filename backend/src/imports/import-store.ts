import {
  type ImportedConversation,
  type ImportOutcome,
  type ImportRemark,
  type ImportSource,
  LIMITS,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { isInTrash } from '../chat/messages/message-sql.js';
import { TIMINGS, type Timings } from '../config/timings.js';
import type { ImportEntity } from './import.entity.js';
import { STOPPED } from './import-texts.js';

export type ImportRow = Omit<ImportEntity, 'user' | 'nodeId' | 'heartbeatAt'>;

export interface ImportRun {
  id: string;
  userId: number;
  nodeId: string;
}

export interface ReportItem {
  position: number;
  title: string;
  outcome: ImportOutcome;
  reason: ImportRemark | null;
}

export type ReportedItem = ReportItem & Pick<ImportedConversation, 'threadId'>;

const COLUMNS = `id, user_id as "userId", state, source, imported, skipped, failed, progress, error,
  created_at as "createdAt", ended_at as "endedAt"`;

/** Condition on a row of `imported_thread` with the alias `made`. */
const IN_TRASH = isInTrash('made.thread_id');

/** Imports whose report is kept, per account. */
const KEPT_REPORTS = 20;

const LISTED = 20;

const insertRun = statement<ImportRun>('insert into import (id, user_id, node_id) values (:id, :userId, :nodeId)');

const selectItems = statement<{ id: string; after: number; limit: number }>(`
  select item.position, item.title, item.outcome, item.reason, made.thread_id as "threadId" from import_item item
  left join imported_thread made on made.import_id = item.import_id and made.position = item.position
  where item.import_id = :id and item.position > :after order by item.position limit :limit::int`);

const insertItem = statement<Omit<ReportItem, 'reason'> & { id: string; reason: string | null }>(`
  insert into import_item (import_id, position, title, outcome, reason)
  values (:id, :position, :title, :outcome, :reason)`);

const insertOrigin = statement<ImportRun & { threadId: number; position: number; sourceKey: string }>(`
  insert into imported_thread (thread_id, import_id, position, user_id, source_key)
  values (:threadId, :id, :position, :userId, :sourceKey)`);

const beatRun = statement<ImportRun & { source: ImportSource | null; progress: number }>(`
  update import set heartbeat_at = now(), source = coalesce(source, :source), progress = :progress
  where id = :id and node_id = :nodeId and state = 'running'`);

/** @param error null for a complete import */
const finishRun = statement<ImportRun & { source: ImportSource | null; error: string | null }>(`
  update import set state = case when :error::jsonb is null then 'done' else 'failed' end, error = :error,
    progress = case when :error::jsonb is null then 1 else progress end, source = coalesce(source, :source),
    ended_at = now()
  where id = :id and node_id = :nodeId and state = 'running'`);

const failRuns = statement<{ error: string; deadMs: number; userId: number | null }>(`
  update import set state = 'failed', error = :error, ended_at = now()
  where state = 'running' and heartbeat_at < now() - :deadMs * interval '1 ms'
    and (:userId::int is null or user_id = :userId)`);

@Injectable()
export class ImportStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) private readonly timings: Timings,
  ) {}

  /** Adds a running import and deletes old reports. A unique violation means that another import runs. */
  async insert(run: ImportRun): Promise<void> {
    await this.dataSource.query(...insertRun(run));
    await this.dataSource.query(
      `delete from import_item where import_id in (
         select id from import where user_id = $1 order by created_at desc offset ${KEPT_REPORTS})`,
      [run.userId],
    );
  }

  async find(userId: number, id: string): Promise<ImportRow | null> {
    const rows = await this.dataSource.query<ImportRow[]>(
      `select ${COLUMNS} from import where id = $1 and user_id = $2 and state <> 'undone'`,
      [id, userId],
    );
    return rows[0] ?? null;
  }

  list(userId: number): Promise<ImportRow[]> {
    return this.dataSource.query<ImportRow[]>(
      `select ${COLUMNS} from import where user_id = $1 and state <> 'undone' order by created_at desc limit ${LISTED}`,
      [userId],
    );
  }

  /** The state of an import of the account that runs, else of one that is being undone. */
  async unfinished(userId: number): Promise<'running' | 'undone' | null> {
    const rows = await this.dataSource.query<{ state: 'running' | 'undone' }[]>(
      `select state from import where user_id = $1 and state in ('running', 'undone') order by state limit 1`,
      [userId],
    );
    return rows[0]?.state ?? null;
  }

  /** The first failed conversations. */
  failures(id: string): Promise<Pick<ReportItem, 'title' | 'reason'>[]> {
    return this.dataSource.query<Pick<ReportItem, 'title' | 'reason'>[]>(
      `select title, reason from import_item where import_id = $1 and outcome = 'failed'
       order by position limit ${LIMITS.importFailures}`,
      [id],
    );
  }

  /** A page of the report, in the order of the file. */
  items(id: string, after: number, limit: number): Promise<ReportedItem[]> {
    return this.dataSource.query<ReportedItem[]>(...selectItems({ id, after, limit }));
  }

  async hasThread(userId: number, sourceKey: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `select 1 from imported_thread made where user_id = $1 and source_key = $2 and not ${IN_TRASH}`,
      [userId, sourceKey],
    );
    return rows.length > 0;
  }

  /**
   * Locks a running import against its end by another node, until the caller's transaction ends.
   * @returns false when the import was undone, or ended because this node seemed dead
   */
  async lock(manager: EntityManager, { id, nodeId }: ImportRun): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `select 1 from import where id = $1 and node_id = $2 and state = 'running' for update`,
      [id, nodeId],
    );
    return rows.length > 0;
  }

  /** Records the outcome of a conversation, in the transaction that locked the import. */
  async record(
    manager: EntityManager,
    { id }: ImportRun,
    { position, title, outcome, reason }: ReportItem,
  ): Promise<void> {
    const stored = reason === null ? null : JSON.stringify(reason);
    await manager.query(...insertItem({ id, position, title, outcome, reason: stored }));
    // The transaction of a long conversation began long ago.
    const beat = 'heartbeat_at = clock_timestamp()';
    await manager.query(`update import set ${outcome} = ${outcome} + 1, ${beat} where id = $1`, [id]);
  }

  /** Stores the origin of a thread. A unique violation means that the conversation was imported before. */
  async insertThread(
    manager: EntityManager,
    run: ImportRun,
    thread: { threadId: number; position: number; sourceKey: string },
  ): Promise<void> {
    // A thread in the trash that is restored later counts as one that was not imported.
    await manager.query(`delete from imported_thread made where user_id = $1 and source_key = $2 and ${IN_TRASH}`, [
      run.userId,
      thread.sourceKey,
    ]);
    await manager.query(...insertOrigin({ ...run, ...thread }));
  }

  /** @returns false when the import no longer runs on this node */
  async beat(run: ImportRun, source: ImportSource | null, progress: number): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(...beatRun({ ...run, source, progress }));
    return count > 0;
  }

  /** Ends an import of this node. @param error null for a complete import */
  async finish(run: ImportRun, source: ImportSource | null, error: ImportRemark | null): Promise<void> {
    const stored = error === null ? null : JSON.stringify(error);
    await this.dataSource.query(...finishRun({ ...run, source, error: stored }));
  }

  /** Ends the running imports of dead nodes, of one account or of all. */
  async failDead(userId: number | null = null): Promise<void> {
    const error = JSON.stringify(STOPPED);
    await this.dataSource.query(...failRuns({ error, deadMs: this.timings.nodeDead, userId }));
  }

  /** Hides an import and stops its run at the next conversation. @returns false for an unknown import */
  async markUndone(userId: number, id: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `update import set state = 'undone', heartbeat_at = now() where id = $1 and user_id = $2`,
      [id, userId],
    );
    return count > 0;
  }

  /** Undone imports whose node died before it had deleted their threads. */
  unfinishedUndos(): Promise<{ id: string; userId: number }[]> {
    return this.dataSource.query<{ id: string; userId: number }[]>(
      `select id, user_id as "userId" from import
       where state = 'undone' and heartbeat_at < now() - $1 * interval '1 ms' order by heartbeat_at limit 10`,
      [this.timings.nodeDead],
    );
  }

  /** The threads after a position, in the order of the file. */
  threadsOf(id: string, after: number, limit: number): Promise<{ threadId: number; position: number }[]> {
    return this.dataSource.query<{ threadId: number; position: number }[]>(
      `select thread_id as "threadId", position from imported_thread
       where import_id = $1 and position > $2 order by position limit $3::int`,
      [id, after, limit],
    );
  }

  async keepUndoing(id: string): Promise<void> {
    await this.dataSource.query('update import set heartbeat_at = now() where id = $1', [id]);
  }

  async delete(id: string): Promise<void> {
    await this.dataSource.query('delete from import where id = $1', [id]);
  }
}
