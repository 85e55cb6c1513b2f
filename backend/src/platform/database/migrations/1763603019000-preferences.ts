import type { QueryRunner } from 'typeorm';

/** Preferences of accounts, and whether their custom instructions apply to a thread. Existing threads follow the account. */
export class Preferences1763603019000 {
  name = 'Preferences1763603019000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "user_preference" ("user_id" integer NOT NULL, "model_id" text, "about_me" text NOT NULL DEFAULT '', "how_to_answer" text NOT NULL DEFAULT '', "use_instructions" boolean NOT NULL DEFAULT true, CONSTRAINT "PK_user_preference" PRIMARY KEY ("user_id"))`,
    );
    await runner.query(
      `ALTER TABLE "user_preference" ADD CONSTRAINT "FK_user_preference_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(`ALTER TABLE "thread" ADD "use_instructions" boolean`);
  }
}
