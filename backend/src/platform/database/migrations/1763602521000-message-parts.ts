import type { QueryRunner } from 'typeorm';

/**
 * Parts of messages and of checkpoints, calls of tools, and the settings around them. Nodes of the previous version read
 * and write none of it; a generation that one of them ends keeps its text, and its running calls count as interrupted.
 */
export class MessageParts1763602521000 {
  name = 'MessageParts1763602521000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "message" ADD "parts" jsonb`);
    await runner.query(`ALTER TABLE "generation_chunk" ADD "parts" jsonb`);
    await runner.query(`ALTER TABLE "model" ADD "supports_tools" boolean`);
    await runner.query(
      `ALTER TABLE "setting" ADD "max_steps" jsonb NOT NULL DEFAULT '{"guest":0,"free":3,"premium":10}'`,
    );
    await runner.query(
      `CREATE TABLE "tool_call" ("generation_id" uuid NOT NULL, "call_id" text NOT NULL, "tool" text NOT NULL, "arguments" jsonb NOT NULL, "state" text NOT NULL, "result" text, "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "finished_at" TIMESTAMP WITH TIME ZONE, CONSTRAINT "PK_tool_call" PRIMARY KEY ("generation_id", "call_id"))`,
    );
    await runner.query(
      `ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_generation_fk" FOREIGN KEY ("generation_id") REFERENCES "generation"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    // Volatile, as delete_generation_chunks: it sees the calls that were committed while the statement waited for its locks.
    await runner.query(`
      create function interrupt_tool_calls(of_generation uuid) returns void language plpgsql volatile as $$
      begin
        update tool_call set state = 'interrupted', finished_at = now()
        where generation_id = of_generation and state in ('running', 'waiting');
      end $$`);
  }
}
