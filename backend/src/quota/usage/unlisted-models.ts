import { LIMITS, type UnlistedModel } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ModelsService } from '../../models/models.service.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { FRESH_FACTS } from './rollup-sql.js';

/** A call counts for this number of days, as in the migration to model kinds. */
const DAYS = 90;

const CALLED = `with facts as (
  select model_id, day, messages from usage_rollup
  where grain = 'model' and channel = 'api' and day > current_date - ${DAYS}
  union all
  select model_id, day, messages from (${FRESH_FACTS}) fresh where channel = 'api' and day > current_date - ${DAYS}
)
select model_id, sum(messages)::int as messages, max(day)::text as last_used_on from facts where model_id <> ''
group by model_id having sum(messages) > 0 order by max(day) desc, model_id`;

interface CalledRow {
  model_id: string;
  messages: number;
  last_used_on: string;
}

/**
 * Models that programs called and that are not in the list: they were deleted, or called before calls needed a listed model.
 * They are read from the ledger, so an id leaves the list 90 days after its last call.
 */
@Injectable()
export class UnlistedModels implements OnApplicationBootstrap {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly models: ModelsService,
  ) {}

  /** The start does not wait for the log line. */
  onApplicationBootstrap(): void {
    this.warn().catch((error: unknown) => this.logger.warn({ err: error }, 'reading the unlisted models failed'));
  }

  /** The last used first. */
  async list(): Promise<UnlistedModel[]> {
    const rows = await this.dataSource.query<CalledRow[]>(CALLED);
    const unlisted = rows.flatMap(({ model_id: modelId, messages, last_used_on: lastUsedOn }) => {
      const kind = this.models.kindOfUnlisted(modelId);
      return kind === null ? [] : [{ modelId, kind, messages, lastUsedOn }];
    });
    return unlisted.slice(0, LIMITS.unlistedModels);
  }

  private async warn(): Promise<void> {
    const modelIds = (await this.list()).map(({ modelId }) => modelId);
    if (modelIds.length > 0)
      this.logger.warn({ modelIds }, 'programs called models that are not listed; such calls are refused');
  }
}
