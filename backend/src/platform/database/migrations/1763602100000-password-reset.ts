import type { QueryRunner } from 'typeorm';

/** Requests to reset a password, the links that are mailed for them, and the look-up of accounts by e-mail address. */
export class PasswordReset1763602100000 {
  name = 'PasswordReset1763602100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "password_reset_request" ("id" uuid NOT NULL, "email" text NOT NULL, "attempts" integer NOT NULL DEFAULT '0', "next_attempt_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_password_reset_request" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "password_reset_request_due" ON "password_reset_request" ("next_attempt_at")`);
    await runner.query(
      `CREATE TABLE "password_reset" ("user_id" integer NOT NULL, "token_hash" text NOT NULL, "email" text NOT NULL, "session_epoch" integer NOT NULL, "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL, CONSTRAINT "PK_password_reset" PRIMARY KEY ("user_id"))`,
    );
    await runner.query(`CREATE UNIQUE INDEX "password_reset_token" ON "password_reset" ("token_hash")`);
    await runner.query(
      `ALTER TABLE "password_reset" ADD CONSTRAINT "FK_password_reset_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(`CREATE INDEX IF NOT EXISTS "user_email" ON "user" (lower("email"))`);
  }
}
