import type { QueryRunner } from 'typeorm';

/** The logo of the installation. */
export class SiteLogo1765980000001 {
  name = 'SiteLogo1765980000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "site_logo" ("id" integer NOT NULL DEFAULT '1', "type" text NOT NULL, "bytes" bytea NOT NULL, "version" text NOT NULL, "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "site_logo_one_row" CHECK (id = 1), CONSTRAINT "PK_site_logo" PRIMARY KEY ("id"))`,
    );
  }
}
