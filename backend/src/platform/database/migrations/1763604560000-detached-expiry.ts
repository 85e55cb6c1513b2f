import type { QueryRunner } from 'typeorm';

/** Index of the detached generations by their end, for their deletion. Nodes of the previous version delete none. */
export class DetachedExpiry1763604560000 {
  name = 'DetachedExpiry1763604560000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS "generation_detached_expiry" ON "generation" ("finished_at") WHERE thread_id is null and finished_at is not null`,
    );
  }
}
