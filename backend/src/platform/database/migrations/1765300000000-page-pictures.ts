import type { QueryRunner } from 'typeorm';

/** Pages of PDFs without text as pictures. The PDFs of today are read again on their first use. */
export class PagePictures1765300000000 {
  name = 'PagePictures1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "file" ADD "pictures" integer NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE "file" ADD "pictures_id" uuid`);
    await runner.query(`ALTER TABLE "file" ADD "picture_bytes" integer NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE "file_section" ADD "picture" integer`);
    await runner.query(`CREATE INDEX "file_pictures" ON "file" ("pictures_id") WHERE pictures_id is not null`);
  }
}
