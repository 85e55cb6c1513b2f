import type { QueryRunner } from 'typeorm';

/** Names of the tools of a server that cannot be used. The next list of the server fills them. */
export class LeftOutTools1765000000000 {
  name = 'LeftOutTools1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "tool_server" ADD "left_out_tools" jsonb NOT NULL DEFAULT '[]'`);
  }
}
