import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ReadReplica } from '../../platform/database/read-replica.js';
import { type Owner, trashOf } from '../../identity/identity.js';
import type { ThreadCursor } from './thread-cursor.js';
import {
  findThread,
  listArchived,
  listOfProject,
  listThreads,
  listTrash,
  listWaiting,
  type Pages,
  searchThreads,
  searchTrash,
  USE_SEARCH_INDEX,
} from './thread-list.sql.js';
import type { ThreadRow } from './thread-view.js';

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

const pageFrom = <Own>(pages: Pages<Own>, before: ThreadCursor | null, own: Own): [string, unknown[]] =>
  before === null ? pages.first(own) : pages.later({ ...own, ...before });

const wordsIn = (query: string) => ({ words: query, title: query.replace(/[\\%_]/g, String.raw`\$&`) });

/** The rows of both lists in the order of a list; a row of both is taken from the first. */
function merged<Row extends ThreadRow & { cursor: string }>(first: Row[], second: Row[]): Row[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))].sort((a, b) =>
    a.cursor === b.cursor ? b.id - a.id : a.cursor < b.cursor ? 1 : -1,
  );
}

@Injectable()
export class ThreadList {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replica: ReadReplica,
  ) {}

  /** The threads of an account that are not archived: the pinned ones, then the others, each newest first. */
  async list(userId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = pageFrom(listThreads, before, { userId, limit: limit + 1 });
    return pageOf(await this.dataSource.query(...statement), limit, true);
  }

  async archived(userId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = pageFrom(listArchived, before, { userId, limit: limit + 1 });
    return pageOf(await this.dataSource.query(...statement), limit);
  }

  /** The threads of an account in a project that are not archived, newest first. */
  async ofProject(userId: number, projectId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = pageFrom(listOfProject, before, { userId, projectId, limit: limit + 1 });
    return pageOf(await this.dataSource.query(...statement), limit);
  }

  /** The threads of an owner in which an answer waits for approvals, archived ones too, newest first. */
  async waiting(owner: Owner, { limit, before }: PageRequest): Promise<ThreadPage> {
    const statement = pageFrom(listWaiting, before, { owner, limit: limit + 1 });
    return pageOf(await this.dataSource.query(...statement), limit);
  }

  /** The threads that the owner can restore, the last deleted first; with a query those that match it. */
  async trash(owner: Owner, query: string, { limit, before }: PageRequest): Promise<ThreadPage<TrashRow>> {
    const trash = trashOf(owner);
    const statement =
      query === ''
        ? pageFrom(listTrash, before, { trash, limit: limit + 1 })
        : pageFrom(searchTrash, before, { trash, ...wordsIn(query), limit });
    const rows = await this.dataSource.query<(TrashRow & { cursor: string })[]>(...statement);
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
    state: keyof typeof searchThreads = 'ofAnyState',
  ): Promise<ThreadPage<FoundRow>> {
    type Row = FoundRow & { cursor: string };
    const { recent, all } = searchThreads[state];
    const wanted = { userId, ...wordsIn(query), limit };
    return this.replica.snapshot(async (run) => {
      const found = await run<Row & { may_lack: boolean }>(...pageFrom(recent, before, wanted));
      if (found.length > limit && !found[limit - 1]!.may_lack) return pageOf(found, limit);
      await run(USE_SEARCH_INDEX, []);
      return pageOf(merged(found, await run<Row>(...pageFrom(all, before, wanted))), limit);
    });
  }

  async find(owner: Owner, id: number): Promise<ThreadRow | null> {
    const rows = await this.dataSource.query<ThreadRow[]>(findThread, [id, owner]);
    return rows[0] ?? null;
  }
}
