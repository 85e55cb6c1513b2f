import type { QueryRunner } from 'typeorm';

/** Stored responses of the public API. Nodes of the previous version do not have their routes. */
export class ApiResponses1763604322000 {
  name = 'ApiResponses1763604322000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "api_response" ("id" uuid NOT NULL, "user_id" integer NOT NULL, "previous_id" uuid, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "settings" text NOT NULL, "input" text NOT NULL, "state" text, "characters" integer NOT NULL, CONSTRAINT "PK_api_response" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "api_response_user" ON "api_response" ("user_id") `);
    await runner.query(`CREATE INDEX "api_response_created" ON "api_response" ("created_at") `);
    await runner.query(
      `ALTER TABLE "api_response" ADD CONSTRAINT "FK_api_response_user" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }
}
