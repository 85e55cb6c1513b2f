import type { QueryRunner } from 'typeorm';

/** Alerts with their deliveries, and since when a connection fails. */
export class Alerts1765500000000 {
  name = 'Alerts1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "alert" ("id" uuid NOT NULL, "kind" text NOT NULL, "occasion" text NOT NULL, "details" jsonb NOT NULL DEFAULT '{}', "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "attempts" integer NOT NULL DEFAULT '0', "due_at" TIMESTAMP WITH TIME ZONE, "is_mail_due" boolean NOT NULL DEFAULT false, CONSTRAINT "alert_occasion" UNIQUE ("occasion"), CONSTRAINT "PK_alert" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "alert_due" ON "alert" ("due_at") WHERE due_at is not null`);
    await runner.query(`ALTER TABLE "provider_connection" ADD "failing_since" TIMESTAMP WITH TIME ZONE`);
    await runner.query(`ALTER TABLE "setting" ADD "alert_webhook_secret_sealed" text`);
  }
}
