import type { QueryRunner } from 'typeorm';

/**
 * Documents in sections, with their place. The files of today keep their text until they are read again, on their first
 * use: `reader_version` 0.
 */
export class DocumentSections1764800000000 {
  name = 'DocumentSections1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "file" ADD "reader_version" integer NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE "file" ADD "pages" integer`);
    await runner.query(`
      CREATE TABLE "file_section" (
        "file_id" uuid NOT NULL, "index" integer NOT NULL, "kind" text NOT NULL, "label" text NOT NULL,
        "text" text NOT NULL, CONSTRAINT "PK_file_section" PRIMARY KEY ("file_id", "index")
      )
    `);
    await runner.query(`
      ALTER TABLE "file_section" ADD CONSTRAINT "FK_file_section_file"
      FOREIGN KEY ("file_id") REFERENCES "file"("id") ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }
}
