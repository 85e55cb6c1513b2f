import type { QueryRunner } from 'typeorm';

const IMPORTED = `EXISTS (SELECT 1 FROM "imported_thread" i WHERE i.thread_id = made.id)`;

/** Counts messages of some threads. Each kind is an update of its own: together they would read every message. */
const writtenIn = (messages: string, threads: string): string => `
  UPDATE "thread" t SET written_characters = least(written.characters, 2000000000)
  FROM (
    SELECT m.thread_id, 1000 + sum(200 + octet_length(m.content) + coalesce(octet_length(m.reasoning), 0)
      + coalesce(pg_column_size(m.parts), 0)) AS characters
    FROM "thread" made JOIN "message" m ON m.thread_id = made.id
    WHERE ${threads} AND (${messages})
    GROUP BY m.thread_id
  ) written WHERE written.thread_id = t.id`;

/**
 * Characters of stored texts, for the bound of an owner. Existing texts count with their bytes, which Postgres has
 * without reading them. What a later response reads of an earlier one keeps its count.
 */
export class StoredTexts1764200000000 {
  name = 'StoredTexts1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "api_response" ADD "settings_characters" integer NOT NULL DEFAULT 0`);
    await runner.query(`
      UPDATE "api_response" SET settings_characters = octet_length(settings),
        characters = characters + octet_length(settings)
    `);
    await runner.query(`ALTER TABLE "share" ADD "characters" integer NOT NULL DEFAULT 0`);
    await runner.query(`UPDATE "share" SET characters = octet_length(messages)`);
    await runner.query(`ALTER TABLE "thread" ADD "written_characters" integer NOT NULL DEFAULT 0`);
    await runner.query(
      writtenIn(`m.id <= made.shared_until_id AND NOT ${IMPORTED}`, 'made.shared_until_id IS NOT NULL'),
    );
    await runner.query(writtenIn('m.id <= made.shared_until_id OR m.generation_id IS NULL', IMPORTED));
    await runner.query(
      `CREATE INDEX "thread_written" ON "thread" ("owner", "written_characters") WHERE written_characters > 0`,
    );
  }
}
