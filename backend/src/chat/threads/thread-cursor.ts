/**
 * The last row of a page of threads by time and id, written as `2026-11-20T10:00:00.123456Z_42`. A pinned row has the
 * prefix `pinned_`.
 */
export interface ThreadCursor {
  isPinned: boolean;
  /** When a thread in the trash expires. */
  updatedAt: string;
  id: number;
}

const CURSOR = /^(pinned_)?(([1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}Z)_(\d{1,15})$/;

export const writeCursor = ({ isPinned, updatedAt, id }: ThreadCursor): string =>
  `${isPinned ? 'pinned_' : ''}${updatedAt}_${id}`;

/** @returns null for text that `writeCursor` cannot have written, impossible dates included */
export function parseCursor(text: string): ThreadCursor | null {
  const [, pinned, updatedAt, second, id] = CURSOR.exec(text) ?? [];
  if (updatedAt === undefined || !isMoment(`${second}Z`)) return null;
  return { isPinned: pinned !== undefined, updatedAt, id: Number(id) };
}

function isMoment(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, -1));
}
