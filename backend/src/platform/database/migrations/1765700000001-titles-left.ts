import type { QueryRunner } from 'typeorm';

/** Threads from before keep their titles, which a model may have written: nothing tells these apart. */
export class TitlesLeft1765700000001 {
  name = 'TitlesLeft1765700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "thread" ADD "titles_left" smallint NOT NULL DEFAULT 0`);
  }
}
