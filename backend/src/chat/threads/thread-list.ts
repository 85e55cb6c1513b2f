import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Owner } from '../../identity/identity.js';
import { isRunningIn } from '../generation/store/generation-sql.js';
import {
  findThread,
  listThreads,
  searchAllThreads,
  searchRecentThreads,
  USE_SEARCH_INDEX,
} from '../messages/thread-list-sql.js';
import type { ThreadCursor } from './thread-cursor.js';
import type { ThreadRow } from './thread-view.js';

const isStreaming = isRunningIn('t.id');

const cursorValues = (before: ThreadCursor | null): unknown[] => (before === null ? [] : [before.updatedAt, before.id]);

interface PageRequest {
  limit: number;
  before: ThreadCursor | null;
}

/** One page of threads, and the cursor of the next page; null on the last page. */
export interface ThreadPage {
  rows: ThreadRow[];
  nextCursor: ThreadCursor | null;
}

type ListedRow = ThreadRow & { cursor: string };

/** @param rows up to `limit + 1` rows; the extra row shows that another page follows */
function pageOf(rows: ListedRow[], limit: number): ThreadPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? { updatedAt: last.cursor, id: last.id } : null };
}

/** Lists and searches threads with the status of their generations. */
@Injectable()
export class ThreadList {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The threads of an account, newest first. */
  async list(userId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const rows = await this.dataSource.query<ListedRow[]>(listThreads({ isStreaming, isFirstPage: before === null }), [
      userId,
      limit + 1,
      ...cursorValues(before),
    ]);
    return pageOf(rows, limit);
  }

  /** The threads whose title contains the query or whose messages contain all its words, newest first. */
  async search(userId: number, query: string, { limit, before }: PageRequest): Promise<ThreadPage> {
    const page = { isStreaming, isFirstPage: before === null };
    const values = [userId, query, query.replace(/[\\%_]/g, String.raw`\$&`), limit, ...cursorValues(before)];
    const recent = await this.dataSource.query<ListedRow[]>(searchRecentThreads(page), values);
    if (recent.length > limit) return pageOf(recent, limit);
    return this.dataSource.transaction(async (manager) => {
      await manager.query(USE_SEARCH_INDEX);
      return pageOf(await manager.query<ListedRow[]>(searchAllThreads(page), values), limit);
    });
  }

  async find(owner: Owner, id: number): Promise<ThreadRow | null> {
    const rows = await this.dataSource.query<ThreadRow[]>(findThread(isStreaming), [id, owner]);
    return rows[0] ?? null;
  }
}
