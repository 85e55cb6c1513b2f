import type { ApiKeyResponse, Quota } from '@tanya/contract';
import { Redis } from 'ioredis';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { waitUntil } from '../harness/wait-until.js';
import { dataOf, refusalOf, type SocketClient } from '../harness/socket-client.js';

describe('a quota during an outage of Redis', () => {
  let redis: TestRedis;
  let proxy: TcpProxy;
  let harness: ChatHarness;

  beforeAll(async () => {
    redis = await startRedis();
    proxy = await TcpProxy.open(() => [Number(new URL(redis.url).port)]);
    harness = await startChatHarness({ redis: false, env: { redisUrl: `redis://127.0.0.1:${proxy.port}` } });
  });

  afterEach(() => harness.settle());

  afterAll(async () => {
    await harness.close();
    await proxy.close();
    await redis.stop();
  });

  const used = async (browser: HttpClient): Promise<number | undefined> =>
    (await browser.get<Quota>('/api/user/quota')).body.used;

  it('is released again right after the outage (F6, I5)', async () => {
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1 });
    const { page, client } = await harness.memberPage();
    harness.upstream.script({ steps: [{ stall: true }] });
    const { generationId } = await page.start('the only one');
    expect(await used(client)).toBe(1);
    proxy.refuse();
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    proxy.restore();
    await waitUntil('the release', async () => (await used(client)) === 0);
    expect((await page.tryStart('the only one, again')).ok).toBe(true);
  });
});

describe('a quota without its counters in Redis', () => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: true });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('admits no more than its limit when Redis is flushed during a race (F7, LIM-3)', async () => {
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 1 });
    const { page } = await harness.memberPage();
    const flusher = new Redis(harness.redis!.url);
    const acks = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        if (index % 5 === 0) await flusher.flushall();
        return page.tryStart(`race ${index}`);
      }),
    );
    flusher.disconnect();
    expect(acks.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('is decided by Postgres when a counter is too low, for every entry point and cost', async () => {
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 3 });
    const { page, client, user } = await harness.memberPage();
    const key = (await client.post<ApiKeyResponse>('/api/user/apikey/generate')).body.apiKey!;
    for (const text of ['one', 'two', 'three']) await chat(page, text);
    const redis = new Redis(harness.redis!.url);
    const calls = harness.upstream.callsOf().length;
    const lowerCounter = () => redis.set(`tanya:quota:{user:${user.id}}:ever`, '999:0', 'PX', 60_000);
    await lowerCounter();
    expect(refusalOf(await page.tryStart('four')).code).toBe('quota_exceeded');
    await lowerCounter();
    expect(errorOf(await client.post('/api/chat/message', { content: 'four' })).code).toBe('quota_exceeded');
    await lowerCounter();
    expect(errorOf(await client.post('/api/generate-image', { prompt: 'four' })).code).toBe('quota_exceeded');
    await lowerCounter();
    const program = { messages: [{ role: 'user', content: 'four' }] };
    const answer = await client.post('/api/v1/chat', program, { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(403);
    expect(harness.upstream.callsOf()).toHaveLength(calls);
    await redis.del(`tanya:quota:{user:${user.id}}:ever`);
    redis.disconnect();
  });

  it('is enforced while Redis is away, and leaves no open holds (F8)', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    await chat(page, 'with');
    await harness.redis!.kill();
    await chat(page, 'without');
    await chat(page, 'without, too');
    expect(refusalOf(await page.tryStart('one too many')).code).toBe('quota_exceeded');
    await harness.redis!.start();
    expect(refusalOf(await page.tryStart('still one too many')).code).toBe('quota_exceeded');
  });

  const chat = async (page: SocketClient, text: string) => page.ended((await page.start(text)).generationId);
});
