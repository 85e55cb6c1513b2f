import type { QueryRunner } from 'typeorm';

/** Temporary threads. The thread of a guest ends a day after its last message, where it ended a day after its beginning. */
export class TemporaryThreads1766030000000 {
  name = 'TemporaryThreads1766030000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "thread" ADD "is_temporary" boolean NOT NULL DEFAULT false, ADD "lifetime" double precision`,
    );
    await runner.query(
      `UPDATE "thread" SET "lifetime" = 86400 WHERE "owner" LIKE 'guest:%' OR "owner" LIKE 'deleted:guest:%'`,
    );
  }
}
