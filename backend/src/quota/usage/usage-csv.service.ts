import type { UsagePeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { ownerUserId, SITE_OWNER } from '../../identity/identity.js';
import { ReadReplica } from '../../platform/database/read-replica.js';
import { csvHead, csvLines } from '../../platform/http/csv.js';
import { UsersService } from '../../users/users.service.js';
import { FRESH_FACTS, MEASURES, REPORTED_SUMS } from './rollup-sql.js';
import { daysOf } from './usage-period.js';
import type { SumsRow } from './usage-sums.js';

const KEY = 'owner, model_id, plan, channel, api_key_id';

/** $1 day. */
const DAY = `with facts as (
  select ${KEY}, ${MEASURES} from usage_rollup where grain = 'full' and day = $1::date
  union all
  select ${KEY}, ${MEASURES} from (${FRESH_FACTS}) fresh where day = $1::date
)
select ${KEY}, ${REPORTED_SUMS} from facts group by ${KEY} order by ${KEY}`;

interface DayRow extends SumsRow {
  owner: string;
  model_id: string;
  plan: string;
  channel: string;
  api_key_id: string;
}

/** Rows of a piece: a day of many thousand people is not written in one turn of the event loop. */
const ROWS = 1_000;

const COLUMNS = [
  'day',
  'username',
  'owner',
  'model',
  'plan',
  'channel',
  'api_key_id',
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

/** The usage as CSV, as `docs/api.md` describes it: one row for each day, person, model, plan, channel and API key.
 * The site itself has the name "Site". */
@Injectable()
export class UsageCsv {
  constructor(
    private readonly replica: ReadReplica,
    private readonly users: UsersService,
  ) {}

  /** The lines of a period in pieces, those of a day one after another. */
  async *linesOf(period: Pick<UsagePeriod, 'from' | 'to'>): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    for (const day of daysOf(period)) {
      const rows = await this.replica.snapshot((run) => run<DayRow>(DAY, [day]));
      for (let at = 0; at < rows.length; at += ROWS) yield csvLines(await this.cells(day, rows.slice(at, at + ROWS)));
    }
  }

  private async cells(day: string, rows: readonly DayRow[]): Promise<unknown[][]> {
    const names = await this.users.usernamesOf([...new Set(rows.flatMap(({ owner }) => ownerUserId(owner) ?? []))]);
    return rows.map((row) => [
      day,
      row.owner === SITE_OWNER ? 'Site' : (names.get(ownerUserId(row.owner) ?? 0) ?? ''),
      row.owner,
      row.model_id,
      row.plan,
      row.channel,
      row.api_key_id,
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
}
