import type { QueryRunner } from 'typeorm';

/** Chunks of tables of contents. Those of files that were read before are found when their words are made again. */
export class ContentsChunks1766360120000 {
  name = 'ContentsChunks1766360120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "project_chunk" ADD "is_contents" boolean NOT NULL DEFAULT false`);
  }
}
