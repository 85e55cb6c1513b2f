import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Chunks of an answer that replace those before them. */
export class WholeChunks1765400000000 implements MigrationInterface {
  name = 'WholeChunks1765400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "generation_chunk" ADD "is_whole" boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "generation_chunk" DROP COLUMN "is_whole"`);
  }
}
