import { randomUUID } from 'node:crypto';
import type {
  ApiKeyResponse,
  ChatCompletion,
  MessageCount,
  Quota,
  SendMessageResponse,
  SessionState,
  User,
} from '@tanya/contract';
import { SendRateLimiter } from '../../src/chat/generation/admission/send-rate-limiter.js';
import type { Identity } from '../../src/identity/identity.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { dataOf, refusalOf, type SocketClient } from '../harness/socket-client.js';

describe.each(ADAPTERS)('quota, %s', (_name, redis) => {
  let harness: ChatHarness;
  let admin: HttpClient;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    admin = await harness.admin();
  });

  afterEach(async () => {
    await set({
      guestMessageQuota: 3,
      freeUserMessageQuota: 100,
      premiumUserMessageQuota: -1,
      guestAddressDailyQuota: 1_000,
      guestHourlyBudget: 1_000,
      quotaPeriod: 'never',
    });
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

  it('admits exactly one of 50 sends at once with one left, over socket, REST and API together (LIM-3)', async () => {
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

  it('gives guests three messages, and tells what they may still spend', async () => {
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

  it('costs a picture seven, and refuses it when fewer are left', async () => {
    await set({ freeUserMessageQuota: 13 });
    const { page, client } = await harness.memberPage();
    expect((await client.post('/api/generate-image', { prompt: 'one' })).body).toMatchObject({ cost: 7 });
    expect(refusalOf(await page.tryStart('two', { model: 'openai/gpt-image-1' })).code).toBe('quota_exceeded');
    await chat(page, 'text still goes');
    expect(await quotaOf(client)).toMatchObject({ used: 8, remaining: 5 });
  });

  it('never ends for premium members, and begins to count when they are members like others', async () => {
    await set({ freeUserMessageQuota: 1 });
    const { page, client, user } = await harness.memberPage({ isPremium: true });
    await chat(page, 'one');
    const { closing } = await chat(page, 'two');
    expect(closing).toMatchObject({ quota: { used: 2, max: -1, remaining: -1 } });
    await admin.patch(`/api/admin/users/${user.id}/premium`, { isPremium: false });
    expect(refusalOf(await page.tryStart('three')).code).toBe('quota_exceeded');
    expect(await quotaOf(client)).toMatchObject({ used: 2, max: 1, remaining: 0 });
  });

  it('is told to the open pages of a member whose plan an admin changes', async () => {
    await set({ freeUserMessageQuota: 1 });
    const { page, user } = await harness.memberPage();
    await chat(page, 'the only one');
    const told: Quota[] = [];
    page.socket.prependAny((name: string, quota: Quota) => name === 'quota:changed' && told.push(quota));
    await admin.patch(`/api/admin/users/${user.id}/premium`, { isPremium: true });
    await page.until(() => told.length === 1);
    await admin.patch(`/api/admin/users/${user.id}`, { isPremium: false, fullName: 'Free Again' });
    await page.until(() => told.length === 2);
    expect(told).toEqual([
      { used: 1, max: -1, remaining: -1, resetsAt: null },
      { used: 1, max: 1, remaining: 0, resetsAt: null },
    ]);
  });

  it('is told to the open pages of a member who gets premium with the same limit, or the rights of an admin', async () => {
    await set({ premiumUserMessageQuota: 100 });
    const { page, client, user } = await harness.memberPage();
    const { page: neighbour } = await harness.memberPage();
    const told: string[] = [];
    page.socket.prependAny((name: string) => told.push(name));
    neighbour.socket.prependAny((name: string) => told.push(`neighbour: ${name}`));
    const shown = async () => (await client.get<SessionState>('/api/session')).body.user;

    await admin.patch(`/api/admin/users/${user.id}/premium`, { isPremium: true });
    await page.until(() => told.includes('settings:changed'));
    expect(await shown()).toMatchObject({ isPremium: true, isAdmin: false });
    await page.until(() => told.length === 2);

    await admin.patch(`/api/admin/users/${user.id}`, { isAdmin: true });
    await page.until(() => told.length === 4);
    expect(await shown()).toMatchObject({ isPremium: true, isAdmin: true });

    await admin.patch(`/api/admin/users/${user.id}`, { isAdmin: true, fullName: 'As Before' });
    await admin.patch(`/api/admin/users/${user.id}`, { isPremium: false });
    await page.until(() => told.length === 6);
    expect(told).toEqual(Array.from({ length: 3 }, () => ['settings:changed', 'quota:changed']).flat());
  });

  it('that is lowered in the middle of an answer lets that one finish (F35)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await page.start('admitted [[words=40 pace=10]]');
    await page.firstText(generationId);
    await set({ freeUserMessageQuota: 1 });
    const { closing } = await page.ended(generationId);
    expect(closing).toMatchObject({ type: 'end', quota: { used: 1, max: 1, remaining: 0 } });
    expect(refusalOf(await page.tryStart('next')).code).toBe('quota_exceeded');
    expect((await client.get<User>('/api/user')).body.messageCount).toBe(1);
  });

  it('begins anew with each period, and an answer counts for the one that admitted it (F36)', async () => {
    const { page, client } = await harness.memberPage();
    await chat(page, 'for ever');
    const { generationId } = await page.start('across [[words=30 pace=10]]');
    await set({ quotaPeriod: 'daily', freeUserMessageQuota: 1 });
    await page.ended(generationId);
    const fresh = await quotaOf(client);
    expect(fresh).toMatchObject({ used: 0, remaining: 1 });
    expect(Date.parse(fresh.resetsAt!)).toBeGreaterThan(Date.now());
    await chat(page, 'today');
    expect(refusalOf(await page.tryStart('today again')).code).toBe('quota_exceeded');
    await set({ quotaPeriod: 'never', freeUserMessageQuota: 100 });
    expect(await quotaOf(client)).toMatchObject({ used: 2 });
  });

  it('is one for all cookies of an address, refused as too many requests (LIM-5)', async () => {
    await set({ guestAddressDailyQuota: 2 });
    const address = '10.9.8.7';
    const fresh = async () => harness.page(harness.client(address));
    await chat(await fresh(), 'first guest');
    await chat(await fresh(), 'second guest');
    const refusal = refusalOf(await (await fresh()).tryStart('third guest'));
    expect(refusal).toMatchObject({ code: 'rate_limited', statusCode: 429, retryable: true });
    expect(refusal.retryAfter).toBeGreaterThan(0);
    await chat(await harness.page(harness.client('10.9.8.8')), 'neighbour');
    const rest = await harness.client(address).post('/api/chat/message', { content: 'by post' });
    expect([rest.status, Number(rest.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('of an address keeps what is used when an admin changes how much there is (LIM-5)', async () => {
    await set({ guestAddressDailyQuota: 2 });
    const address = '10.9.8.9';
    const tries = async () => {
      const ack = await (await harness.page(harness.client(address))).tryStart('one more');
      return ack.ok;
    };
    expect([await tries(), await tries(), await tries()]).toEqual([true, true, false]);
    await set({ guestAddressDailyQuota: 3 });
    expect([await tries(), await tries()]).toEqual([true, false]);
    await set({ guestAddressDailyQuota: 1 });
    expect(await tries()).toBe(false);
  });

  it('has one hourly budget for all guests together, which costs members nothing (LIM-5)', async () => {
    await set({ guestHourlyBudget: 1 });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => (await harness.page(await harness.guest())).tryStart('drain')),
    );
    expect(outcomes.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    const { page } = await harness.memberPage();
    await chat(page, 'a member');
  });

  it('lets a guest write three answers at once and a member twenty (LIM-6)', async () => {
    await set({ guestMessageQuota: 100 });
    const guest = await harness.page(await harness.guest());
    const { page } = await harness.memberPage();
    for (const [sender, most] of [
      [guest, 3],
      [page, 20],
    ] as const) {
      const acks = await Promise.all(
        Array.from({ length: most + 2 }, (_, index) => sender.tryStart(`${index} [[words=2 stall=2]]`)),
      );
      const granted = acks.flatMap((ack) => (ack.ok ? [ack.data] : []));
      expect(granted).toHaveLength(most);
      for (const ack of acks.filter(({ ok }) => !ok)) expect(refusalOf(ack).code).toBe('rate_limited');
      await Promise.all(granted.map(({ generationId }) => sender.tryStop(generationId)));
    }
  });

  it('slows down who sends too fast, and repeats of one send count once (F24, LIM-6)', async () => {
    await set({ guestMessageQuota: 100 });
    const guest = await harness.guest();
    const page = await harness.page(guest);
    const clientMessageId = randomUUID();
    const copies = await Promise.all(
      Array.from({ length: 40 }, () => page.tryStart('one of forty', { clientMessageId })),
    );
    expect(copies.every(({ ok }) => ok)).toBe(true);
    await page.ended(dataOf(copies[0]!).generationId);
    const codes: string[] = [];
    for (let sent = 0; sent < 40 && !codes.includes('rate_limited'); sent += 1) {
      const ack = await page.tryStart(`fast ${sent}`);
      codes.push(ack.ok ? 'ok' : ack.error.code);
      if (ack.ok) await page.ended(ack.data.generationId);
    }
    expect(codes.at(-1)).toBe('rate_limited');
    expect(codes.length).toBeGreaterThan(20);
    const rest = await guest.post('/api/chat/message', { content: 'by post' });
    expect(errorOf(rest)).toMatchObject({ code: 'rate_limited', statusCode: 429 });
  });

  const guestOf = (address: string): Identity => ({
    owner: `guest:${randomUUID()}`,
    userId: null,
    isAdmin: false,
    isPremium: false,
    address,
  });

  it('counts no send that is refused for its pace (LIM-6)', async () => {
    const pace = harness.app.get(SendRateLimiter);
    const member = { ...guestOf('10.9.7.1'), owner: 'user:4711' as const, userId: 4711 };
    const taken = async (sender: Identity, sends: number) => {
      const outcomes = await Promise.allSettled(Array.from({ length: sends }, () => pace.count(sender)));
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await taken(member, 120)).toBe(60);
    // The burst is over for now, and half of the minute is left.
    await pace.check(member);
    const address = '10.9.7.2';
    expect(await taken(guestOf(address), 200)).toBe(30);
    for (let guest = 0; guest < 3; guest += 1) expect(await taken(guestOf(address), 40)).toBe(30);
    expect(await taken(guestOf(address), 1)).toBe(0);
  });

  it('tells who sends too fast by REST how long that lasts, as on the socket', async () => {
    await set({ guestMessageQuota: 100 });
    const guest = await harness.guest();
    const page = await harness.page(guest);
    await page.ended((await page.start('the first begins the minute')).generationId);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    for (let code = ''; code !== 'rate_limited';) {
      const ack = await page.tryStart('and more');
      code = ack.ok ? '' : ack.error.code;
      if (ack.ok) await page.ended(ack.data.generationId);
    }
    const wait = refusalOf(await page.tryStart('too fast')).retryAfter;
    const rest = await guest.post('/api/chat/message', { content: 'by post' });
    expect(rest.status).toBe(429);
    expect(Number(rest.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(rest.headers.get('retry-after'))).toBeLessThanOrEqual(wait!);
    expect(wait).toBeLessThan(60);
  });

  describe('of a guest who signs in', () => {
    it('in the middle of an answer goes along: thread, files, usage and the running answer', async () => {
      const guest = await harness.guest();
      const page = await harness.page(guest);
      await chat(page, 'before');
      const form = new FormData();
      form.append('file', new Blob(['hello from a file'], { type: 'text/plain' }), 'note.txt');
      const upload = await guest.post<{ url: string }>('/api/files', undefined, { raw: form });
      expect(upload.status).toBe(201);
      const running = await page.start('during [[words=60 pace=10]]', {
        content: { text: 'during [[words=60 pace=10]]', fileUrl: upload.body.url, fileName: 'note.txt' },
      });
      await page.firstText(running.generationId);
      const registered = await guest.post<User>('/api/register', {
        username: `guest-${randomUUID()}`,
        password: PASSWORD,
      });
      expect(registered.status).toBe(201);
      const member = await harness.page(guest);
      const resumed = dataOf(await member.tryResume(running.generationId, 0));
      expect(resumed.outcome).toBe('resumed');
      const { message } = await member.ended(running.generationId);
      expect(message.status).toBe('complete');
      expect(await quotaOf(guest)).toMatchObject({ used: 2, max: 100 });
      expect((await guest.get<User>('/api/user')).body.messageCount).toBe(2);
      expect((await guest.get<unknown[]>('/api/chat/threads')).body).toHaveLength(2);
      expect((await guest.get<string>(upload.body.url)).text).toBe('hello from a file');
      expect((await guest.get(`/api/chat/threads/${running.threadId}/messages`)).status).toBe(200);
    });

    it('while a REST send of theirs waits still answers it', async () => {
      const guest = await harness.guest();
      const before = guest.copy();
      const waiting = before.post<SendMessageResponse>('/api/chat/message', { content: 'slow [[words=60 pace=10]]' });
      for (let tries = 0; (await quotaOf(guest)).used === 0 && tries < 100; tries += 1);
      await guest.post('/api/register', { username: `guest-${randomUUID()}`, password: PASSWORD });
      const answer = await waiting;
      expect([answer.status, answer.body.aiMessage.status]).toEqual([201, 'complete']);
    });

    it('twice at once is carried once', async () => {
      const member = await harness.member();
      const guest = await harness.guest();
      await chat(await harness.page(guest), 'counted once');
      const login = { username: member.username, password: PASSWORD };
      const copies = [guest.copy(), guest.copy(), guest.copy()];
      const answers = await Promise.all(copies.map((copy) => copy.post('/api/login', login)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await quotaOf(member.client)).toMatchObject({ used: 1 });
      expect((await member.client.get<User>('/api/user')).body.messageCount).toBe(1);
    });

    it('does not fail over an id that both have used (F26)', async () => {
      const { page, username } = await harness.memberPage();
      const guest = await harness.guest();
      const clientMessageId = randomUUID();
      const theirs = await harness.page(guest);
      const first = await theirs.start('as a guest', { clientMessageId });
      await theirs.ended(first.generationId);
      const second = await page.start('as a member', { clientMessageId });
      await page.ended(second.generationId);
      expect((await guest.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
      const again = await page.start('as a member', { clientMessageId });
      expect(again).toMatchObject({ duplicate: true, generationId: second.generationId });
      expect((await guest.get<unknown[]>('/api/chat/threads')).body).toHaveLength(2);
    });
  });
});
