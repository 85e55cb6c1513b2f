import type { QueryRunner } from 'typeorm';

/** The end of the messages that were copied from a share link. Nodes of the previous version leave it empty. */
export class SharedMessages1763604571000 {
  name = 'SharedMessages1763604571000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "thread" ADD "shared_until_id" bigint`);
  }
}
