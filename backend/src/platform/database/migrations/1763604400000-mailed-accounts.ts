import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The accounts that a request to reset a password has mailed. Nodes of the previous version mail all of them again. */
export class MailedAccounts1763604400000 implements MigrationInterface {
  name = 'MailedAccounts1763604400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "password_reset_request" ADD "mailed_user_ids" integer array NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "password_reset_request" DROP COLUMN "mailed_user_ids"`);
  }
}
