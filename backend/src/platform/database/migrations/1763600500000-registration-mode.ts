import type { QueryRunner } from 'typeorm';

/** Registration mode of the settings, and the approval of accounts. Existing accounts are approved. */
export class RegistrationMode1763600500000 {
  name = 'RegistrationMode1763600500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user" ADD "is_approved" boolean NOT NULL DEFAULT true`);
    await runner.query(`ALTER TABLE "setting" ADD "registration_mode" text NOT NULL DEFAULT 'open'`);
  }
}
