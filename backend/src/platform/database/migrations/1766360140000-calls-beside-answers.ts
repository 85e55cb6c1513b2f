import type { QueryRunner } from 'typeorm';

/** Earlier summaries and vectors that a person paid for had the channel of answers. A deleted account's cannot be told apart. */
export class CallsBesideAnswers1766360140000 {
  name = 'CallsBesideAnswers1766360140000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `update usage_record set channel = 'site' where channel = 'web' and generation_id is null and owner <> 'anonymous'`,
    );
  }
}
