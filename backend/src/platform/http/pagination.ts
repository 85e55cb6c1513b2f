import { LIMITS } from '@tanya/contract';
import type { Response } from 'express';
import { invalidField } from '../errors/app-error.js';

/** Clients page with `?limit=` and `?before=`; the next cursor comes in this header, so the body stays a plain array. */
export const CURSOR_HEADER = 'X-Next-Cursor';

/** Rows of one page: 50 unless asked, never more than 200, whatever was sent. */
export function pageLimit(limit: unknown): number {
  const wanted = Math.trunc(Number(limit));
  return Number.isFinite(wanted) && wanted >= 1 ? Math.min(wanted, LIMITS.listMax) : LIMITS.listDefault;
}

/**
 * Where the page ends that is asked for; null for the first one. A cursor that is none would lead round and round.
 * @throws AppError `invalid`
 */
export function pageCursor<T>(before: unknown, parse: (text: string) => T | null): T | null {
  if (before === undefined) return null;
  const cursor = typeof before === 'string' ? parse(before) : null;
  if (cursor === null) throw invalidField('before', 'before must be a cursor');
  return cursor;
}

export function setNextCursor(response: Response, cursor: string | number | null): void {
  if (cursor !== null) response.setHeader(CURSOR_HEADER, String(cursor));
}
