import type { QueryRunner } from 'typeorm';

/** Indexes for the admin search of accounts by any part of name, e-mail address or id. */
export class UserSearch1763600100000 {
  name = 'UserSearch1763600100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    await runner.query(
      `CREATE INDEX "user_search" ON "user" USING gin ((lower(username || ' ' || coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, ''))) gin_trgm_ops)`,
    );
    await runner.query(`CREATE INDEX "user_username_prefix" ON "user" (username_key text_pattern_ops)`);
  }
}
