import type { QueryRunner } from 'typeorm';

/** Limits of keys that admins set, rates of keys, keys for the calls of admins, and the key of an audit entry. */
export class KeyLimits1765990000000 {
  name = 'KeyLimits1765990000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "api_key" ADD "scope" text NOT NULL DEFAULT 'api', ADD "requests_per_minute" integer, ADD "tokens_per_minute" integer, ADD "admin_limits" jsonb NOT NULL DEFAULT '{}'`,
    );
    await runner.query(`ALTER TABLE "audit_entry" ADD "actor_key_id" integer, ADD "actor_key_name" text`);
  }
}
