import type { QueryRunner } from 'typeorm';

/**
 * The single API key of an account becomes a row of `api_key`. It is sealed for its row at the next start
 * (`sealMovedSecrets`), because that needs APP_SECRET.
 */
export class ReadableKeys1764700000000 {
  name = 'ReadableKeys1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "api_key" ADD "is_readable" boolean NOT NULL DEFAULT false, ADD "secret_sealed" text, ALTER COLUMN "hint" DROP NOT NULL`,
    );
    await runner.query(`CREATE UNIQUE INDEX "api_key_readable" ON "api_key" ("user_id") WHERE is_readable`);
    await runner.query(`
      insert into api_key (user_id, name, key_hash, is_readable)
      select id, 'API key', api_key_hash, true from "user" where api_key_hash is not null`);
    await runner.query(
      `CREATE TABLE IF NOT EXISTS "moved_secret" ("from_table" text NOT NULL, "from_column" text NOT NULL, "from_row" integer NOT NULL, "to_table" text NOT NULL, "to_column" text NOT NULL, "to_row" integer NOT NULL, "sealed" text NOT NULL, CONSTRAINT "PK_moved_secret" PRIMARY KEY ("to_table", "to_column", "to_row"))`,
    );
    await runner.query(`
      insert into moved_secret (from_table, from_column, from_row, to_table, to_column, to_row, sealed)
      select 'user', 'api_key_sealed', u.id, 'api_key', 'secret_sealed', k.id, u.api_key_sealed
      from "user" u join api_key k on k.user_id = u.id and k.is_readable where u.api_key_sealed is not null`);
    await runner.query(`ALTER TABLE "user" DROP COLUMN "api_key_hash", DROP COLUMN "api_key_sealed"`);
  }
}
