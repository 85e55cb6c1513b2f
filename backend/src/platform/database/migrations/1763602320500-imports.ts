import type { QueryRunner } from 'typeorm';

/** Imports of conversations from other programs, their reports, and the origin of imported threads. */
export class Imports1763602320500 {
  name = 'Imports1763602320500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "import" ("id" uuid NOT NULL, "user_id" integer NOT NULL, "state" text NOT NULL DEFAULT 'running', "source" text, "imported" integer NOT NULL DEFAULT '0', "skipped" integer NOT NULL DEFAULT '0', "failed" integer NOT NULL DEFAULT '0', "progress" real NOT NULL DEFAULT '0', "error" jsonb, "node_id" uuid NOT NULL, "heartbeat_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "ended_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_import" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "import_user" ON "import" ("user_id")`);
    await runner.query(`CREATE UNIQUE INDEX "import_one_running" ON "import" ("user_id") WHERE state = 'running'`);
    await runner.query(
      `CREATE INDEX "import_unfinished" ON "import" ("heartbeat_at") WHERE state in ('running', 'undone')`,
    );
    await runner.query(
      `ALTER TABLE "import" ADD CONSTRAINT "FK_import_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE TABLE "import_item" ("import_id" uuid NOT NULL, "position" integer NOT NULL, "title" text NOT NULL, "outcome" text NOT NULL, "reason" jsonb, CONSTRAINT "PK_import_item" PRIMARY KEY ("import_id", "position"))`,
    );
    await runner.query(
      `ALTER TABLE "import_item" ADD CONSTRAINT "FK_import_item_import" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `CREATE TABLE "imported_thread" ("thread_id" bigint NOT NULL, "import_id" uuid NOT NULL, "position" integer NOT NULL, "user_id" integer NOT NULL, "source_key" text NOT NULL, CONSTRAINT "PK_imported_thread" PRIMARY KEY ("thread_id"))`,
    );
    await runner.query(`CREATE UNIQUE INDEX "imported_thread_key" ON "imported_thread" ("user_id", "source_key")`);
    await runner.query(`CREATE INDEX "imported_thread_import" ON "imported_thread" ("import_id", "position")`);
    await runner.query(
      `ALTER TABLE "imported_thread" ADD CONSTRAINT "FK_imported_thread_thread" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "imported_thread" ADD CONSTRAINT "FK_imported_thread_import" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
