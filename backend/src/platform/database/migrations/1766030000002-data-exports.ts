import type { QueryRunner } from 'typeorm';

/** Exports of everything of an account. */
export class DataExports1766030000002 {
  name = 'DataExports1766030000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "data_export" ("id" uuid NOT NULL, "user_id" integer NOT NULL, "state" text NOT NULL DEFAULT 'running', "progress" real NOT NULL DEFAULT '0', "bytes" bigint NOT NULL DEFAULT '0', "heartbeat_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "ended_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_data_export" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "data_export_user" ON "data_export" ("user_id")`);
    await runner.query(
      `CREATE UNIQUE INDEX "data_export_running" ON "data_export" ("user_id") WHERE state = 'running'`,
    );
    await runner.query(
      `ALTER TABLE "data_export" ADD CONSTRAINT "FK_data_export_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
