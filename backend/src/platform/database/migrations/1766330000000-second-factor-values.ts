import type { QueryRunner } from 'typeorm';

/** What an identity provider says of a login with two factors. */
export class SecondFactorValues1766330000000 {
  name = 'SecondFactorValues1766330000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "identity_provider" ADD "second_factor_values" text`);
  }
}
