import type { QueryRunner } from 'typeorm';

/** Built-in tools and search services in the settings, tools of threads, last outcomes of search services. */
export class Tools1763602522000 {
  name = 'Tools1763602522000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "setting" ADD "built_in_tools" jsonb NOT NULL DEFAULT '{}',
        ADD "search_backend" text NOT NULL DEFAULT 'auto', ADD "searxng_url" text,
        ADD "brave_api_key_sealed" text, ADD "tavily_api_key_sealed" text`,
    );
    await runner.query(`ALTER TABLE "thread" ADD "tools" text array NOT NULL DEFAULT '{}'`);
    await runner.query(
      `CREATE TABLE "search_health" ("service" text NOT NULL, "last_error" jsonb, "last_error_at" TIMESTAMP WITH TIME ZONE, "last_success_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_search_health" PRIMARY KEY ("service"))`,
    );
  }
}
