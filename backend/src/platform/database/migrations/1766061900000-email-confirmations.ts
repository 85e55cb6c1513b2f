import type { QueryRunner } from 'typeorm';

/** Accounts that wait until their address is confirmed. */
export class EmailConfirmations1766061900000 {
  name = 'EmailConfirmations1766061900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "email_confirmation" (
  "user_id" integer NOT NULL,
  "email" text NOT NULL,
  "guest_id" text NOT NULL,
  "token_hash" text,
  "expires_at" TIMESTAMP WITH TIME ZONE,
  CONSTRAINT "PK_email_confirmation" PRIMARY KEY ("user_id"),
  CONSTRAINT "FK_email_confirmation_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE
)`);
    await runner.query(`CREATE UNIQUE INDEX "email_confirmation_token" ON "email_confirmation" ("token_hash")`);
  }
}
