import type { QueryRunner } from 'typeorm';

/**
 * Pinned and archived threads, and ratings of answers. `thread_user_recent` stays: searches use it, and so do the lists of
 * nodes of the previous version.
 */
export class ThreadOrder1763602423000 {
  name = 'ThreadOrder1763602423000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "thread" ADD "is_pinned" boolean NOT NULL DEFAULT false, ADD "is_archived" boolean NOT NULL DEFAULT false`,
    );
    await runner.query(
      `CREATE INDEX "thread_user_listed" ON "thread" ("user_id", "is_pinned", "updated_at", "id") WHERE not is_archived`,
    );
    await runner.query(
      `CREATE INDEX "thread_user_archived" ON "thread" ("user_id", "updated_at", "id") WHERE is_archived`,
    );
    await runner.query(
      `CREATE TABLE "message_feedback" ("message_id" bigint NOT NULL, "rating" text NOT NULL, "reason" text, "model_id" text NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_message_feedback" PRIMARY KEY ("message_id"))`,
    );
    await runner.query(`CREATE INDEX "message_feedback_model" ON "message_feedback" ("model_id", "rating")`);
    await runner.query(
      `ALTER TABLE "message_feedback" ADD CONSTRAINT "FK_message_feedback_message" FOREIGN KEY ("message_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
