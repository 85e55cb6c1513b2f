import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registration mode of the settings, and the approval of accounts. Existing accounts are approved. */
export class RegistrationMode1763600500000 implements MigrationInterface {
  name = 'RegistrationMode1763600500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user" ADD "is_approved" boolean NOT NULL DEFAULT true`);
    await runner.query(`ALTER TABLE "setting" ADD "registration_mode" text NOT NULL DEFAULT 'open'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "setting" DROP COLUMN "registration_mode"`);
    await runner.query(`ALTER TABLE "user" DROP COLUMN "is_approved"`);
  }
}
