import type { QueryRunner } from 'typeorm';

/** Models that answer instead of another, and what is kept of the attempts of an answer. */
export class Fallbacks1766040000000 {
  name = 'Fallbacks1766040000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "model" ADD "fallbacks" text array NOT NULL DEFAULT '{}'`);
    await runner.query(`ALTER TABLE "generation" ADD "fallback" jsonb`);
    await runner.query(`ALTER TABLE "usage_record" ADD "attempts" jsonb`);
  }
}
