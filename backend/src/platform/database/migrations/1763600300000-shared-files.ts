import type { QueryRunner } from 'typeorm';

/** Keeps a file when its first thread is deleted while other threads use it. */
export class SharedFiles1763600300000 {
  name = 'SharedFiles1763600300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "file" ADD "also_in" bigint array NOT NULL DEFAULT '{}'`);
  }
}
