import type { ModelUsage, OwnUsage, UsagePeriod, UsagePoint } from '@tanya/contract';
import Big from 'big.js';
import { statement } from '../../platform/database/named-parameters.js';
import type { RunStatement } from '../../platform/database/statements.js';
import { FACTS_OF_DAY, FRESH_FACTS, MEASURES, REPORTED_SUMS } from './rollup-sql.js';
import { EVERYTHING, type FactsFilter, FILTERED } from './usage-filter.js';
import { type SumsRow, sumsOf } from './usage-sums.js';

/** Models that a report lists and draws one by one. */
const MAX_MODELS = 10;

/** Bits of `grouping(step, model, plan, channel)`. */
const SET = { total: 15, model: 11, stepAndModel: 3, stepAndPlan: 5, stepAndChannel: 6 };

interface SeriesRow extends SumsRow {
  set: number;
  step: string | null;
  /** null for all models after the first ten. */
  model: string | null;
  plan: string | null;
  channel: string | null;
}

const sumsBySteps = <Parameters extends object>(facts: string, step: string) =>
  statement<Parameters>(`with facts as (
  ${facts}
), top as (
  select model_id as model from facts group by model_id
  order by sum(cost_usd) desc, sum(messages) desc, sum(generations) desc, model_id limit ${MAX_MODELS}
), stepped as (select facts.*, top.model, ${step} as step from facts left join top on top.model = model_id)
select grouping(step, model, plan, channel) as set, step::text, model, plan, channel, ${REPORTED_SUMS}
from stepped group by grouping sets ((), (model), (step, model), (step, plan), (step, channel))
order by step, model, plan, channel`);

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
  const topModels = rowsOf(SET.model)
    .flatMap((row): ModelUsage[] => (row.model === null ? [] : [{ modelId: row.model, ...sumsOf(row) }]))
    .sort((a, b) => new Big(b.costUsd).cmp(a.costUsd) || b.messages - a.messages || b.generations - a.generations);
  const points = (set: number, name: 'plan' | 'channel') => rowsOf(set).map((row) => pointOf(row, row[name] || null));
  return {
    ...period,
    totals: sumsOf(rowsOf(SET.total)[0]!),
    byModel: rowsOf(SET.stepAndModel).map((row) => pointOf(row, row.model)),
    byPlan: points(SET.stepAndPlan, 'plan'),
    byChannel: points(SET.stepAndChannel, 'channel'),
    topModels,
  };
}

const pointOf = (row: SeriesRow, name: string | null): UsagePoint => ({ day: row.step!, name, ...sumsOf(row) });
