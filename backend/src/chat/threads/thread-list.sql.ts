// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import type { Owner } from '../../identity/identity.js';
import { type Statement, statement } from '../../platform/database/named-parameters.js';
import { openStatusIn, waitingThreads } from '../generation/store/generation-sql.js';
import * as sql from '../messages/thread-list-sql.js';
import type { ThreadCursor } from './thread-cursor.js';

const openStatus = openStatusIn('t.id');

export const findThread = sql.findThread(openStatus);

/** A first page and a later page are separate statements, see `thread-list-sql.ts`. */
export interface Pages<Parameters> {
  first: Statement<Parameters>;
  later: Statement<Parameters & ThreadCursor>;
}

type PageSql = Parameters<typeof sql.listThreads>[0];

const pages = <Own>(textOf: (page: PageSql) => string): Pages<Own & { limit: number }> => ({
  first: statement(textOf({ openStatus, isFirstPage: true })),
  later: statement(textOf({ openStatus, isFirstPage: false })),
});

export const listThreads = pages<{ userId: number }>(sql.listThreads);

export const listArchived = pages<{ userId: number }>(sql.listArchived);

export const listOfProject = pages<{ userId: number; projectId: number }>(sql.listOfProject);

export const listWaiting = pages<{ owner: Owner }>((page) => sql.listWaiting(page, waitingThreads(':owner')));

export const listTrash = pages<{ trash: string }>(sql.listTrash);

interface Query {
  words: string;
  /** Pattern of a title that contains them. */
  title: string;
}

export const searchTrash = pages<Query & { trash: string }>(sql.searchTrash);

/** The search in recent threads and the one in all of them, restricted to threads of a condition. */
const searches = (condition: string | null) => ({
  recent: pages<Query & { userId: number }>((page) => sql.searchRecentThreads({ ...page, condition })),
  all: pages<Query & { userId: number }>((page) => sql.searchAllThreads({ ...page, condition })),
});

export const searchThreads = {
  ofAnyState: searches(null),
  archived: searches(sql.IS_ARCHIVED),
  waiting: searches(sql.isWaiting(waitingThreads(`'user:' || (:userId::int)::text`))),
};
