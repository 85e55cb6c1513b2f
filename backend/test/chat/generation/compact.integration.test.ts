import { setTimeout as sleep } from 'node:timers/promises';
import type { ThreadSummary } from '@tanya/contract';
import { errorOf } from '../../harness/http-client.js';
import { waitUntil } from '../../harness/wait-until.js';
import {
  CONTEXT,
  harness,
  member,
  path,
  promptsOf,
  recordsOf,
  send,
  SUMMARY,
  summaryOf,
  threadOf,
} from '../summaries-harness.js';

describe('POST /api/chat/threads/:id/compact', () => {
  const compact = (threadId: number, client = member.client) =>
    client.post<ThreadSummary>(`/api/chat/threads/${threadId}/compact`);

  it('writes a summary from half of the context on', async () => {
    const { threadId, messages } = await threadOf(4, 0.6 * CONTEXT);
    harness.upstream.script(summaryOf(SUMMARY));
    const { status, body } = await compact(threadId);
    expect([status, body.text, body.upToMessageId]).toEqual([200, SUMMARY.trim(), messages[1]!.id]);
    expect((await member.client.get<ThreadSummary>(path(threadId))).body).toEqual(body);
    expect((await recordsOf(`user:${member.user.id}`))[0]).toMatchObject({ cost: 0, state: 'charged' });
    harness.upstream.calls.length = 0;
    await send(threadId, 'x');
    expect(JSON.stringify(promptsOf()[0])).toContain('trip to Bromo');
  });

  it('refuses a short conversation, one of another person, and a summary that failed', async () => {
    const { threadId } = await threadOf(3, 0.4 * CONTEXT);
    const short = await compact(threadId);
    expect([short.status, errorOf(short).details]).toEqual([
      400,
      [expect.objectContaining({ field: 'threadId', code: 'thread_short' })],
    ]);
    const stranger = await harness.memberPage();
    expect((await compact(threadId, stranger.client)).status).toBe(404);
    const long = await threadOf(4, 0.6 * CONTEXT);
    harness.upstream.script({ status: 402, body: '{}' });
    expect(errorOf(await compact(long.threadId)).code).toBe('provider_credit');
    harness.upstream.script(summaryOf('short'));
    expect(errorOf(await compact(long.threadId)).code).toBe('provider_error');
  });

  it('calls the model once for two requests at once', async () => {
    const { threadId } = await threadOf(4, 0.6 * CONTEXT);
    harness.upstream.calls.length = 0;
    const release = harness.upstream.hold(summaryOf(SUMMARY));
    const first = compact(threadId);
    await waitUntil('the call of the model', () => promptsOf().length === 1);
    const second = compact(threadId);
    // Time for a second call. One that comes later still finds a short conversation.
    await sleep(300);
    release();
    expect((await first).status).toBe(200);
    const { status, body } = await second;
    if (status === 200) expect(body).toEqual((await first).body);
    else expect(status).toBe(400);
    expect(promptsOf()).toHaveLength(1);
  });

  it('may be asked for ten times an hour by all guests of an address', async () => {
    const codes: string[] = [];
    for (let call = 1; call <= 11; call += 1) {
      const guest = harness.client('10.9.6.1');
      await guest.get('/api/general-settings');
      const page = await harness.page(guest);
      const { threadId, generationId } = await page.start('short');
      await page.ended(generationId);
      codes.push(errorOf(await compact(threadId, guest)).code);
    }
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'invalid'), 'rate_limited']);
  });

  it('may be asked for ten times an hour', async () => {
    const { threadId } = await threadOf(1, 100);
    for (let call = 1; call <= 10; call += 1) expect((await compact(threadId)).status).toBe(400);
    expect(errorOf(await compact(threadId)).code).toBe('rate_limited');
  });
});
