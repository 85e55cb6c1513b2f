import type { QueryRunner } from 'typeorm';

/** Index that finds the sessions of an account, whose number is bounded. */
export class SessionAccount1764400000000 {
  name = 'SessionAccount1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "session_account" ON "session" ((sess ->> 'userId'))`);
  }
}
