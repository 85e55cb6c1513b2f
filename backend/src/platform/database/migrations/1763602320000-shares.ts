import type { QueryRunner } from 'typeorm';

/** Share links with their snapshots, copies of files that belong to a snapshot, and the setting that allows links. */
export class Shares1763602320000 {
  name = 'Shares1763602320000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "setting" ADD "sharing_enabled" boolean NOT NULL DEFAULT true`);
    await runner.query(
      `CREATE TABLE "share" ("id" uuid NOT NULL, "token" text NOT NULL, "user_id" integer NOT NULL, "title" text NOT NULL, "messages" text NOT NULL, "message_count" integer NOT NULL, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "expires_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_share" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE UNIQUE INDEX "share_token" ON "share" ("token")`);
    await runner.query(`CREATE INDEX "share_user" ON "share" ("user_id")`);
    await runner.query(`CREATE INDEX "share_expiry" ON "share" ("expires_at") WHERE expires_at is not null`);
    await runner.query(
      `ALTER TABLE "share" ADD CONSTRAINT "FK_share_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(`ALTER TABLE "file" ADD "share_id" uuid`);
    await runner.query(
      `ALTER TABLE "file" ADD CONSTRAINT "FK_file_share" FOREIGN KEY ("share_id") REFERENCES "share"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(`CREATE INDEX "file_share" ON "file" ("share_id") WHERE share_id is not null`);
    await runner.query(
      `CREATE INDEX "file_unattached" ON "file" ("created_at") WHERE thread_id is null and share_id is null`,
    );
  }
}
