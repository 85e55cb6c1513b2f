import type { QueryRunner } from 'typeorm';

/** How requests are changed for the server of a connection, which each process forgot at its end. */
export class ConnectionAdaptations1765400000001 {
  name = 'ConnectionAdaptations1765400000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "provider_connection" ADD "adaptations" jsonb NOT NULL DEFAULT '{}'`);
  }
}
