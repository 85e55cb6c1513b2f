import type { ModelUsage, OwnUsage, UsagePeriod, UsagePoint, UsageSums } from '@tanya/contract';
import Big from 'big.js';
import { statement } from '../../platform/database/named-parameters.js';
import type { RunStatement } from '../../platform/database/statements.js';
import type { Owner } from '../../identity/identity.js';
import { FRESH_FACTS, MEASURES, REPORTED_SUMS } from './rollup-sql.js';
import { type SumsRow, sumsOf } from './usage-sums.js';

/** Models that a report lists and draws one by one. */
const MAX_MODELS = 10;

/** Bits of `grouping(step, model_id, plan, channel)`. */
const SET = { total: 15, model: 11, stepAndModel: 3, stepAndPlan: 5, stepAndChannel: 6 };

interface SeriesRow extends SumsRow {
  set: number;
  step: string | null;
  model_id: string | null;
  plan: string | null;
  channel: string | null;
}

const seriesStatement = <Further>(grain: 'model' | 'full', ofOwner: string) =>
  statement<UsagePeriod & Further>(`with facts as (
  select day, model_id, plan, channel, ${MEASURES} from usage_rollup
  where grain = '${grain}' ${ofOwner} and day between :from::date and :to::date
  union all
  select day, model_id, plan, channel, ${MEASURES} from (${FRESH_FACTS}) fresh
  where day between :from::date and :to::date ${ofOwner}
), stepped as (select *, date_trunc(:step, day::timestamp)::date as step from facts)
select grouping(step, model_id, plan, channel) as set, step::text, model_id, plan, channel, ${REPORTED_SUMS}
from stepped group by grouping sets ((), (model_id), (step, model_id), (step, plan), (step, channel))
order by step, model_id, plan, channel`);

const seriesOfAll = seriesStatement<object>('model', '');
const seriesOfOwner = seriesStatement<{ owner: Owner }>('full', 'and owner = :owner');

/** Totals and series of the installation, or of one owner. */
export async function readSeries(
  run: RunStatement,
  period: UsagePeriod,
  owner: Owner | null,
): Promise<Omit<OwnUsage, 'topKeys'> & { byPlan: UsagePoint[] }> {
  const rows = await run<SeriesRow>(...(owner === null ? seriesOfAll(period) : seriesOfOwner({ ...period, owner })));
  const rowsOf = (set: number) => rows.filter((row) => row.set === set);
  const models = rowsOf(SET.model)
    .map((row): ModelUsage => ({ modelId: row.model_id!, ...sumsOf(row) }))
    .sort((a, b) => new Big(b.costUsd).cmp(a.costUsd) || b.messages - a.messages || b.generations - a.generations);
  const topModels = models.slice(0, MAX_MODELS);
  const shown = new Set(topModels.map(({ modelId }) => modelId));
  const points = (set: number, name: 'plan' | 'channel') => rowsOf(set).map((row) => pointOf(row, row[name] || null));
  return {
    ...period,
    totals: sumsOf(rowsOf(SET.total)[0]!),
    byModel: joinOthers(
      rowsOf(SET.stepAndModel).map((row) => pointOf(row, shown.has(row.model_id!) ? row.model_id : null)),
    ),
    byPlan: points(SET.stepAndPlan, 'plan'),
    byChannel: points(SET.stepAndChannel, 'channel'),
    topModels,
  };
}

const pointOf = (row: SeriesRow, name: string | null): UsagePoint => ({ day: row.step!, name, ...sumsOf(row) });

/** Adds up the points without a name of each step. */
function joinOthers(points: UsagePoint[]): UsagePoint[] {
  const joined = new Map<string, UsagePoint>();
  for (const point of points) {
    const key = `${point.day} ${point.name ?? ''}`;
    const earlier = joined.get(key);
    joined.set(key, earlier === undefined ? point : added(earlier, point));
  }
  return [...joined.values()];
}

function added(one: UsagePoint, other: UsagePoint): UsagePoint {
  const sum = (name: Exclude<keyof UsageSums, 'costUsd'>): number => one[name] + other[name];
  return {
    ...one,
    generations: sum('generations'),
    messages: sum('messages'),
    failures: sum('failures'),
    promptTokens: sum('promptTokens'),
    completionTokens: sum('completionTokens'),
    cachedTokens: sum('cachedTokens'),
    reasoningTokens: sum('reasoningTokens'),
    costUsd: new Big(one.costUsd).plus(other.costUsd).toFixed(),
    unpriced: sum('unpriced'),
  };
}
