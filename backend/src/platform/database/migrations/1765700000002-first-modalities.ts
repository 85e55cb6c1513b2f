import type { QueryRunner } from 'typeorm';

/** The chat models of a new installation read images. Without it, pictures of pages would not be sent to them. */
export class FirstModalities1765700000002 {
  name = 'FirstModalities1765700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `update "model" set input_modalities = '{text,image}', output_modalities = coalesce(output_modalities, '{text}')
       where model_id in ('openai/gpt-4o-mini', 'openai/gpt-4o') and input_modalities is null`,
    );
  }
}
