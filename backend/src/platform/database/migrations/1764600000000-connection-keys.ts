import type { QueryRunner } from 'typeorm';

const BUILT_IN = ['openrouter', 'openai'];

/**
 * Key and base URL of the built-in connections move from `setting` into their rows. The keys are sealed for their rows at
 * the next start (`sealMovedSecrets`), because that needs APP_SECRET.
 */
export class ConnectionKeys1764600000000 {
  name = 'ConnectionKeys1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "provider_connection" DROP CONSTRAINT "provider_connection_key_in_settings"`);
    await runner.query(
      `CREATE TABLE IF NOT EXISTS "moved_secret" ("from_table" text NOT NULL, "from_column" text NOT NULL, "from_row" integer NOT NULL, "to_table" text NOT NULL, "to_column" text NOT NULL, "to_row" integer NOT NULL, "sealed" text NOT NULL, CONSTRAINT "PK_moved_secret" PRIMARY KEY ("to_table", "to_column", "to_row"))`,
    );
    for (const name of BUILT_IN) {
      await runner.query(
        `update provider_connection c set base_url = s.${name}_base_url from setting s where c.built_in = '${name}'`,
      );
      await runner.query(`
        insert into moved_secret (from_table, from_column, from_row, to_table, to_column, to_row, sealed)
        select 'setting', '${name}_api_key_sealed', s.id, 'provider_connection', 'api_key_sealed', c.id, s.${name}_api_key_sealed
        from setting s join provider_connection c on c.built_in = '${name}' where s.${name}_api_key_sealed is not null`);
      await runner.query(`ALTER TABLE "setting" DROP COLUMN "${name}_api_key_sealed", DROP COLUMN "${name}_base_url"`);
    }
  }
}
