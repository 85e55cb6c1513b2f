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

/** The columns of a row that names are looked up for. */
interface NamedRow {
  owner: string;
  model_id: string;
  api_key_id: string;
}

interface DayRow extends SumsRow, NamedRow {
  plan: string;
  channel: string;
}

type RecordRow = NamedRow & Record<(typeof RECORD_COLUMNS)[number], string | number | null>;

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

/** Columns of one record after those with names. */
const RECORD_COLUMNS = [
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
] as const;

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
  ...RECORD_COLUMNS,
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
      for (let at = 0; at < rows.length; at += ROWS) yield csvLines(await this.cells(day, rows.slice(at, at + ROWS)));
    }
  }

  /** One line for each generation and each call of the site, in pieces. */
  async *detailsOf(period: Pick<UsagePeriod, 'from' | 'to'>, filter: UsageFilter): AsyncIterable<string> {
    const part = this.partOf(filter);
    yield csvHead(DETAILS);
    for (const day of daysOf(period)) {
      for (let hour = 0; hour < 24; hour += 1) {
        const start = `${day}T${String(hour).padStart(2, '0')}:00:00Z`;
        const rows = await this.replica.snapshot((run) =>
          run<RecordRow & DetailRow>(...selectRecords({ hour: start, ...part })),
        );
        for (let at = 0; at < rows.length; at += ROWS) yield csvLines(await this.details(rows.slice(at, at + ROWS)));
      }
    }
  }

  private partOf(filter: UsageFilter): FactsFilter {
    return factsFilter(filter, (connectionId) => this.models.answeredBy(connectionId)) ?? EVERYTHING;
  }

  private async cells(day: string, rows: readonly DayRow[]): Promise<unknown[][]> {
    const names = await this.namesOf(rows);
    return rows.map((row) => [
      day,
      names.person(row),
      row.owner,
      row.model_id,
      names.model(row),
      row.plan,
      row.channel,
      row.api_key_id,
      names.key(row),
      row.generations,
      row.messages,
      row.failures,
      row.prompt_tokens,
      row.completion_tokens,
      row.cached_tokens,
      row.reasoning_tokens,
      row.unpriced > 0 && row.cost_usd === '0' && row.unpriced >= row.generations ? '' : row.cost_usd,
      row.unpriced,
    ]);
  }

  private async details(rows: readonly (RecordRow & DetailRow)[]): Promise<unknown[][]> {
    const names = await this.namesOf(rows);
    return rows.map((row) => [
      row.settled_at,
      row.generation_id,
      names.person(row),
      row.owner,
      row.model_id,
      names.model(row),
      row.answering_model,
      row.plan,
      row.channel,
      row.api_key_id,
      names.key(row),
      ...RECORD_COLUMNS.map((column) => row[column]),
    ]);
  }

  /** The names beside the ids of some rows; '' for what has been deleted. */
  private async namesOf(rows: readonly NamedRow[]) {
    const people = await this.users.usernamesOf([...new Set(rows.flatMap(({ owner }) => ownerUserId(owner) ?? []))]);
    const keyIds = new Set(rows.flatMap(({ api_key_id: id }) => (id === '' ? [] : [Number(id)])));
    const keys = await this.keys.namesOf([...keyIds]);
    return {
      person: ({ owner }: NamedRow) => (owner === SITE_OWNER ? 'Site' : (people.get(ownerUserId(owner) ?? 0) ?? '')),
      model: ({ model_id: id }: NamedRow) => (id === '' ? '' : (this.models.find(id)?.name ?? '')),
      key: ({ api_key_id: id }: NamedRow) => (id === '' ? '' : (keys.get(Number(id))?.name ?? '')),
    };
  }
}

interface DetailRow {
  settled_at: string;
  generation_id: string;
  answering_model: string;
  plan: string;
  channel: string;
}
