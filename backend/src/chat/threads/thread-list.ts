import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ReadReplica } from '../../platform/database/read-replica.js';
import { type Owner, trashOf } from '../../identity/identity.js';
import { openStatusIn, waitingThreads } from '../generation/store/generation-sql.js';
import {
  findThread,
  IS_ARCHIVED,
  isWaiting,
  listArchived,
  listThreads,
  listTrash,
  listWaiting,
  searchAllThreads,
  searchRecentThreads,
  searchTrash,
  USE_SEARCH_INDEX,
} from '../messages/thread-list-sql.js';
import type { ThreadCursor } from './thread-cursor.js';
import type { ThreadRow } from './thread-view.js';

const openStatus = openStatusIn('t.id');

/** Conditions that restrict a search to the threads of a state. $1 is the account. */
const CONDITIONS = { archived: IS_ARCHIVED, waiting: isWaiting(waitingThreads(`'user:' || ($1::int)::text`)) };

interface PageRequest {
  limit: number;
  before: ThreadCursor | null;
}

/** One page of threads, and the cursor of the next page; null on the last page. */
export interface ThreadPage<Row extends ThreadRow = ThreadRow> {
  rows: Row[];
  nextCursor: ThreadCursor | null;
}

/** A row of a search with the newest message that contains the words; null when only the title matches. */
export type FoundRow = ThreadRow & { match_id: number | null };

/** A thread that can be restored until `expires_at`. */
export type TrashRow = ThreadRow & { expires_at: Date };

/**
 * @param rows up to `limit + 1` rows; the extra row shows that another page follows
 * @param isPinnedFirst whether the list begins with the pinned threads
 */
function pageOf<Row extends ThreadRow & { cursor: string }>(
  rows: Row[],
  limit: number,
  isPinnedFirst = false,
): ThreadPage<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (last === undefined || rows.length <= limit) return { rows: shown, nextCursor: null };
  const nextCursor = { isPinned: isPinnedFirst && last.is_pinned, updatedAt: last.cursor, id: last.id };
  return { rows: shown, nextCursor };
}

const position = (before: ThreadCursor | null): unknown[] => (before === null ? [] : [before.updatedAt, before.id]);

/** The words of a search, and the pattern of a title that contains them. */
const patterns = (query: string): [string, string] => [query, query.replace(/[\\%_]/g, String.raw`\$&`)];

/** The rows of both lists in the order of a list; a row of both is taken from the first. */
function merged<Row extends ThreadRow & { cursor: string }>(first: Row[], second: Row[]): Row[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))].sort((a, b) =>
    a.cursor === b.cursor ? b.id - a.id : a.cursor < b.cursor ? 1 : -1,
  );
}

/** Lists and searches threads with the status of their generations. */
@Injectable()
export class ThreadList {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replica: ReadReplica,
  ) {}

  /** The threads of an account that are not archived: the pinned ones, then the others, each newest first. */
  async list(userId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = listThreads({ openStatus, isFirstPage: before === null });
    const cursor = before === null ? [] : [before.isPinned, ...position(before)];
    return pageOf(await this.dataSource.query(statement, [userId, limit + 1, ...cursor]), limit, true);
  }

  /** The archived threads of an account, newest first. */
  async archived(userId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = listArchived({ openStatus, isFirstPage: before === null });
    return pageOf(await this.dataSource.query(statement, [userId, limit + 1, ...position(before)]), limit);
  }

  /** The threads of an owner in which an answer waits for approvals, archived ones too, newest first. */
  async waiting(owner: Owner, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = listWaiting({ openStatus, isFirstPage: before === null }, waitingThreads('$1'));
    return pageOf(await this.dataSource.query(statement, [owner, limit + 1, ...position(before)]), limit);
  }

  /** The threads that the owner can restore, the last deleted first; with a query those that match it. */
  async trash(owner: Owner, query: string, { limit, before }: PageRequest): Promise<ThreadPage<TrashRow>> {
    type Row = TrashRow & { cursor: string };
    const page = { openStatus, isFirstPage: before === null };
    const trash = trashOf(owner);
    const rows = await (query === ''
      ? this.dataSource.query<Row[]>(listTrash(page), [trash, limit + 1, ...position(before)])
      : this.dataSource.query<Row[]>(searchTrash(page), [trash, ...patterns(query), limit, ...position(before)]));
    return pageOf(rows, limit);
  }

  /**
   * The threads whose title contains the query or whose messages contain all its words, newest first: those of one
   * state, or all, archived ones too.
   * In recent threads the last word may be the beginning of a word.
   */
  async search(
    userId: number,
    query: string,
    { limit, before }: PageRequest,
    state: keyof typeof CONDITIONS | null = null,
  ): Promise<ThreadPage<FoundRow>> {
    type Row = FoundRow & { cursor: string };
    const page = { openStatus, isFirstPage: before === null, condition: state && CONDITIONS[state] };
    const values = [userId, ...patterns(query), limit, ...position(before)];
    return this.replica.snapshot(async (run) => {
      const recent = await run<Row>(searchRecentThreads(page), values);
      if (recent.length > limit) return pageOf(recent, limit);
      await run(USE_SEARCH_INDEX, []);
      return pageOf(merged(recent, await run<Row>(searchAllThreads(page), values)), limit);
    });
  }

  async find(owner: Owner, id: number): Promise<ThreadRow | null> {
    const rows = await this.dataSource.query<ThreadRow[]>(findThread(openStatus), [id, owner]);
    return rows[0] ?? null;
  }
}
