import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatHarness, FAST_TIMINGS, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { refusalOf } from '../../harness/socket-client.js';

/** Runs until it is stopped: 200 s at least. */
const ENDLESS = '[[words=20000 pace=10]]';

describe('a deletion', () => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false, timings: FAST_TIMINGS });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('of an account during an answer leaves no rows and no running call (F32)', async () => {
    const { page, client, user } = await harness.memberPage();
    const admin = await harness.admin();
    const { generationId } = await page.start(`deleted ${ENDLESS}`);
    await page.firstText(generationId);
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBeLessThan(300);
    await page.until(() => page.received.includes('session:ended'));
    await harness.upstream.callsOf().at(-1)!.closed;
    for (const table of ['thread', 'generation', 'message', 'quota_account', 'usage_record', 'file']) {
      const rows = await harness.dataSource.query<unknown[]>(`select 1 from ${table} where user_id = $1`, [user.id]);
      expect([table, rows]).toEqual([table, []]);
    }
    expect(errorOf(await client.get('/api/user')).code).toBe('unauthenticated');
  });

  it('of a thread ends its answer, which is charged for the shown text (F31)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await page.start(`deleted ${ENDLESS}`);
    await page.firstText(generationId);
    expect((await client.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
    await page.until(() => page.received.includes('thread:deleted'));
    const received = page.received.length;
    await sleep(150);
    expect(page.received.slice(received)).toEqual([]);
    expect(refusalOf(await page.tryStop(generationId)).code).toBe('not_found');
    expect(await page.tryResume(generationId, 0)).toEqual({ ok: true, data: { outcome: 'resync', message: null } });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    expect(refusalOf(await page.tryStart('x', { threadId })).code).toBe('not_found');
  });

  it('of a thread during sends leaves no open holds (F31, I5)', async () => {
    const { page, client } = await harness.memberPage();
    for (let round = 0; round < 5; round += 1) {
      const first = await page.start('root');
      await page.ended(first.generationId);
      await Promise.all([
        client.delete(`/api/chat/threads/${first.threadId}`),
        ...Array.from({ length: 4 }, (_, index) =>
          page.tryStart(`late ${index} [[pace=5]]`, { threadId: first.threadId }),
        ),
      ]);
    }
  });
});
