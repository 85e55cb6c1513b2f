import { LIMITS } from '@tanya/contract';
import type { Response } from 'express';
import { invalidField } from '../errors/app-error.js';

/** Header of the next page's cursor, for `?before=`; the body stays a plain array. */
const CURSOR_HEADER = 'X-Next-Cursor';

/** Header of the number of entries on all pages. */
export const TOTAL_HEADER = 'X-Total-Count';

/** Page size: 50 by default, 200 at most; an invalid value counts as absent. */
export function pageLimit(limit: unknown): number {
  const wanted = Math.trunc(Number(limit));
  return Number.isFinite(wanted) && wanted >= 1 ? Math.min(wanted, LIMITS.listMax) : LIMITS.listDefault;
}

/**
 * Cursor of the requested page; null for the first page.
 * @throws AppError `invalid` for a cursor that was not issued: clients would read the first page in a loop
 */
export function pageCursor<T>(before: unknown, parse: (text: string) => T | null): T | null {
  if (before === undefined) return null;
  const cursor = typeof before === 'string' ? parse(before) : null;
  if (cursor === null) throw invalidField('before', 'before must be a cursor');
  return cursor;
}

/** A cursor that is the id of an entry. */
export const idCursor = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

export function setNextCursor(response: Response, cursor: string | number | null): void {
  if (cursor !== null) response.setHeader(CURSOR_HEADER, String(cursor));
}

/** The words of a search as a query parameter has them; empty without any. */
export const searchWords = (query: unknown): string =>
  typeof query === 'string' ? query.trim().slice(0, LIMITS.searchQuery) : '';
