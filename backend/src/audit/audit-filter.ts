import { SYSTEM_ACTOR } from '@tanya/contract';
import type { SelectQueryBuilder } from 'typeorm';
import { daysParam } from '../platform/http/day-param.js';
import { searchWords } from '../platform/http/pagination.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';

/** Largest id of an account or a target: a Postgres integer. */
const MOST_ID = 2 ** 31 - 1;

/** Which entries are wanted. */
export interface AuditFilter {
  /** Name or id of the admin, or name of the admin's key. */
  actor: string | null;
  /** As in `user.update`. */
  action: string | null;
  /** A kind (`user`), a kind with an id (`user:12`), or a name. */
  target: string | null;
  /** Times in milliseconds: the first one, and the first one that is too late. */
  from: number | null;
  until: number | null;
  /** A part of a name, the action, the address or a changed value, in any case. */
  query: string | null;
  /** Only what people changed: no logins, and nothing that the server did by itself. */
  isChange: boolean;
}

/** @throws AppError `invalid` for days that are none or in the wrong order */
export function auditFilter(query: Record<string, unknown>): AuditFilter {
  return {
    ...daysParam(query),
    actor: wordsIn(query['actor']),
    action: wordsIn(query['action']),
    target: wordsIn(query['target']),
    query: wordsIn(query['query']),
    isChange: query['changes'] === 'true',
  };
}

const wordsIn = (value: unknown): string | null => searchWords(value) || null;

/** An id, 0 for what is none: no row has it. */
const idOf = (text: string): number => (/^\d{1,10}$/.test(text) && Number(text) <= MOST_ID ? Number(text) : 0);

/** Restricts a query of entries, whose alias is `entry`. */
export function applyFilter(entries: SelectQueryBuilder<AuditEntryEntity>, filter: AuditFilter): void {
  const { actor, action, target, from, until, query, isChange } = filter;
  if (actor !== null)
    entries.andWhere(
      '(lower(entry.actorName) = lower(:actor) or lower(entry.actorKeyName) = lower(:actor) or entry.actorId = :actorId)',
      {
        actor,
        actorId: idOf(actor),
      },
    );
  if (action !== null) entries.andWhere('entry.action = :action', { action });
  if (target !== null) {
    const [, kind = '', id = ''] = /^(\w+):(\d+)$/.exec(target) ?? [];
    entries.andWhere(
      `(entry.targetKind = :target or lower(entry.targetName) = lower(:target)
        or entry.targetKind = :targetKind and entry.targetId = :targetId)`,
      { target, targetKind: kind, targetId: idOf(id) },
    );
  }
  if (from !== null) entries.andWhere('entry.createdAt >= :from', { from: new Date(from) });
  if (until !== null) entries.andWhere('entry.createdAt < :until', { until: new Date(until) });
  if (isChange) entries.andWhere(`entry.targetKind <> 'login' and entry.actorId <> :system`, { system: SYSTEM_ACTOR });
  if (query !== null)
    entries.andWhere(
      `strpos(lower(concat_ws(chr(10), entry.actorName, entry.actorKeyName, entry.targetName, entry.action, entry.address, entry.before, entry.after)),
        lower(:query)) > 0`,
      { query },
    );
}
