import type { QueryRunner } from 'typeorm';

const WORDS = `username || ' ' || coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, '')`;

/** Accounts that must choose a new password; a search of people without accents. */
export class People1765950000000 {
  name = 'People1765950000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user" ADD "must_change_password" boolean NOT NULL DEFAULT false`);
    await runner.query(
      `CREATE FUNCTION search_key(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select translate(regexp_replace(normalize(lower(words), NFKD), U&'[\\0300-\\036F]', '', 'g'), 'øłđħı', 'oldhi')
$$`,
    );
    await runner.query(`DROP INDEX "user_search"`);
    await runner.query(`CREATE INDEX "user_search" ON "user" USING gin ((search_key(${WORDS})) gin_trgm_ops)`);
  }
}
