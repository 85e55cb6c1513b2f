import { randomUUID } from 'node:crypto';
import type { GenerationApproved, Message, Quota } from '@tanya/contract';
import { type ChatHarness, FAST_TIMINGS, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { waitUntil } from '../../harness/wait-until.js';
import { changeUser, FEE, moneyIn } from '../../quota/budget-harness.js';
import { setPrices } from '../../quota/usage-harness.js';
import { callsOf, gate, registerTools, ScriptedTool, textOf } from '../scripted-tools.js';

/*
 * Statements of the version before approvals. Its nodes run beside new ones during a rollout, so these statements must
 * leave waiting answers as they are. They are never changed.
 */

/** $1 node, $2 ms after which a node is dead, $3 runs of the node. */
const ORPHANS = `
select g.id from (select id, node_id, created_at from generation where status = 'streaming') g
left join node n on n.id = g.node_id
where case when g.node_id = $1
  then g.created_at < now() - $2 * interval '1 ms' and g.id <> all($3::uuid[])
  else n.id is null or n.beat_at < now() - $2 * interval '1 ms' end`;

const INSERT_GENERATION = `
insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id,
  model_id, status, cost, period, node_id)
select gen_random_uuid(), owner, user_id, gen_random_uuid(), request_hash, thread_id, user_message_id, message_id,
  model_id, 'streaming', cost, period, $2::uuid from generation where id = $1::uuid`;

const INSERT_CHUNK = `
insert into generation_chunk (generation_id, seq, text, reasoning)
select g.id, 90, 'late', '' from generation g where g.id = $1::uuid and g.status = 'streaming' for share of g
on conflict do nothing returning seq`;

const TRASH_THREAD = `
update thread set owner = 'deleted:' || owner, user_id = null, expires_at = now() - interval '1 second' where id = $1`;

const TRASH_GENERATIONS = `
update generation set owner = 'deleted:' || owner || ':' || thread_id where thread_id = $1`;

const DELETE_THREAD = 'delete from thread where id = $1';

const END = `
update generation set status = 'interrupted', finished_at = now() where id = $1::uuid and status = 'streaming'
returning id, interrupt_tool_calls(id)`;

describe('a node of the previous version', () => {
  let harness: ChatHarness;
  const ask = new ScriptedTool('ask_first');
  const slow = new ScriptedTool('slow');

  beforeAll(async () => {
    ask.policy = 'ask';
    harness = await startChatHarness({ redis: true, timings: { ...FAST_TIMINGS, threadSweep: 100, holdSweep: 100 } });
    registerTools(harness, ask, slow);
  });

  afterAll(() => harness.close());

  const query = <Row>(sql: string, parameters: unknown[]) => harness.dataSource.query<Row[]>(sql, parameters);
  const callsOfGeneration = (id: string) =>
    query<{ state: string }>('select call_id, state, decision from tool_call where generation_id = $1', [id]);

  async function waiting({ budgetUsd }: { budgetUsd?: string } = {}) {
    const { page, client, user } = await harness.memberPage();
    await setPrices(harness, FEE);
    if (budgetUsd !== undefined) await changeUser(harness, user.id, { budgetUsd });
    harness.upstream.script(callsOf('Let me see. ', { id: 'ask_1', name: 'ask_first' }));
    const started = await page.start('ask me', { tools: ['ask_first'] });
    const path = `/api/chat/threads/${started.threadId}/messages`;
    await waitUntil('the waiting answer', async () => {
      return (await client.get<Message[]>(path)).body.at(-1)?.status === 'waiting';
    });
    return { ...started, page, client, user };
  }

  it('leaves a waiting answer as it is, which then goes on', async () => {
    const { generationId, page, client } = await waiting();
    const node = randomUUID();
    // The node that suspended the answer is gone.
    await query('update generation set node_id = $2 where id = $1', [generationId, randomUUID()]);
    expect(await query(ORPHANS, [node, 0, []])).not.toContainEqual({ id: generationId });
    expect(await query(END, [generationId])).toEqual([[], 0]);
    expect(await query(INSERT_CHUNK, [generationId])).toEqual([]);
    // The name of the index is how that version recognises a busy thread.
    await expect(query(INSERT_GENERATION, [generationId, node])).rejects.toMatchObject({
      driverError: { code: '23505', constraint: 'generation_one_a_thread' },
    });
    expect(await callsOfGeneration(generationId)).toEqual([{ call_id: 'ask_1', state: 'waiting', decision: null }]);
    harness.upstream.script(textOf('Done.'));
    const path = `/api/chat/generations/${generationId}/approve`;
    expect((await client.post<GenerationApproved>(path, { callId: 'ask_1', allow: true })).body.status).toBe(
      'streaming',
    );
    expect((await page.ended(generationId)).message).toMatchObject({
      status: 'complete',
      content: 'Let me see. Done.',
    });
    expect(ask.runs).toHaveLength(1);
    await harness.settle();
  });

  const recordOf = async (generationId: string) => {
    const sql = 'select state, reason from usage_record where generation_id = $1';
    return (await query<{ state: string; reason: string | null }>(sql, [generationId]))[0];
  };
  const quotaOf = async ({ client }: Pick<MemberPage, 'client'>) => (await client.get<Quota>('/api/user/quota')).body;

  it('that deletes the thread of a waiting answer leaves a hold, which is released', async () => {
    const { generationId, threadId, client, user } = await waiting({ budgetUsd: '1' });
    expect(await quotaOf({ client })).toMatchObject({ used: 1 });
    expect(await moneyIn(harness, `user:${user.id}`)).toEqual({ spentUsd: '0', heldUsd: '0.01' });
    await query(DELETE_THREAD, [threadId]);
    await waitUntil('the release', async () => (await quotaOf({ client })).used === 0);
    expect(await recordOf(generationId)).toEqual({ state: 'released', reason: 'interrupted' });
    expect(await moneyIn(harness, `user:${user.id}`)).toEqual({ spentUsd: '0', heldUsd: '0' });
    await harness.settle();
  });

  it('that moves the thread of a waiting answer to the trash leaves it to new nodes, which stop it', async () => {
    const { generationId, threadId, client } = await waiting();
    await query(TRASH_THREAD, [threadId]);
    await query(TRASH_GENERATIONS, [threadId]);
    await waitUntil('the deletion', async () => {
      return (await query('select 1 from thread where id = $1', [threadId])).length === 0;
    });
    expect(await recordOf(generationId)).toEqual({ state: 'charged', reason: 'stopped' });
    expect(await quotaOf({ client })).toMatchObject({ used: 1 });
    await harness.settle();
  });

  it('that ends a generation interrupts its calls, whose results are then dropped', async () => {
    const { page } = await harness.memberPage();
    const { opened, open } = gate();
    slow.answer = async () => {
      await opened;
      return { text: 'late' };
    };
    harness.upstream.script(callsOf('', { id: 'slow_1', name: 'slow' }), textOf('Never.'));
    const { generationId } = await page.start('slow call', { tools: ['slow'] });
    await waitUntil('the call', () => slow.runs.length === 1);
    const calls = harness.upstream.callsOf().length;
    expect(await query(END, [generationId])).toMatchObject([[{ id: generationId }], 1]);
    open();
    await waitUntil('the end of the run', async () => {
      const metrics = await (await fetch(`${harness.url}/metrics`)).text();
      return /^tanya_generations_running 0$/m.test(metrics);
    });
    expect(await callsOfGeneration(generationId)).toEqual([
      { call_id: 'slow_1', state: 'interrupted', decision: null },
    ]);
    expect(harness.upstream.callsOf()).toHaveLength(calls);
  });
});
