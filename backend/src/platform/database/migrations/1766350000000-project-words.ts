import type { QueryRunner } from 'typeorm';

/** The version of what the chunks of a file are found by. */
export class ProjectWords1766350000000 {
  name = 'ProjectWords1766350000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "project_file" ADD "words_version" integer NOT NULL DEFAULT '0'`);
  }
}
