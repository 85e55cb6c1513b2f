import { LIMITS } from '@tanya/contract';
import type { Response } from 'express';

/** Clients page with `?limit=` and `?before=`; the next cursor comes in this header, so the body stays a plain array. */
export const CURSOR_HEADER = 'X-Next-Cursor';

/** Rows of one page: 50 unless asked, never more than 200, whatever was sent. */
export function pageLimit(limit: unknown): number {
  const wanted = Math.trunc(Number(limit));
  return Number.isFinite(wanted) && wanted >= 1 ? Math.min(wanted, LIMITS.listMax) : LIMITS.listDefault;
}

export function setNextCursor(response: Response, cursor: string | number | null): void {
  if (cursor !== null) response.setHeader(CURSOR_HEADER, String(cursor));
}
