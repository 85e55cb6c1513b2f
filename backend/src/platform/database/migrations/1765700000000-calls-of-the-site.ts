import type { QueryRunner } from 'typeorm';

/** Finds the calls of the site itself that a dead node has left in the ledger. */
export class CallsOfTheSite1765700000000 {
  name = 'CallsOfTheSite1765700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "usage_record_site_held" ON "usage_record" ("created_at") WHERE owner = 'site' and state = 'held'`,
    );
  }
}
