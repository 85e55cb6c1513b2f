import type { QueryRunner } from 'typeorm';

/** How long threads stay. Nothing of a member is deleted until an admin sets days. Earlier imports count as activity of now. */
export class Retention1766030000001 {
  name = 'Retention1766030000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "retention" ("id" integer NOT NULL, "guest" integer DEFAULT '1', "free" integer, "premium" integer, "exempt_pinned" boolean NOT NULL DEFAULT true, "before" jsonb, "effective_at" TIMESTAMP WITH TIME ZONE, "mailed_to" integer, "swept_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_retention" PRIMARY KEY ("id"))`,
    );
    await runner.query(
      `CREATE TABLE "retention_day" ("day" date NOT NULL, "threads" integer NOT NULL DEFAULT '0', "messages" integer NOT NULL DEFAULT '0', "files" integer NOT NULL DEFAULT '0', "bytes" bigint NOT NULL DEFAULT '0', "audited_threads" integer NOT NULL DEFAULT '0', "audit_id" bigint, CONSTRAINT "PK_retention_day" PRIMARY KEY ("day"))`,
    );
    await runner.query(`ALTER TABLE "thread" ADD "written_at" TIMESTAMP WITH TIME ZONE`);
    await runner.query(`UPDATE "thread" SET "written_at" = now() WHERE "written_characters" > 0`);
  }
}
