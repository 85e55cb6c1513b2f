/** Rows of one thread: a short conversation of five questions and five answers. */
const MESSAGES_A_THREAD = 10;

/**
 * Fills a database with threads of one user after the other, in Postgres itself, which is as quick as COPY and needs no
 * text to be sent. Planner statistics are fresh afterwards.
 * @param owners how the threads are shared out: the first user has `first` of them, the others the rest
 */
export async function seedThreads(ground, url, { threads, first, users }) {
  const run = (text, values) => ground.query(url, text, values);
  // A later round finds them.
  if ((await run('select from thread limit 1')).length > 0) return;
  await run('alter table message disable trigger all');
  await run(
    `insert into thread (id, owner, user_id, title, model_id, created_at, updated_at, active_leaf_id)
     select n, 'user:' || u, u, 'Conversation ' || n, 'openai/gpt-4o-mini',
            timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second', n * $4::bigint
     from (select n, case when n <= $2 then 1 else 2 + n % ($3 - 1) end as u from generate_series(1::bigint, $1) n) given`,
    [threads, first, users, MESSAGES_A_THREAD],
  );
  await run(
    `insert into message (id, thread_id, parent_id, user_id, content, is_user_message, model_id)
     select (t.id - 1) * $1 + k, t.id, case when k > 1 then (t.id - 1) * $1 + k - 1 end, t.user_id,
            'A message of some words, number ' || k || ' of conversation ' || t.id, k % 2 = 1,
            case when k % 2 = 0 then 'openai/gpt-4o-mini' end
     from thread t, generate_series(1, $1::bigint) k`,
    [MESSAGES_A_THREAD],
  );
  await run('alter table message enable trigger all');
  await run(
    `select setval(pg_get_serial_sequence('thread', 'id'), $1), setval(pg_get_serial_sequence('message', 'id'), $2)`,
    [threads, threads * MESSAGES_A_THREAD],
  );
  await run('vacuum analyze thread');
  await run('vacuum analyze message');
}
