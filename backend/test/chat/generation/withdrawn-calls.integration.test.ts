import { randomUUID } from 'node:crypto';
import { type ApprovalsHarness, callsIn, decide, lastMessage, startApprovalsHarness } from '../approvals-harness.js';
import { ADAPTERS, FAST_TIMINGS, startChatHarness } from '../../harness/chat-harness.js';
import { callsOf, registerTools, ScriptedTool } from '../scripted-tools.js';

describe.each(ADAPTERS)('a call that waits while its tool, thread or account changes, %s', (_name, redis) => {
  let harness: ApprovalsHarness;

  beforeAll(async () => {
    harness = await startApprovalsHarness({ redis });
  });

  beforeEach(() => harness.reset());

  afterAll(() => harness.close());

  it('fails when the tool is no longer available after the approval (TOOL-9)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    harness.ask.isAvailable = false;
    await decide(client, generationId, 'ask_1', true);
    const { message } = await page.ended(generationId);
    expect(callsIn(message)).toMatchObject([{ state: 'failed', error: 'This tool is no longer available.' }]);
    expect([message.status, harness.ask.runs.length]).toEqual(['complete', 0]);
    await harness.settle();
  });

  it('fails when the plan of its account no longer has the tool (TOOL-9)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 3, free: 0, premium: 10 } });
    await decide(client, generationId, 'ask_1', true);
    const { message } = await page.ended(generationId);
    await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 3, free: 3, premium: 10 } });
    expect(callsIn(message)).toMatchObject([{ state: 'failed', error: 'This tool is no longer available.' }]);
    expect([message.status, harness.ask.runs.length]).toEqual(['complete', 0]);
    await harness.settle();
  });

  it('ends when its thread is deleted (TOOL-9)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    expect((await client.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(404);
    expect(harness.ask.runs).toEqual([]);
    await harness.settle();
  });

  it('moves with a guest to an account, and ends with the account', async () => {
    await (
      await harness.admin()
    ).patch('/api/admin/general-settings', { maxSteps: { guest: 3, free: 3, premium: 10 } });
    const guest = await harness.guest();
    const guestPage = await harness.page(guest);
    const { generationId, threadId } = await harness.waiting({ page: guestPage, client: guest });
    const username = `adopter-${randomUUID()}`;
    await guest.post('/api/register', { username, password: 'a quiet harbour at dawn' });
    const page = await harness.page(guest);
    expect((await lastMessage(guest, threadId))?.status).toBe('waiting');
    expect((await decide(guest, generationId, 'ask_1', true)).status).toBe(200);
    expect((await page.ended(generationId)).message.status).toBe('complete');
    const again = await harness.waiting({ page, client: guest });
    expect((await guest.delete('/api/user', { password: 'a quiet harbour at dawn' })).status).toBe(200);
    const left = await harness.dataSource.query<object[]>('select 1 from generation where id = $1', [
      again.generationId,
    ]);
    expect(left).toEqual([]);
    await harness.settle();
  });

  it('is interrupted when its account is suspended, free of quota', async () => {
    const { page, client, user } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const admin = await harness.admin();
    expect((await admin.patch(`/api/admin/users/${user.id}`, { isSuspended: true })).status).toBe(200);
    const [row] = await harness.dataSource.query<[object]>(
      `select g.status, m.error, u.state, c.state as call from generation g join message m on m.id = g.message_id
        join usage_record u on u.generation_id = g.id join tool_call c on c.generation_id = g.id where g.id = $1`,
      [generationId],
    );
    expect(row).toMatchObject({ status: 'interrupted', state: 'released', call: 'denied' });
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(403);
    await harness.settle();
  });
});

describe('a call that is never decided', () => {
  it('is denied after the time for approvals, free of quota', async () => {
    const harness = await startChatHarness({
      redis: false,
      timings: { ...FAST_TIMINGS, approval: 300, threadSweep: 100 },
    });
    const ask = new ScriptedTool('ask_first');
    ask.policy = 'ask';
    registerTools(harness, ask);
    const { page, client } = await harness.memberPage();
    harness.upstream.script(callsOf('Text. ', { id: 'ask_1', name: 'ask_first' }));
    const { generationId } = await page.start('ask me', { tools: ['ask_first'] });
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' }, content: 'Text. ' });
    expect(callsIn(message)).toMatchObject([{ state: 'denied' }]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    expect([ask.runs.length, harness.upstream.callsOf().length]).toEqual([0, 1]);
    await harness.settle();
    await harness.close();
  });
});
