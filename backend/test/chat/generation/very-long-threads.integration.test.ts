import { answer, change, harness, promptsOf, send } from '../summaries-harness.js';

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
async function askedIn(threadId: number): Promise<{ prompt: string; notices: unknown[] }> {
  await change({ contextLength: 200_000 });
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
});
