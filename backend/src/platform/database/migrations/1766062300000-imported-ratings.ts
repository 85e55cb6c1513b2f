import type { QueryRunner } from 'typeorm';

/** Ratings that come with an import have no model of this installation. */
export class ImportedRatings1766062300000 {
  name = 'ImportedRatings1766062300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "message_feedback" ALTER COLUMN "model_id" DROP NOT NULL`);
  }
}
