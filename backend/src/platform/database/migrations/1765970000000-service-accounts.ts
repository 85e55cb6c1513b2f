import type { QueryRunner } from 'typeorm';

/** Accounts of programs, which cannot sign in. */
export class ServiceAccounts1765970000000 {
  name = 'ServiceAccounts1765970000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user" ADD "is_service" boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE "user" ADD CONSTRAINT "user_service_admin" CHECK (not (is_service and is_admin))`);
  }
}
