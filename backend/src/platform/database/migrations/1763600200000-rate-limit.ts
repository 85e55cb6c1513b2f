import type { QueryRunner } from 'typeorm';

/** Table for counts of failed logins that survive a restart without Redis. */
export class RateLimit1763600200000 {
  name = 'RateLimit1763600200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "rate_limit" ("key" text NOT NULL, "points" integer NOT NULL DEFAULT '0', "expire" bigint, CONSTRAINT "PK_rate_limit" PRIMARY KEY ("key"))`,
    );
  }
}
