import type { QueryRunner } from 'typeorm';

/** The accounts that a request to reset a password has mailed. Nodes of the previous version mail all of them again. */
export class MailedAccounts1763604400000 {
  name = 'MailedAccounts1763604400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "password_reset_request" ADD "mailed_user_ids" integer array NOT NULL DEFAULT '{}'`,
    );
  }
}
