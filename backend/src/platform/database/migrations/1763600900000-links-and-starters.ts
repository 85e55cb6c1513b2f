import type { QueryRunner } from 'typeorm';

/** Links of the page and own conversation ideas in the settings. */
export class LinksAndStarters1763600900000 {
  name = 'LinksAndStarters1763600900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "setting" ADD "upgrade_url" text, ADD "guest_signup_url" text, ADD "pro_app_url" text,
        ADD "terms_url" text, ADD "contact_url" text, ADD "starters" text array NOT NULL DEFAULT '{}'`,
    );
  }
}
