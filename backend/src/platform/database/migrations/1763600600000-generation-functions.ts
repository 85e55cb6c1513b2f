import type { QueryRunner } from 'typeorm';

/**
 * Functions for the statements that admit and end a generation. They are volatile: each reads the rows that were committed
 * until its call, where the statement around it reads those from before it waited for its locks.
 */
export class GenerationFunctions1763600600000 {
  name = 'GenerationFunctions1763600600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function running_generations(of_owner text) returns int language plpgsql volatile as $$
      begin
        return (select count(*)::int from generation where owner = of_owner and status = 'streaming');
      end $$`);
    await queryRunner.query(`
      create function delete_generation_chunks(of_generation uuid) returns void language plpgsql volatile as $$
      begin
        delete from generation_chunk where generation_id = of_generation;
      end $$`);
    await queryRunner.query(`
      create function refuse(reason text) returns boolean language plpgsql volatile as $$
      begin
        raise exception using errcode = 'TY001', message = reason;
      end $$`);
  }
}
