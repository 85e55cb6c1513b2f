import type { KeyUsage, OwnUsage, PersonUsage, UsageFilter, UsagePeriod, UsageReport } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/named-parameters.js';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { type Owner, ownerUserId, SITE_OWNER } from '../../identity/identity.js';
import { ReadReplica } from '../../platform/database/read-replica.js';
import type { RunStatement } from '../../platform/database/statements.js';
import { UserLookup } from '../../users/user-lookup.service.js';
import { FRESH_FACTS, latencyOfBucket, MEASURES, REPORTED_SUMS } from './rollup-sql.js';
import { ModelsService } from '../../models/models.service.js';
import { EVERYTHING, type FactsFilter, factsFilter, FILTERED } from './usage-filter.js';
import { nearestMonths } from './usage-period.js';
import { readSeries } from './usage-series.js';
import { NO_USAGE, type SumsRow, sumsOf } from './usage-sums.js';

/** People and keys of a report. */
const MAX_LISTED = 10;

const BETWEEN = 'day between :from::date and :to::date';

const negated = (columns: string): string => columns.replaceAll(/\w+/g, '-$& as $&');

type FirstAndLastDay = Pick<UsagePeriod, 'from' | 'to'>;

/** With the start and the end of `nearestMonths`. */
interface Days extends FirstAndLastDay {
  firstMonth: string;
  endOfMonths: string;
}

/** Each day is a range of the primary key. */
const factsOfPeople = (columns: string, condition: string): string => `
  select owner, ${columns} from usage_rollup where grain = 'month' and day >= :firstMonth::date and day < :endOfMonths::date ${condition}
  union all
  select owner, ${columns} from usage_rollup
  where grain = 'owner' and day >= :from::date and day < least(:firstMonth::date, :to::date + 1) ${condition}
  union all
  select owner, ${columns} from usage_rollup
  where grain = 'owner' and day >= greatest(:from::date, :endOfMonths::date) and day <= :to::date ${condition}
  union all
  select owner, ${negated(columns)} from usage_rollup
  where grain = 'owner' and day >= :firstMonth::date and day < least(:from::date, :endOfMonths::date) ${condition}
  union all
  select owner, ${negated(columns)} from usage_rollup
  where grain = 'owner' and day >= greatest(:firstMonth::date, :to::date + 1) and day < :endOfMonths::date ${condition}
  union all
  select owner, ${columns} from (${FRESH_FACTS}) fresh where ${BETWEEN} ${condition}`;

/**
 * The people with the highest cost, and the number of all people. The site does not count. To sum all columns of all people
 * would take twice as long.
 */
const selectTopPeople = statement<Days>(`with people as (
  select owner, sum(cost_usd) as cost, sum(messages) as messages
  from (${factsOfPeople('cost_usd, messages, generations', '')}) facts
  where owner <> '${SITE_OWNER}' group by owner having sum(generations) > 0 or sum(cost_usd) > 0
)
select owner, count(*) over ()::int as people from people order by cost desc, messages desc, owner limit ${MAX_LISTED}`);

const selectPeople = statement<
  Days & { owners: string[] }
>(`select owner, ${REPORTED_SUMS} from (${factsOfPeople(MEASURES, 'and owner = any(:owners)')}) facts
group by owner order by sum(cost_usd) desc, sum(messages) desc, owner`);

const keysStatement = <Further>(grain: 'key' | 'full', ofOwner: string) =>
  statement<FirstAndLastDay & Further>(`with facts as (
  select api_key_id, ${MEASURES} from usage_rollup where grain = '${grain}' and ${BETWEEN} and api_key_id <> '' ${ofOwner}
  union all
  select api_key_id, ${MEASURES} from (${FRESH_FACTS}) fresh where ${BETWEEN} and api_key_id <> '' ${ofOwner}
)
select api_key_id, ${REPORTED_SUMS} from facts group by api_key_id
order by sum(cost_usd) desc, sum(messages) desc, api_key_id limit ${MAX_LISTED}`);

const selectKeys = keysStatement<object>('key', '');

const selectKeysOfOwner = keysStatement<{ owner: Owner }>('full', 'and owner = :owner');

/** The facts of a part of the usage, of every person, key and model. */
const FACTS_OF_PART = `
  select owner, api_key_id, ${MEASURES} from usage_rollup where grain = 'full' and ${BETWEEN} ${FILTERED}
  union all
  select owner, api_key_id, ${MEASURES} from (${FRESH_FACTS}) fresh where ${BETWEEN} ${FILTERED}`;

/** The site first, then the people with the highest cost; `people` counts all of them. */
const selectPeopleOfPart = statement<FirstAndLastDay & FactsFilter>(`with people as (
  select owner, sum(cost_usd) as cost, ${REPORTED_SUMS} from (${FACTS_OF_PART}) facts group by owner
)
select *, count(*) filter (where owner <> '${SITE_OWNER}' and (generations > 0 or cost > 0)) over ()::int as people from people
order by owner = '${SITE_OWNER}' desc, cost desc, messages desc, owner limit ${MAX_LISTED + 1}`);

const selectKeysOfPart = statement<FirstAndLastDay & FactsFilter>(`
select api_key_id, ${REPORTED_SUMS} from (${FACTS_OF_PART}) facts where api_key_id <> '' group by api_key_id
order by sum(cost_usd) desc, sum(messages) desc, api_key_id limit ${MAX_LISTED}`);

type KeyRow = SumsRow & { api_key_id: string };

/** Without bucket 0, which is 1 ms: no provider is that fast, and earlier versions counted answers without a first token there. */
const selectLatencies = statement<FirstAndLastDay>(`with facts as (
  select bucket, generations from usage_rollup where grain = 'latency' and bucket > 0 and ${BETWEEN}
  union all
  select bucket, generations from (${FRESH_FACTS}) fresh where ${BETWEEN} and bucket > 0
)
select bucket, sum(generations)::bigint as count from facts group by bucket order by bucket`);

const DELETED_KEY = { name: null, userId: null, username: null };

interface Bucket {
  bucket: number;
  count: number;
}

/** Usage by period: of the installation for admins, and one's own. A report reads one snapshot, so that its sums agree. */
@Injectable()
export class UsageReports {
  constructor(
    private readonly replica: ReadReplica,
    private readonly users: UserLookup,
    private readonly keys: ApiKeysService,
    private readonly models: ModelsService,
  ) {}

  async report(period: UsagePeriod, filter: UsageFilter = {}): Promise<UsageReport> {
    const part = factsFilter(filter, (connectionId) => this.models.answeredBy(connectionId));
    return part === null ? this.wholeReport(period) : this.reportOfPart(period, part);
  }

  /** Without the time to the first token, which is stored by day alone. */
  private async reportOfPart(period: UsagePeriod, filter: FactsFilter): Promise<UsageReport> {
    const parameters = { from: period.from, to: period.to, ...filter };
    const { series, rows, keys } = await this.replica.snapshot(async (run) => ({
      series: await readSeries(run, period, filter),
      rows: await run<SumsRow & { owner: string; people: number }>(...selectPeopleOfPart(parameters)),
      keys: await run<KeyRow>(...selectKeysOfPart(parameters)),
    }));
    const { generations, failures } = series.totals;
    const site = rows.find(({ owner }) => owner === SITE_OWNER);
    const people = rows
      .filter((row) => row !== site && (row.generations > 0 || Number(row.cost_usd) > 0))
      .slice(0, MAX_LISTED);
    return {
      ...series,
      totals: {
        ...series.totals,
        people: rows[0]?.people ?? 0,
        errorRate: generations === 0 ? 0 : failures / generations,
        firstTokenMs: { p50: null, p95: null },
      },
      topPeople: await this.named(people),
      site: site === undefined ? NO_USAGE : sumsOf(site),
      topKeys: await this.namedKeys(keys),
    };
  }

  private async wholeReport(period: UsagePeriod): Promise<UsageReport> {
    const { series, people, site, keys, buckets } = await this.replica.snapshot(async (run) => ({
      series: await readSeries(run, period, null),
      people: await this.people(run, period),
      site: await run<SumsRow>(...selectPeople({ ...daysOf(period), owners: [SITE_OWNER] })),
      keys: await run<KeyRow>(...selectKeys(period)),
      buckets: await run<Bucket>(...selectLatencies(period)),
    }));
    const { generations, failures } = series.totals;
    return {
      ...series,
      totals: {
        ...series.totals,
        people: people.count,
        errorRate: generations === 0 ? 0 : failures / generations,
        firstTokenMs: { p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95) },
      },
      topPeople: await this.named(people.top),
      site: site[0] === undefined ? NO_USAGE : sumsOf(site[0]),
      topKeys: await this.namedKeys(keys),
    };
  }

  async ofOwner(owner: Owner, period: UsagePeriod): Promise<OwnUsage> {
    const { series, keys } = await this.replica.snapshot(async (run) => ({
      series: await readSeries(run, period, { ...EVERYTHING, owner }),
      keys: await run<KeyRow>(...selectKeysOfOwner({ ...period, owner })),
    }));
    const { byPlan, ...own } = series;
    return { ...own, topKeys: await this.namedKeys(keys) };
  }

  private async people(run: RunStatement, period: UsagePeriod) {
    const days = daysOf(period);
    const ranked = await run<{ owner: string; people: number }>(...selectTopPeople(days));
    const owners = ranked.map(({ owner }) => owner);
    const top = owners.length === 0 ? [] : await run<SumsRow & { owner: string }>(...selectPeople({ ...days, owners }));
    return { count: ranked[0]?.people ?? 0, top };
  }

  private async named(rows: (SumsRow & { owner: string })[]): Promise<PersonUsage[]> {
    const names = await this.users.usernamesOf(rows.flatMap(({ owner }) => ownerUserId(owner) ?? []));
    return rows.map((row) => {
      const userId = ownerUserId(row.owner);
      const username = userId === null ? null : (names.get(userId) ?? null);
      return { owner: row.owner, userId, username, ...sumsOf(row) };
    });
  }

  private async namedKeys(rows: readonly KeyRow[]): Promise<KeyUsage[]> {
    const names = await this.keys.namesOf(rows.map((row) => Number(row.api_key_id)));
    return rows.map((row) => {
      const apiKeyId = Number(row.api_key_id);
      return { apiKeyId, ...(names.get(apiKeyId) ?? DELETED_KEY), ...sumsOf(row) };
    });
  }
}

function daysOf({ from, to }: UsagePeriod): Days {
  const { first, end } = nearestMonths({ from, to });
  return { from, to, firstMonth: first, endOfMonths: end };
}

/**
 * The value below which a share of the counts lies; null without counts.
 * Own code: packages and `percentile_cont` of Postgres take single values, and the rollup stores counts of buckets.
 */
function percentile(buckets: readonly Bucket[], share: number): number | null {
  const rank = share * buckets.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { bucket, count } of buckets) {
    below += count;
    if (below >= rank) return latencyOfBucket(bucket);
  }
  return null;
}
