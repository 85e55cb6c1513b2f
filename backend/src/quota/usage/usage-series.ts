import type { ModelUsage, OwnUsage, UsagePeriod, UsagePoint, UsageSums } from '@tanya/contract';
import Big from 'big.js';
import { statement } from '../../platform/database/named-parameters.js';
import type { RunStatement } from '../../platform/database/statements.js';
import { FACTS_OF_DAY, FRESH_FACTS, MEASURES, REPORTED_SUMS } from './rollup-sql.js';
import { EVERYTHING, type FactsFilter, FILTERED } from './usage-filter.js';
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

const sumsBySteps = <Parameters extends object>(facts: string, step: string) =>
  statement<Parameters>(`with facts as (
  ${facts}
), stepped as (select *, ${step} as step from facts)
select grouping(step, model_id, plan, channel) as set, step::text, model_id, plan, channel, ${REPORTED_SUMS}
from stepped group by grouping sets ((), (model_id), (step, model_id), (step, plan), (step, channel))
order by step, model_id, plan, channel`);

const seriesStatement = <Further>(grain: 'model' | 'full', condition: string) =>
  sumsBySteps<UsagePeriod & Further>(
    `select day, model_id, plan, channel, ${MEASURES} from usage_rollup
  where grain = '${grain}' ${condition} and day between :from::date and :to::date
  union all
  select day, model_id, plan, channel, ${MEASURES} from (${FRESH_FACTS}) fresh
  where day between :from::date and :to::date ${condition}`,
    'date_trunc(:step, day::timestamp)::date',
  );

const seriesOfAll = seriesStatement<object>('model', '');
const seriesOfPart = {
  model: seriesStatement<FactsFilter>('model', FILTERED),
  full: seriesStatement<FactsFilter>('full', FILTERED),
};
const hoursOfPart = sumsBySteps<Pick<UsagePeriod, 'from'> & FactsFilter>(
  `select hour, model_id, plan, channel, ${MEASURES} from (${FACTS_OF_DAY}) facts_of_day where true ${FILTERED}`,
  `to_char(hour, 'YYYY-MM-DD"T"HH24:MI')`,
);

function rowsOfSeries(run: RunStatement, period: UsagePeriod, filter: FactsFilter | null): Promise<SeriesRow[]> {
  if (period.step === 'hour') return run(...hoursOfPart({ from: period.from, ...(filter ?? EVERYTHING) }));
  if (filter === null) return run(...seriesOfAll(period));
  const grain = filter.owner === null && filter.apiKeyId === null ? 'model' : 'full';
  return run(...seriesOfPart[grain]({ ...period, ...filter }));
}

/** Totals and series of the installation, or of the part that the filter names. */
export async function readSeries(
  run: RunStatement,
  period: UsagePeriod,
  filter: FactsFilter | null,
): Promise<Omit<OwnUsage, 'topKeys'> & { byPlan: UsagePoint[] }> {
  const rows = await rowsOfSeries(run, period, filter);
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
