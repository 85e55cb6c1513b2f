import type { QueryRunner } from 'typeorm';

/**
 * The version of each node: nodes of different versions do not run side by side. What only nodes of earlier versions used
 * goes.
 */
export class NodeVersions1764560000000 {
  name = 'NodeVersions1764560000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "node" ADD "version" text`);
    await queryRunner.query(`ALTER TABLE "node" DROP COLUMN "opens_bound_secrets"`);
    await queryRunner.query('drop function interrupt_tool_calls(uuid)');
  }
}
