import type { QueryRunner } from 'typeorm';

/** Chunks of an answer that replace those before them. */
export class WholeChunks1765400000000 {
  name = 'WholeChunks1765400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "generation_chunk" ADD "is_whole" boolean NOT NULL DEFAULT false`);
  }
}
