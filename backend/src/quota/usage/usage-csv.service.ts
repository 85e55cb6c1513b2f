import type { UsageFilter, UsagePeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { ownerUserId, SITE_OWNER } from '../../identity/identity.js';
import { ModelsService } from '../../models/models.service.js';
import { statement } from '../../platform/database/named-parameters.js';
import { ReadReplica } from '../../platform/database/read-replica.js';
import { csvHead, csvLines } from '../../platform/http/csv.js';
import { UserLookup } from '../../users/user-lookup.service.js';
import { FRESH_FACTS, IS_COUNTED, MEASURES, REPORTED_SUMS } from './rollup-sql.js';
import { EVERYTHING, type FactsFilter, factsFilter, FILTERED } from './usage-filter.js';
import { daysOf } from './usage-period.js';
import type { SumsRow } from './usage-sums.js';

const KEY = 'owner, model_id, plan, channel, api_key_id';

const selectDay = statement<{ day: string } & FactsFilter>(`with facts as (
  select ${KEY}, ${MEASURES} from usage_rollup where grain = 'full' and day = :day::date ${FILTERED}
  union all
  select ${KEY}, ${MEASURES} from (${FRESH_FACTS}) fresh where day = :day::date ${FILTERED}
)
select ${KEY}, ${REPORTED_SUMS} from facts group by ${KEY} order by ${KEY}`);

/** The rows of one hour: a day may have more than memory should hold. */
const selectRecords = statement<{ hour: string } & FactsFilter>(`
select * from (
  select r.id, to_char(r.settled_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as settled_at,
    coalesce(r.generation_id::text, '') as generation_id, r.owner, coalesce(r.model_id, '') as model_id,
    coalesce(r.answering_model, '') as answering_model, coalesce(r.plan, '') as plan, coalesce(r.channel, '') as channel,
    coalesce(r.api_key_id::text, '') as api_key_id, coalesce(r.reason, '') as outcome,
    case when r.state = 'charged' then r.cost else 0 end as messages, r.prompt_tokens, r.completion_tokens, r.cached_tokens,
    r.reasoning_tokens, trim_scale(r.cost_usd)::text as cost_usd, coalesce(r.cost_source, 'unknown') as cost_source,
    r.first_token_ms, r.total_ms
  from usage_record r where ${IS_COUNTED} and r.settled_at >= :hour::timestamptz
    and r.settled_at < :hour::timestamptz + interval '1 hour'
) records where true ${FILTERED} order by settled_at, id`);

/** A row, in which each column of the file has its name, but for those that `named` adds. */
interface Row {
  owner: string;
  model_id: string;
  api_key_id: string;
  [column: string]: unknown;
}

type DayRow = Row & Pick<SumsRow, 'generations' | 'unpriced' | 'cost_usd'>;

/** Rows of a piece: a day of many thousand people is not written in one turn of the event loop. */
const ROWS = 1_000;

const COLUMNS = [
  'day',
  'username',
  'owner',
  'model',
  'model_name',
  'plan',
  'channel',
  'api_key_id',
  'api_key_name',
  'generations',
  'messages',
  'failures',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cost_usd',
  'unpriced',
];

const DETAILS = [
  'time',
  'generation_id',
  'username',
  'owner',
  'model',
  'model_name',
  'answering_model',
  'plan',
  'channel',
  'api_key_id',
  'api_key_name',
  'outcome',
  'messages',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'cost_usd',
  'cost_source',
  'first_token_ms',
  'total_ms',
];

/** The usage as CSV, as `docs/api.md` describes it. The site itself has the name "Site". */
@Injectable()
export class UsageCsv {
  constructor(
    private readonly replica: ReadReplica,
    private readonly users: UserLookup,
    private readonly keys: ApiKeysService,
    private readonly models: ModelsService,
  ) {}

  /** One line for each day, person, model, plan, channel and API key, in pieces. */
  async *linesOf(period: Pick<UsagePeriod, 'from' | 'to'>, filter: UsageFilter): AsyncIterable<string> {
    const part = this.partOf(filter);
    yield csvHead(COLUMNS);
    for (const day of daysOf(period)) {
      const rows = await this.replica.snapshot((run) => run<DayRow>(...selectDay({ day, ...part })));
      for (let at = 0; at < rows.length; at += ROWS) {
        const named = await this.named(rows.slice(at, at + ROWS));
        yield csvLines(named.map((row) => cellsOf(COLUMNS, { ...row, day, cost_usd: costOf(row) })));
      }
    }
  }

  /** One line for each generation and each call of the site, in pieces. */
  async *detailsOf(period: Pick<UsagePeriod, 'from' | 'to'>, filter: UsageFilter): AsyncIterable<string> {
    const part = this.partOf(filter);
    yield csvHead(DETAILS);
    for (const day of daysOf(period)) {
      for (let hour = 0; hour < 24; hour += 1) {
        const start = `${day}T${String(hour).padStart(2, '0')}:00:00Z`;
        const rows = await this.replica.snapshot((run) => run<Row>(...selectRecords({ hour: start, ...part })));
        for (let at = 0; at < rows.length; at += ROWS) {
          const named = await this.named(rows.slice(at, at + ROWS));
          yield csvLines(named.map((row) => cellsOf(DETAILS, { ...row, time: row.settled_at })));
        }
      }
    }
  }

  private partOf(filter: UsageFilter): FactsFilter {
    return factsFilter(filter, (connectionId) => this.models.answeredBy(connectionId)) ?? EVERYTHING;
  }

  /** Rows with the names beside their ids; '' for what has been deleted. */
  private async named<T extends Row>(rows: readonly T[]) {
    const people = await this.users.usernamesOf([...new Set(rows.flatMap(({ owner }) => ownerUserId(owner) ?? []))]);
    const keyIds = new Set(rows.flatMap(({ api_key_id: id }) => (id === '' ? [] : [Number(id)])));
    const keys = await this.keys.namesOf([...keyIds]);
    return rows.map((row) => ({
      ...row,
      username: row.owner === SITE_OWNER ? 'Site' : (people.get(ownerUserId(row.owner) ?? 0) ?? ''),
      model: row.model_id,
      model_name: row.model_id === '' ? '' : (this.models.find(row.model_id)?.name ?? ''),
      api_key_name: row.api_key_id === '' ? '' : (keys.get(Number(row.api_key_id))?.name ?? ''),
    }));
  }
}

const cellsOf = (columns: readonly string[], row: Record<string, unknown>): unknown[] =>
  columns.map((column) => row[column]);

/** Empty where no cost is known. */
const costOf = ({ unpriced, cost_usd: cost, generations }: DayRow): string =>
  unpriced > 0 && cost === '0' && unpriced >= generations ? '' : cost;
