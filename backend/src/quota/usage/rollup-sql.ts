import type { UsageChannel } from '@tanya/contract';

/*
 * SQL of the daily rollup. The reports add the records that are still queued to the sums of the rollup, so that their sums
 * equal the ledger at every moment.
 */

const COUNTS = [
  'generations',
  'messages',
  'failures',
  'unpriced',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
];

export const MEASURES = [...COUNTS, 'cost_usd'].join(', ');

const SUMS = [...COUNTS.map((name) => `sum(${name})::bigint as ${name}`), 'sum(cost_usd) as cost_usd'].join(', ');

/** The sums of a group, for a report; zeros for an empty one. */
export const REPORTED_SUMS = [
  ...COUNTS.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`),
  'trim_scale(coalesce(sum(cost_usd), 0))::text as cost_usd',
].join(', ');

const KEY = 'grain, day, owner, model_id, plan, channel, api_key_id, bucket';

/** Buckets of the time to the first token per doubling. */
const BUCKETS_PER_DOUBLING = 8;

/** The time in ms in the middle of a bucket. */
export const latencyOfBucket = (bucket: number): number => Math.round(2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING));

const BESIDE_ANSWERS: UsageChannel = 'site';
const IS_GENERATION = `coalesce(r.channel, '') <> '${BESIDE_ANSWERS}'`;

/**
 * The settled records as facts of the rollup. The charges carried over from a guest are in the guest's records, and a reset
 * of a quota is not usage. What the server asks beside answers has tokens and a cost, and is no generation: nobody reads it,
 * and nobody's answer fails with it.
 */
const factsFrom = (records: string) => `select (r.settled_at at time zone 'utc')::date as day,
  date_trunc('hour', r.settled_at at time zone 'utc') as hour,
  date_trunc('month', r.settled_at at time zone 'utc')::date as month, r.owner, coalesce(r.model_id, '') as model_id,
  coalesce(r.plan, '') as plan, coalesce(r.channel, '') as channel, coalesce(r.api_key_id::text, '') as api_key_id,
  case when r.first_token_ms > 0 then floor(${BUCKETS_PER_DOUBLING} * ln(r.first_token_ms::float8) / ln(2::float8))::smallint end as bucket,
  (${IS_GENERATION})::int as generations, case when r.state = 'charged' then r.cost else 0 end as messages,
  (${IS_GENERATION} and r.reason in ('error', 'interrupted'))::int as failures, (r.cost_usd is null)::int as unpriced,
  coalesce(r.prompt_tokens, 0) as prompt_tokens, coalesce(r.completion_tokens, 0) as completion_tokens,
  coalesce(r.cached_tokens, 0) as cached_tokens, coalesce(r.reasoning_tokens, 0) as reasoning_tokens,
  coalesce(r.cost_usd, 0) as cost_usd
from ${records}`;

const FACTS = factsFrom('usage_record r');

export const IS_COUNTED = `r.state <> 'held' and coalesce(r.reason, '') not in ('carried', 'reset')`;

/** The facts of one day by the hour, which the rollup does not tell. `:from` is the day. */
export const FACTS_OF_DAY = `${FACTS} where ${IS_COUNTED} and r.settled_at >= :from::timestamp at time zone 'utc'
  and r.settled_at < (:from::timestamp + interval '1 day') at time zone 'utc'`;

/**
 * The facts that the rollup does not contain yet. `offset 0` keeps the planner from beginning with the ledger, where one owner
 * can have millions of records.
 */
export const FRESH_FACTS = `${factsFrom(
  'usage_unrolled u cross join lateral (select * from usage_record where id = u.record_id offset 0) r',
)} where ${IS_COUNTED}`;

/** Adds the facts of the CTE `facts` to every grain. */
const ADD_FACTS = `insert into usage_rollup as r (${KEY}, ${MEASURES})
select ${KEY}, ${MEASURES} from (
  select case grouping(month, owner, model_id, api_key_id, bucket)
      when 27 then 'model' when 23 then 'owner' when 7 then 'month' when 17 then 'full' when 29 then 'key' else 'latency' end as grain,
    coalesce(day, month) as day, coalesce(owner, '') as owner, coalesce(model_id, '') as model_id, coalesce(plan, '') as plan,
    coalesce(channel, '') as channel, coalesce(api_key_id, '') as api_key_id, coalesce(bucket, 0) as bucket,
    grouping(bucket) = 0 and bucket is null as has_no_latency, ${SUMS}
  from facts group by grouping sets ((day, model_id, plan, channel), (day, owner), (month, owner),
    (day, owner, model_id, plan, channel, api_key_id), (day, api_key_id), (day, bucket))
) sums where not has_no_latency and not (grain = 'key' and api_key_id = '')
on conflict (${KEY}) do update
  set ${[...COUNTS, 'cost_usd'].map((name) => `${name} = r.${name} + excluded.${name}`).join(', ')}`;

/** Serializes the writers of the rollup; readers go on. */
export const LOCK_ROLLUP = 'lock table usage_rollup in share row exclusive mode';

/** Moves the oldest queued records into the rollup. $1 maximum number. */
export const ROLL_UP = `with taken as (
  delete from usage_unrolled where record_id in (select record_id from usage_unrolled order by record_id limit $1)
  returning record_id
), facts as (
  ${FACTS} join taken on taken.record_id = r.id where ${IS_COUNTED}
), added as (${ADD_FACTS} returning 1)
select count(*)::int as taken, (select count(*) from added) as added from taken`;

/** Computes the rollup again, in a transaction of isolation level `repeatable read` whose first statement is the lock. */
export const REBUILD = [
  'delete from usage_unrolled',
  'delete from usage_rollup',
  `with facts as (${FACTS} where ${IS_COUNTED}) ${ADD_FACTS}`,
];
