import type { QueryRunner } from 'typeorm';

/** The default language of the site, the language of an account, and the codes of the remarks about an answer. */
export class Languages1763602317000 {
  name = 'Languages1763602317000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "setting" ADD "default_language" text NOT NULL DEFAULT 'spec'`);
    await runner.query(`ALTER TABLE "user" ADD "language" text`);
    await runner.query(`ALTER TABLE "message" ADD "notices" jsonb`);
  }
}
