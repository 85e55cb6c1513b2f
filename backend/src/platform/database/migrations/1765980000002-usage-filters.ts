import type { QueryRunner } from 'typeorm';

/** Usage of one model, of one API key and of one hour without reading that of all. */
export class UsageFilters1765980000002 {
  name = 'UsageFilters1765980000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "usage_rollup_model" ON "usage_rollup" ("model_id", "day") WHERE grain = 'full'`);
    await runner.query(
      `CREATE INDEX "usage_rollup_key" ON "usage_rollup" ("api_key_id", "day") WHERE grain = 'full' and api_key_id <> ''`,
    );
    await runner.query(
      `CREATE INDEX "usage_record_settled" ON "usage_record" USING brin ("settled_at") WITH (pages_per_range = 32, autosummarize = on)`,
    );
  }
}
