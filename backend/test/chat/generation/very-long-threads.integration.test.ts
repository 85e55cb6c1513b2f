import { userOwner } from '../../../src/identity/identity.js';
import { PromptEstimate } from '../../../src/chat/generation/prompt-estimate.js';
import { ModelsService } from '../../../src/models/models.service.js';
import { estimateTokens } from '../../../src/providers/token-estimate.js';
import { answer, change, harness, member, MODEL, promptsOf, send } from '../summaries-harness.js';

/** A thread that begins with a question and an answer, with so many numbered messages after them. */
async function threadWith(count: number): Promise<number> {
  harness.upstream.script(answer('The first answer.', 50));
  const { threadId, id } = await send(null, 'The first question.');
  const added = await harness.dataSource.query<{ id: number }[]>(
    `with added as (
      select n, nextval(pg_get_serial_sequence('message', 'id')) as id from generate_series(1, $3::int) n order by n
    ), linked as (select n, id, coalesce(lag(id) over (order by n), $2::bigint) as parent_id from added)
    insert into message (id, thread_id, parent_id, content, is_user_message, status)
    select id, $1::bigint, parent_id, 'number ' || n || '.', true, 'complete' from linked order by n
    returning id`,
    [threadId, id, count],
  );
  const last = Math.max(...added.map((row) => Number(row.id)));
  await harness.dataSource.query('update thread set active_leaf_id = $1 where id = $2', [last, threadId]);
  harness.upstream.calls.length = 0;
  return threadId;
}

/** The texts of the only prompt, and the notice of its answer on messages that it did not have. */
async function askedIn(threadId: number, contextLength = 200_000): Promise<{ prompt: string; notices: unknown[] }> {
  await change({ contextLength });
  const { notices } = await send(threadId, 'And now?');
  return {
    prompt: JSON.stringify(promptsOf()[0]),
    notices: (notices ?? []).filter(({ code }) => code === 'earlier_left_out'),
  };
}

const numbersIn = (prompt: string): number => prompt.match(/number \d+\./g)?.length ?? 0;

describe('a prompt of a very long thread', () => {
  it('has all of 500 messages where they fit', async () => {
    const { prompt, notices } = await askedIn(await threadWith(498));
    expect([prompt.includes('The first question.'), numbersIn(prompt), notices]).toEqual([true, 498, []]);
  });

  it('has 2,000 messages at most, and its answer counts those before them', async () => {
    const { prompt, notices } = await askedIn(await threadWith(2_098));
    expect([prompt.includes('The first question.'), numbersIn(prompt)]).toEqual([false, 1_999]);
    expect(notices).toEqual([{ code: 'earlier_left_out', params: { count: 101 } }]);
  });

  it('has 16 MB with the results of calls, however well they are compressed in the database', async () => {
    const threadId = await threadWith(30);
    await harness.dataSource.query(
      `update message set is_user_message = false, model_id = $2, parts = jsonb_build_array(
        jsonb_build_object('type', 'tool', 'callId', 'c' || id, 'tool', 'look_up', 'title', 'Look up', 'args', '{}'::jsonb,
          'state', 'done', 'result', repeat('x', 1000000)),
        jsonb_build_object('type', 'text', 'length', length(content)))
       where thread_id = $1 and content like 'number %'`,
      [threadId, MODEL],
    );
    const { prompt, notices } = await askedIn(threadId, 10_000_000);
    // They have no generations, as answers do.
    await harness.dataSource.query(
      `update message set is_user_message = true where thread_id = $1 and generation_id is null`,
      [threadId],
    );
    expect(numbersIn(prompt)).toBe(17);
    expect(notices).toEqual([{ code: 'earlier_left_out', params: { count: 15 } }]);
  });

  it('has all of its messages in the estimate that is held in budgets', async () => {
    await change({ contextLength: 200_000 });
    const threadId = await threadWith(998);
    const model = harness.app.get(ModelsService).find(MODEL)!;
    const target = { kind: 'reply', threadId, content: { text: 'And now?' } } as const;
    const owner = userOwner(member.user.id);
    const tokens = await harness.app.get(PromptEstimate).tokens(owner, target, model, []);
    expect(tokens).toBeGreaterThan(estimateTokens('number 100.') * 998);
  });
});
