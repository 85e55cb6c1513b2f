import type { QueryRunner } from 'typeorm';

/** Files that came before there was a model for embeddings wait behind new uploads. */
export class EmbeddingOrder1766360113000 {
  name = 'EmbeddingOrder1766360113000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE "project_file" SET "embedding_due_at" = now() WHERE "embedding_due_at" = '-infinity' AND "payer_id" IS NULL`,
    );
  }
}
