import type { QueryRunner } from 'typeorm';

/** Finds the failed logins of an address, and the logins that the audit log no longer keeps. */
export class LoginEvents1766020000000 {
  name = 'LoginEvents1766020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "audit_entry_login" ON "audit_entry" ("address", "created_at") WHERE target_kind = 'login'`,
    );
  }
}
