import type { QueryRunner } from 'typeorm';

/**
 * Generations that wait for approvals, and the decisions about their calls. The unique index of threads keeps its name, by
 * which nodes of the previous version recognise a busy thread.
 */
export class Approvals1763604390000 {
  name = 'Approvals1763604390000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "generation" ADD "waiting_since" TIMESTAMP WITH TIME ZONE, ADD "suspension" text, ADD "last_seq" integer`,
    );
    await runner.query(`ALTER TABLE "tool_call" ADD "decision" boolean`);
    await runner.query(
      `CREATE UNIQUE INDEX "generation_one_open_a_thread" ON "generation" ("thread_id") WHERE status in ('streaming', 'waiting')`,
    );
    await runner.query(`DROP INDEX "public"."generation_one_a_thread"`);
    await runner.query(`ALTER INDEX "generation_one_open_a_thread" RENAME TO "generation_one_a_thread"`);
    await runner.query(
      `CREATE INDEX "generation_owner_open" ON "generation" ("owner") WHERE status in ('streaming', 'waiting')`,
    );
    await runner.query(`DROP INDEX "public"."generation_owner_running"`);
    await runner.query(`ALTER INDEX "generation_owner_open" RENAME TO "generation_owner_running"`);
    await runner.query(`CREATE INDEX "generation_waiting" ON "generation" ("waiting_since") WHERE status = 'waiting'`);
    await runner.query(runningKeyMessages(`status in ('streaming', 'waiting')`));
    // Volatile, as interrupt_tool_calls, which nodes of the previous version call.
    await runner.query(`
      create function end_tool_calls(of_generation uuid, has_waited boolean) returns void language plpgsql volatile as $$
      begin
        update tool_call set finished_at = now(),
          state = case when has_waited and state = 'waiting' then 'denied' else 'interrupted' end,
          decision = case when has_waited and state = 'waiting' then false else decision end
        where generation_id = of_generation and state in ('running', 'waiting');
      end $$`);
  }
}

/** The messages of a key that are not charged yet. */
const runningKeyMessages = (condition: string): string => `
  create or replace function running_key_messages(of_owner text, of_key int) returns int language plpgsql volatile as $$
  begin
    return (select coalesce(sum(cost), 0)::int from generation
      where owner = of_owner and ${condition} and api_key_id = of_key);
  end $$`;
