import type { RetentionRules } from '@tanya/contract';
import { filesOnlyIn } from '../../files/file-removal.js';
import { statement } from '../../platform/database/named-parameters.js';
import { RULES_IN_FORCE } from '../../retention/retention-sql.js';
import { isPremium, nextMailed } from '../../users/user-sql.js';

/* Statements of the threads that the retention deletes. A statement reads the rules itself: they may change meanwhile. */

/** Expression of type boolean: whether the thread `t` has had no message for as long as the rules `r` say. */
const IS_OLD = `greatest(t.updated_at, t.written_at) < now() - make_interval(days => case
    when t.user_id is null then r.guest when ${isPremium('t.user_id')} then r.premium else r.free end)
  and not (r.exempt_pinned and t.is_pinned) and not t.is_temporary and t.owner not like 'deleted:%'`;

/** The old threads of accounts among those of a range of ids. A range bounds the time of the statement. */
export const selectOld = statement<{ after: number; until: number; limit: number }>(`with r as (${RULES_IN_FORCE})
  select t.id from r, thread t where t.id > :after::bigint and t.id <= :until::bigint and t.user_id is not null and ${IS_OLD}
  order by t.id limit :limit::int`);

/** Locks those threads that are still old. One that is locked, such as by a send, is left for the next sweep. */
export const lockOld = statement<{ ids: readonly number[] }>(`with r as (${RULES_IN_FORCE})
  select t.id, t.owner from r, thread t where t.id = any(:ids::bigint[]) and t.user_id is not null and ${IS_OLD}
  order by t.id for update of t skip locked`);

export const LAST_THREAD = 'select coalesce(max(id), 0)::float8 as id from thread';

export const sizeOfThreads = statement<{ ids: readonly number[] }>(`select
    (select count(*)::int from message where thread_id = any(:ids::bigint[])) as messages, f.files, f.bytes
  from (${filesOnlyIn('select unnest(:ids::bigint[])')}) f`);

/** What rules would delete now, of guests too. */
export const previewRules = statement<RetentionRules>(`with r as (
    select :guest::int as guest, :free::int as free, :premium::int as premium, :exemptPinned::boolean as exempt_pinned
  ), old as materialized (
    select t.id, greatest(t.updated_at, t.written_at) as at from r, thread t where ${IS_OLD}
  )
  select (select count(*)::int from old) as threads, (select min(at) from old) as oldest,
    (select count(*)::int from message where thread_id in (select id from old)) as messages, f.files, f.bytes
  from (${filesOnlyIn('select id from old')}) f`);

/** Gives guests' threads another time. @param lifetime seconds; null for no end */
export const changeGuestLifetime = statement<{ lifetime: number | null; limit: number }>(`update thread
    set lifetime = :lifetime::float8, expires_at = updated_at + make_interval(secs => :lifetime::float8)
  where id in (
    select id from thread where user_id is null and owner like 'guest:%' and not is_temporary
      and lifetime is distinct from :lifetime::float8
    limit :limit::int for update skip locked
  )`);

/** The next account with an address and a thread, of the plans that are concerned. */
export const nextConcerned = statement<{ after: number; free: boolean; premium: boolean }>(
  nextMailed(
    `case when u.is_premium then :premium::boolean else :free::boolean end
    and exists (select from thread t where t.user_id = u.id and not t.is_temporary)`,
  ),
);
