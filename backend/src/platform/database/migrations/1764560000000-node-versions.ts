import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The version of each node: nodes of different versions do not run side by side. What only nodes of earlier versions used
 * goes.
 */
export class NodeVersions1764560000000 implements MigrationInterface {
  name = 'NodeVersions1764560000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "node" ADD "version" text`);
    await queryRunner.query(`ALTER TABLE "node" DROP COLUMN "opens_bound_secrets"`);
    await queryRunner.query('drop function interrupt_tool_calls(uuid)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function interrupt_tool_calls(of_generation uuid) returns void language plpgsql volatile as $$
      begin
        update tool_call set state = 'interrupted', finished_at = now()
        where generation_id = of_generation and state in ('running', 'waiting');
      end $$`);
    await queryRunner.query(`ALTER TABLE "node" ADD "opens_bound_secrets" boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`ALTER TABLE "node" DROP COLUMN "version"`);
  }
}
