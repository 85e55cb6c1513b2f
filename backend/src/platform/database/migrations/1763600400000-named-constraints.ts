import type { QueryRunner } from 'typeorm';

/** Names the constraints whose violations the code distinguishes. */
export class NamedConstraints1763600400000 {
  name = 'NamedConstraints1763600400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "model" RENAME CONSTRAINT "UQ_8003cab911c5cb660870890f38b" TO "model_model_id"`);
    await runner.query(`ALTER TABLE "user" RENAME CONSTRAINT "UQ_145bd9b89097323c22aa757085e" TO "user_username_key"`);
  }
}
