import type { QueryRunner } from 'typeorm';

/** The provider's own id, a system prompt and default parameters of models. */
export class ModelSetup1765980000000 {
  name = 'ModelSetup1765980000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "model" ADD "upstream_id" text`);
    await runner.query(`ALTER TABLE "model" ADD "system_prompt" text`);
    await runner.query(`ALTER TABLE "model" ADD "parameters" jsonb`);
  }
}
