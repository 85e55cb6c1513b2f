import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { SendRateLimiter } from '../../src/chat/generation/admission/send-rate-limiter.js';
import { type Identity, userOwner } from '../../src/identity/identity.js';
import { UploadRateLimit } from '../../src/files/upload/upload-rate-limit.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { QuotaService } from '../../src/quota/quota.service.js';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { dataOf, refusalOf, type SocketClient } from '../harness/socket-client.js';
import { PNG } from '../harness/uploads.js';
import { USUAL_LIMITS } from './usual-limits.js';

describe.each(ADAPTERS)('a rate limit, %s', (_name, redis) => {
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

  const chat = async (page: SocketClient, text: string) => page.ended((await page.start(text)).generationId);

  it('applies to an address, whatever its cookies, and is refused as 429 (LIM-5)', async () => {
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

  it('of an address keeps its count when an admin changes the limit (LIM-5)', async () => {
    await set({ guestAddressDailyQuota: 2 });
    const address = '10.9.8.9';
    const send = async () => {
      const ack = await (await harness.page(harness.client(address))).tryStart('one more');
      return ack.ok;
    };
    expect([await send(), await send(), await send()]).toEqual([true, true, false]);
    await set({ guestAddressDailyQuota: 3 });
    expect([await send(), await send()]).toEqual([true, false]);
    await set({ guestAddressDailyQuota: 1 });
    expect(await send()).toBe(false);
  });

  it('of all guests is not used up by one IPv6 site (/48) with many networks (LIM-5)', async () => {
    await set({ guestHourlyBudget: 16, guestAddressDailyQuota: 1 });
    const budget = { name: 'guest-budget', points: 16, window: 60 * 60 };
    const limits = harness.app.get(RateLimits);
    for (let used = await limits.used(budget, 'all'); used > 0; used -= 1) await limits.rewardAll([[budget, 'all']]);
    const send = async (address: string) => (await harness.page(harness.client(address))).tryStart('from a site');
    const sent = [];
    for (let network = 1; network <= 6; network += 1) sent.push(await send(`2001:db8:9:${network}::1`));
    expect(sent.map((ack) => (ack.ok ? 'ok' : ack.error.code))).toEqual([
      ...Array<string>(4).fill('ok'),
      ...Array<string>(2).fill('rate_limited'),
    ]);
    expect(await limits.used(budget, 'all')).toBe(4);
    expect((await send('2001:db8:a:1::1')).ok).toBe(true);
    // The network of the first send has its own limit as before.
    expect((await send('2001:db8:a:1:2::1')).ok).toBe(false);
  });

  it('caps all guests together by an hourly budget, which members do not use (LIM-5)', async () => {
    // The guests of earlier tests have used points of this hour.
    const limit = { name: 'guest-budget', points: 1_000, window: 60 * 60 };
    const used = await harness.app.get(RateLimits).used(limit, 'all');
    await set({ guestHourlyBudget: used + 1 });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => (await harness.page(await harness.guest())).tryStart('drain')),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    for (const ack of outcomes.filter(({ ok }) => !ok)) expect(refusalOf(ack).code).toBe('rate_limited');
    const { page } = await harness.memberPage();
    await chat(page, 'a member');
  });

  it('allows three concurrent answers of a guest and twenty of a member (LIM-6)', async () => {
    await set({ guestMessageQuota: 100 });
    const guest = await harness.page(await harness.guest());
    const { page } = await harness.memberPage();
    for (const [sender, limit] of [
      [guest, 3],
      [page, 20],
    ] as const) {
      const acks = await Promise.all(
        Array.from({ length: limit + 2 }, (_, index) => sender.tryStart(`${index} [[words=2 stall=2]]`)),
      );
      const granted = acks.flatMap((ack) => (ack.ok ? [ack.data] : []));
      expect(granted).toHaveLength(limit);
      for (const ack of acks.filter(({ ok }) => !ok)) expect(refusalOf(ack).code).toBe('rate_limited');
      await Promise.all(granted.map(({ generationId }) => sender.tryStop(generationId)));
    }
  });

  it('refuses fast sends, and counts repeats of one send once (F24, LIM-6)', async () => {
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

  it('refuses a compressed body before it is read, and a picture before it is stored or counted (LIM-6)', async () => {
    const { client, user } = await harness.memberPage();
    const limiter = harness.app.get(SendRateLimiter);
    for (let sent = 0; sent < 60; sent += 1) await limiter.count({ ...guestOf('10.9.7.4'), ...ofMember(user.id) });
    const uploads = jest.spyOn(harness.app.get(UploadRateLimit), 'consume');
    const imageData = `data:image/png;base64,${PNG.toString('base64')}`;
    const send = { content: JSON.stringify({ text: 'look', imageData }), clientMessageId: randomUUID() };
    expect((await client.post('/api/chat/message', send)).status).toBe(429);
    expect(uploads).not.toHaveBeenCalled();
    uploads.mockRestore();
    const check = jest
      .spyOn(limiter, 'checkAll')
      .mockRejectedValueOnce(new AppError('rate_limited', { retryAfter: 1 }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const raw = Uint8Array.from(gzipSync('not even JSON'));
    expect((await client.post('/api/chat/message', undefined, { raw, headers })).status).toBe(429);
    check.mockRestore();
  });

  it('does not count repeats of an admitted send while the quota is spent (F24, LIM-6)', async () => {
    await set({ guestMessageQuota: 1 });
    const page = await harness.page(await harness.guest());
    const clientMessageId = randomUUID();
    const first = await page.start('the last one', { clientMessageId });
    await page.ended(first.generationId);
    for (let sent = 0; sent < 40; sent += 1) {
      const again = await page.tryStart('the last one', { clientMessageId });
      expect(again).toMatchObject({ ok: true, data: { duplicate: true, generationId: first.generationId } });
    }
    expect(refusalOf(await page.tryStart('another one')).code).toBe('quota_exceeded');
  });

  it('counts sends of other texts under the id of an admitted send (LIM-6)', async () => {
    await set({ guestMessageQuota: 100 });
    const page = await harness.page(await harness.guest());
    const clientMessageId = randomUUID();
    await page.ended((await page.start('the first text', { clientMessageId })).generationId);
    const codes: string[] = [];
    for (let sent = 0; sent < 40 && !codes.includes('rate_limited'); sent += 1)
      codes.push(refusalOf(await page.tryStart(`other text ${sent}`, { clientMessageId })).code);
    expect(new Set(codes)).toEqual(new Set(['idempotency_mismatch', 'rate_limited']));
    expect(codes.length).toBeGreaterThan(20);
    expect(refusalOf(await page.tryStart('under its own id')).code).toBe('rate_limited');
  });

  const ofMember = (id: number) => ({ owner: userOwner(id), userId: id });

  const guestOf = (address: string): Identity => ({
    owner: `guest:${randomUUID()}`,
    userId: null,
    isAdmin: false,
    isPremium: false,
    groupIds: [],
    quotaOverride: null,
    address,
  });

  it('of guests counts the messages that an image costs', async () => {
    await set({ guestAddressDailyQuota: 8 });
    const quotas = harness.app.get(QuotaService);
    const address = '10.9.7.3';
    const count = (cost: number) => quotas.countGuest(guestOf(address), cost);
    await expect(quotas.checkGuest(guestOf(address), 9)).rejects.toMatchObject({ code: 'rate_limited' });
    const refund = await count(7);
    await expect(count(7)).rejects.toMatchObject({ code: 'rate_limited' });
    await count(1);
    await expect(count(1)).rejects.toMatchObject({ code: 'rate_limited' });
    await refund();
    await count(7);
  });

  it('of a small budget of all guests lets an IPv6 site draw an image (LIM-5)', async () => {
    await set({ guestHourlyBudget: 16 });
    const quotas = harness.app.get(QuotaService);
    const limits = harness.app.get(RateLimits);
    const budget = { name: 'guest-budget', points: 16, window: 60 * 60 };
    await limits.rewardAll([[budget, 'all']], await limits.used(budget, 'all'));
    await quotas.countGuest(guestOf('2001:db8:b:1::/64'), 7);
    await expect(quotas.countGuest(guestOf('2001:db8:b:2::/64'), 1)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(quotas.countGuest(guestOf('2001:db8:b:3::/64'), 7)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('does not count refused sends (LIM-6)', async () => {
    const limiter = harness.app.get(SendRateLimiter);
    const member = { ...guestOf('10.9.7.1'), owner: 'user:4711' as const, userId: 4711 };
    const taken = async (sender: Identity, sends: number) => {
      const outcomes = await Promise.allSettled(Array.from({ length: sends }, () => limiter.count(sender)));
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await taken(member, 120)).toBe(60);
    // The burst is used up; half of the minute's sends are left.
    const minute = { name: 'sends', points: 120, window: 60 };
    expect(await harness.app.get(RateLimits).used(minute, member.owner)).toBe(60);
    const address = '10.9.7.2';
    expect(await taken(guestOf(address), 200)).toBe(30);
    for (let guest = 0; guest < 3; guest += 1) expect(await taken(guestOf(address), 40)).toBe(30);
    expect(await taken(guestOf(address), 1)).toBe(0);
  });

  it('reports over REST the retry-after of the socket', async () => {
    await set({ guestMessageQuota: 100 });
    const guest = await harness.guest();
    const page = await harness.page(guest);
    await page.ended((await page.start('the first begins the minute')).generationId);
    // The wait counts from the first send of the minute, so it is shorter than a minute by now.
    await sleep(1_100);
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
});
