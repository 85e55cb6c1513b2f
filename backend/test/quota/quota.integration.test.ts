import type { ApiKeyResponse, ChatCompletion, MessageCount, Quota, SessionState, User } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { refusalOf, type SocketClient } from '../harness/socket-client.js';
import { USUAL_LIMITS } from './usual-limits.js';

describe.each(ADAPTERS)('a quota, %s', (_name, redis) => {
  let harness: ChatHarness;
  let admin: HttpClient;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    admin = await harness.admin();
  });

  afterEach(async () => {
    await set(USUAL_LIMITS);
    await harness.settle();
  });

  afterAll(() => harness.close());

  const set = async (settings: object) => {
    expect((await admin.patch('/api/admin/general-settings', settings)).status).toBe(200);
  };

  const quotaOf = async (browser: HttpClient): Promise<Quota> => (await browser.get<Quota>('/api/user/quota')).body;

  const keyOf = async (browser: HttpClient): Promise<string> =>
    (await browser.post<ApiKeyResponse>('/api/user/apikey/generate')).body.apiKey!;

  const complete = (browser: HttpClient, key: string, text: string) =>
    browser.post<ChatCompletion>(
      '/api/v1/chat',
      { messages: [{ role: 'user', content: text }] },
      { headers: { Authorization: `Bearer ${key}` } },
    );

  const chat = async (page: SocketClient, text: string) => page.ended((await page.start(text)).generationId);

  it('admits exactly one of 50 concurrent sends over socket, REST and API when one is left (LIM-3)', async () => {
    await set({ freeUserMessageQuota: 2 });
    const { page, client } = await harness.memberPage();
    const key = await keyOf(client);
    await chat(page, 'the first of two');
    const calls = harness.upstream.callsOf().length;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        if (index % 3 === 0) {
          const ack = await page.tryStart(`race ${index}`);
          return ack.ok ? 'ok' : ack.error.code;
        }
        const answer =
          index % 3 === 1
            ? await client.post<unknown>('/api/chat/message', { content: `race ${index}` })
            : await complete(client, key, `race ${index}`);
        if (answer.status < 300) return 'ok';
        expect(answer.status).toBe(403);
        const body = answer.body as { code?: string; error?: { code: string } };
        return body.code ?? body.error?.code;
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(49);
    await harness.settle();
    expect(harness.upstream.callsOf().length - calls).toBe(1);
    expect(await quotaOf(client)).toMatchObject({ used: 2, max: 2, remaining: 0 });
  });

  it('of a guest is three messages, and every end reports the rest', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    expect(await quotaOf(guest)).toEqual({ used: 0, max: 3, remaining: 3, resetsAt: null });
    for (let sent = 1; sent <= 3; sent += 1) {
      const { closing } = await chat(page, `message ${sent}`);
      expect(closing).toMatchObject({ quota: { used: sent, remaining: 3 - sent } });
    }
    expect(refusalOf(await page.tryStart('one more'))).toMatchObject({ code: 'quota_exceeded', statusCode: 403 });
    for (const [path, body] of [
      ['/api/chat/message', { content: 'one more' }],
      ['/api/generate-image', { prompt: 'x' }],
    ] as const) {
      expect(errorOf(await guest.post(path, { ...body, guestUsage: 0 })).code).toBe('quota_exceeded');
    }
    expect((await guest.get<MessageCount>('/api/user/message-count')).body).toEqual({ messageCount: 3 });
  });

  it('is charged seven for an image, which is refused when fewer are left', async () => {
    await set({ freeUserMessageQuota: 13 });
    const { page, client } = await harness.memberPage();
    expect((await client.post('/api/generate-image', { prompt: 'one' })).body).toMatchObject({ cost: 7 });
    expect(refusalOf(await page.tryStart('two', { model: 'openai/gpt-image-1' })).code).toBe('quota_exceeded');
    await chat(page, 'text still goes');
    expect(await quotaOf(client)).toMatchObject({ used: 8, remaining: 5 });
  });

  it('is unlimited for premium members, and applies once premium is revoked', async () => {
    await set({ freeUserMessageQuota: 1 });
    const { page, client, user } = await harness.memberPage({ isPremium: true });
    await chat(page, 'one');
    const { closing } = await chat(page, 'two');
    expect(closing).toMatchObject({ quota: { used: 2, max: -1, remaining: -1 } });
    await admin.patch(`/api/admin/users/${user.id}/premium`, { isPremium: false });
    expect(refusalOf(await page.tryStart('three')).code).toBe('quota_exceeded');
    expect(await quotaOf(client)).toMatchObject({ used: 2, max: 1, remaining: 0 });
  });

  it('is emitted to open pages when an admin changes the plan', async () => {
    await set({ freeUserMessageQuota: 1 });
    const { page, user } = await harness.memberPage();
    await chat(page, 'the only one');
    const received: Quota[] = [];
    page.socket.prependAny((name: string, quota: Quota) => name === 'quota:changed' && received.push(quota));
    await admin.patch(`/api/admin/users/${user.id}/premium`, { isPremium: true });
    await page.until(() => received.length === 1);
    await admin.patch(`/api/admin/users/${user.id}`, { isPremium: false, fullName: 'Free Again' });
    await page.until(() => received.length === 2);
    expect(received).toEqual([
      { used: 1, max: -1, remaining: -1, resetsAt: null },
      { used: 1, max: 1, remaining: 0, resetsAt: null },
    ]);
  });

  it('is emitted with the settings when the plan changes without its limit, or the role changes', async () => {
    await set({ premiumUserMessageQuota: 100 });
    const { page, client, user } = await harness.memberPage();
    const { page: bystander } = await harness.memberPage();
    const received: string[] = [];
    page.socket.prependAny((name: string) => received.push(name));
    bystander.socket.prependAny((name: string) => received.push(`bystander: ${name}`));
    const shown = async () => (await client.get<SessionState>('/api/session')).body.user;

    await admin.patch(`/api/admin/users/${user.id}/premium`, { isPremium: true });
    await page.until(() => received.includes('settings:changed'));
    expect(await shown()).toMatchObject({ isPremium: true, isAdmin: false });
    await page.until(() => received.length === 2);

    await admin.patch(`/api/admin/users/${user.id}`, { isAdmin: true });
    await page.until(() => received.length === 4);
    expect(await shown()).toMatchObject({ isPremium: true, isAdmin: true });

    await admin.patch(`/api/admin/users/${user.id}`, { isAdmin: true });
    await admin.patch(`/api/admin/users/${user.id}`, { isPremium: false });
    await page.until(() => received.length === 6);
    expect(received).toEqual(Array.from({ length: 3 }, () => ['settings:changed', 'quota:changed']).flat());
  });

  it('that is lowered during an answer lets the answer finish (F35)', async () => {
    const { page, client } = await harness.memberPage();
    const release = harness.upstream.holdAfter('goes on');
    const { generationId } = await page.start('admitted');
    await set({ freeUserMessageQuota: 1 });
    release();
    const { closing } = await page.ended(generationId);
    expect(closing).toMatchObject({ type: 'end', quota: { used: 1, max: 1, remaining: 0 } });
    expect(refusalOf(await page.tryStart('next')).code).toBe('quota_exceeded');
    expect((await client.get<User>('/api/user')).body.messageCount).toBe(1);
  });

  it('starts anew with each period, and an answer counts in the period that admitted it (F36)', async () => {
    const { page, client } = await harness.memberPage();
    await chat(page, 'ever');
    const release = harness.upstream.holdAfter('goes on');
    const { generationId } = await page.start('across');
    await set({ quotaPeriod: 'daily', freeUserMessageQuota: 1 });
    release();
    const { closing } = await page.ended(generationId);
    expect(closing).toMatchObject({ type: 'end', quota: { used: 0, remaining: 1 } });
    const fresh = await quotaOf(client);
    expect(fresh).toEqual((closing as { quota?: Quota }).quota);
    expect(Date.parse(fresh.resetsAt!)).toBeGreaterThan(Date.now());
    await chat(page, 'today');
    expect(refusalOf(await page.tryStart('today again')).code).toBe('quota_exceeded');
    await set({ quotaPeriod: 'never', freeUserMessageQuota: 100 });
    expect(await quotaOf(client)).toMatchObject({ used: 2 });
  });
});
