import type { QueryRunner } from 'typeorm';

/** Second factor of accounts, and the roles that must have one. Existing accounts have none. */
export class Totp1763602200000 {
  name = 'Totp1763602200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user" ADD "has_totp" boolean NOT NULL DEFAULT false`);
    await runner.query(
      `ALTER TABLE "setting" ADD "totp_required" jsonb NOT NULL DEFAULT '{"admin":false,"member":false}'`,
    );
    await runner.query(
      `CREATE TABLE "totp" ("user_id" integer NOT NULL, "secret_sealed" text, "last_step" bigint NOT NULL DEFAULT '0', "pending_sealed" text, "pending_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_totp" PRIMARY KEY ("user_id"))`,
    );
    await runner.query(
      `ALTER TABLE "totp" ADD CONSTRAINT "FK_totp_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE TABLE "recovery_code" ("user_id" integer NOT NULL, "code_hash" text NOT NULL, CONSTRAINT "PK_recovery_code" PRIMARY KEY ("user_id", "code_hash"))`,
    );
    await runner.query(
      `ALTER TABLE "recovery_code" ADD CONSTRAINT "FK_recovery_code_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
