import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { AuditEntry, OwnRetention, Retention, RetentionPreview, Share, Thread, User } from '@tanya/contract';
import { LocalBus } from '../../src/platform/bus/bus.js';
import { SharedTables } from '../../src/platform/bus/shared-tables.js';
import { runIn } from '../../src/platform/database/statements.js';
import { createLogger } from '../../src/platform/observability/logging.js';
import { BackgroundWork } from '../../src/platform/resilience/background-work.js';
import { RetentionService } from '../../src/retention/retention.service.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { MailServer } from '../harness/servers/mail-server.js';
import { download, filesOnDisk, upload } from '../harness/uploads.js';
import { eventually, waitUntil } from '../harness/wait-until.js';

const DAY_MS = 24 * 60 * 60_000;
const OFF = { guest: 1, free: null, premium: null, exemptPinned: true };

let mail: MailServer;
let harness: ChatHarness;
let admin: HttpClient;
let member: MemberPage;

beforeAll(async () => {
  mail = await MailServer.start();
  harness = await startChatHarness({
    redis: false,
    env: { smtp: mail.smtp },
    timings: { threadSweep: 100, retentionLook: 100, mailRetry: 100 },
  });
  admin = await harness.admin();
});

beforeEach(async () => {
  await harness.dataSource.query(`update retention set guest = 1, free = null, premium = null, exempt_pinned = true,
    before = null, effective_at = null, mailed_to = null`);
  // Read again.
  await put({});
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await mail.close();
});

const get = async () => (await admin.get<Retention>('/api/admin/retention')).body;
const put = async (rules: object) => (await admin.put<Retention>('/api/admin/retention', rules)).body;
const preview = async (rules: object) =>
  (await admin.put<RetentionPreview>('/api/admin/retention', { ...rules, dryRun: true })).body;

/** Lets the time of a notice pass. */
async function endNotice(): Promise<void> {
  await harness.dataSource.query(`update retention set effective_at = now() - interval '1 minute'`);
  // Read again.
  await put({});
}

/** Begins a sweep, and waits for its end. */
async function sweep(): Promise<void> {
  await harness.dataSource.query('update retention set swept_at = null');
  await eventually(async () => {
    const [row] = await harness.dataSource.query('select swept_at from retention');
    expect(row.swept_at).not.toBeNull();
  });
}

/** A thread without a message for some days. */
async function old(days: number, { page, client } = member, fileId?: string): Promise<number> {
  const content = { text: 'an old harbour', ...(fileId && { attachments: [{ fileId }] }) };
  const { threadId, generationId } = await page.start('', { content });
  await page.ended(generationId);
  await waitUntil('the thread', async () => (await client.get(`/api/chat/threads/${threadId}`)).status === 200);
  await harness.dataSource.query('update thread set updated_at = now() - make_interval(days => $2) where id = $1', [
    threadId,
    days,
  ]);
  return threadId;
}

const exists = async (id: number): Promise<boolean> =>
  (await harness.dataSource.query('select 1 from thread where id = $1', [id])).length > 0;

describe('the rules', () => {
  it('keep everything of a member at first, and a guest’s thread for a day', async () => {
    expect(await get()).toEqual({ ...OFF, effectiveAt: null, inForce: OFF });
    const id = await old(10_000);
    await sweep();
    expect(await exists(id)).toBe(true);
  });

  it('that shorten begin after seven days, those that lengthen at once', async () => {
    const shorter = await put({ free: 30, premium: 60 });
    expect(shorter).toMatchObject({ free: 30, premium: 60, inForce: OFF });
    expect(Math.abs(Date.parse(shorter.effectiveAt!) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    expect(await get()).toEqual(shorter);
    // Not further than announced.
    expect(await put({ free: 45 })).toMatchObject({ free: 45, effectiveAt: shorter.effectiveAt, inForce: OFF });
    await endNotice();
    const held = { ...OFF, free: 45, premium: 60 };
    expect((await get()).inForce).toEqual(held);
    expect((await put({ free: 90 })).inForce).toEqual({ ...held, free: 90 });
    const mixed = await put({ free: 10, premium: null });
    expect(mixed.inForce).toEqual({ ...held, free: 90, premium: null });
    expect((await put({ free: 90 })).effectiveAt).toBeNull();
    expect(await put({ exemptPinned: false })).toMatchObject({ exemptPinned: false, inForce: { exemptPinned: true } });
  });

  it.each([-8, 8])('that shorten begin after seven days on a node whose clock is %i days off', async (days) => {
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + days * DAY_MS);
    const { dataSource } = harness;
    const logger = createLogger('silent');
    const run = runIn(dataSource.manager);
    const tables = new SharedTables(new LocalBus(logger), run, logger, new BackgroundWork(logger));
    const node = await RetentionService.open({ dataSource, tables });
    try {
      await node.update({ free: 30 });
      expect((await node.update({ premium: 60 })).inForce).toEqual(OFF);
      expect(node.get().inForce).toEqual(OFF);
    } finally {
      clock.mockRestore();
    }
    const [{ wait }] = await dataSource.query(
      'select extract(epoch from effective_at - now())::float8 as wait from retention',
    );
    expect(Math.abs(wait * 1000 - 7 * DAY_MS)).toBeLessThan(60_000);
  });

  it.each([{ free: 0 }, { free: 1.5 }, { guest: '7' }, { premium: 40_000 }, { exemptPinned: 'yes' }])(
    'are refused as %j',
    async (rules) => {
      expect(errorOf(await admin.put('/api/admin/retention', rules)).code).toBe('invalid');
    },
  );

  it('are recorded in the audit log', async () => {
    await put({ guest: 3 });
    const { body } = await admin.get<AuditEntry[]>('/api/admin/audit?target=retention&limit=1');
    expect(body[0]).toMatchObject({ action: 'retention.update', before: { guest: 1 }, after: { guest: 3 } });
  });

  it('that concern a person are told to that person', async () => {
    const own = async () => (await member.client.get<OwnRetention>('/api/user/retention')).body;
    expect(await own()).toEqual({ days: null, exemptPinned: true, next: null });
    const { effectiveAt } = await put({ free: 30 });
    expect(await own()).toEqual({
      days: null,
      exemptPinned: true,
      next: { days: 30, exemptPinned: true, effectiveAt },
    });
    await put({ free: null, premium: 30 });
    expect((await own()).next).toBeNull();
  });
});

it('mails a notice to the members concerned, once', async () => {
  const mailed = async (isPremium: boolean) => {
    const address = `notice-${randomUUID()}@example.org`;
    const person = await harness.memberPage({ email: address, isPremium });
    await old(1, person);
    return address;
  };
  const [free, premium] = [await mailed(false), await mailed(true)];
  await put({ free: 30 });
  const { text } = await mail.mailTo(free);
  expect(text).toContain('without a message for 30 days');
  await eventually(async () => {
    expect((await harness.dataSource.query('select mailed_to from retention'))[0].mailed_to).toBeNull();
  });
  const toldOf = (address: string) => mail.mails.filter(({ to }) => to.includes(address)).length;
  expect([toldOf(free), toldOf(premium)]).toEqual([1, 0]);
});

it('shows what rules would delete, and deletes nothing', async () => {
  const { body: file } = await upload(member.client, 'old words', 'a.txt', 'text/plain');
  const first = await preview({ free: 500 });
  const id = await old(600, member, file.id);
  const second = await preview({ free: 500 });
  expect(second.threads - first.threads).toBe(1);
  expect(second.messages - first.messages).toBe(2);
  expect([second.files - first.files, second.bytes - first.bytes]).toEqual([1, 9]);
  expect(Date.parse(second.oldest!)).toBeLessThan(Date.now() - 599 * DAY_MS);
  expect(await get()).toEqual({ ...OFF, effectiveAt: null, inForce: OFF });
  expect(await exists(id)).toBe(true);
});

describe('a sweep', () => {
  it('deletes old chats with their files, and leaves newer, pinned, temporary and premium ones', async () => {
    const { body: file } = await upload(member.client, 'old words', 'a.txt', 'text/plain');
    const { body: shared } = await upload(member.client, 'kept words', 'b.txt', 'text/plain');
    const gone = await old(31, member, file.id);
    const kept = await old(29);
    const pinned = await old(31);
    await member.client.patch(`/api/chat/threads/${pinned}`, { isPinned: true });
    await harness.dataSource.query(`update thread set updated_at = now() - interval '31 days' where id = $1`, [pinned]);
    const snapshot = await old(31, member, shared.id);
    const { body: share } = await member.client.post<Share>(`/api/chat/threads/${snapshot}/share`, {});
    await put({ free: 30 });
    await sweep();
    expect(await exists(gone)).toBe(true);
    await endNotice();
    await sweep();
    expect(await Promise.all([gone, kept, pinned, snapshot].map(exists))).toEqual([false, true, true, false]);
    await waitUntil('the deletion on the page', () => member.page.received.includes('thread:deleted'));
    expect((await download(member.client, file.url)).status).toBe(404);
    expect(await filesOnDisk(harness)).not.toContain(file.id);
    const { body } = await member.client.get<{ messages: { content: string }[] }>(`/api/share/${share.token}`);
    const [address] = /\/api\/share\/[^"]*\/files\/[0-9a-f-]+/.exec(JSON.stringify(body))!;
    expect((await download(member.client, address)).bytes.toString()).toBe('kept words');
  });

  it('counts an import as activity', async () => {
    const id = await old(31);
    await harness.dataSource.query('update thread set written_at = now() where id = $1', [id]);
    await put({ free: 30 });
    await endNotice();
    await sweep();
    expect(await exists(id)).toBe(true);
  });

  it('writes one audit entry a day, with its counts', async () => {
    const entries = async () => (await admin.get<AuditEntry[]>('/api/admin/audit?action=retention.sweep')).body;
    const total = async () => ((await entries())[0]?.after?.['threads'] as number | undefined) ?? 0;
    const before = await total();
    await put({ free: 30 });
    await endNotice();
    for (let day = 1; day <= 2; day += 1) {
      await old(31);
      await sweep();
      await eventually(async () => expect(await total()).toBeGreaterThanOrEqual(before + day));
    }
    expect(await entries()).toHaveLength(1);
    expect((await entries())[0]).toMatchObject({ actor: { id: -1 }, action: 'retention.sweep' });
  });

  it('deletes many chats in batches', async () => {
    await harness.dataSource.query(
      `insert into thread (owner, user_id, title, updated_at)
       select 'user:' || $1::int, $1::int, 'old', now() - interval '40 days' from generate_series(1, 320)`,
      [member.user.id],
    );
    await put({ free: 30 });
    await endNotice();
    await sweep();
    await eventually(async () => expect((await member.client.get<Thread[]>('/api/chat/threads')).body).toEqual([]));
  });

  it('leaves a chat whose answer is being written', async () => {
    harness.upstream.script({ steps: [{ text: 'so far' }, { stall: true }] });
    const { threadId, generationId } = await member.page.start('wait');
    await member.page.firstText(generationId);
    await harness.dataSource.query(`update thread set updated_at = now() - interval '31 days' where id = $1`, [
      threadId,
    ]);
    await put({ free: 30 });
    await endNotice();
    await sweep();
    expect(await exists(threadId)).toBe(true);
    await member.page.tryStop(generationId);
  });
});

describe('the time of a guest', () => {
  it('is changed at once for chats that are there, and deleted ones are counted', async () => {
    const browser = await harness.guest();
    const page = await harness.page(browser);
    const { threadId, generationId } = await page.start('hello');
    await page.ended(generationId);
    const left = async () => {
      const [row] = await harness.dataSource.query('select expires_at from thread where id = $1', [threadId]);
      return row.expires_at === null ? null : Math.round((row.expires_at.getTime() - Date.now()) / DAY_MS);
    };
    expect(await left()).toBe(1);
    await put({ guest: 10 });
    await eventually(async () => expect(await left()).toBe(10));
    await put({ guest: null });
    await eventually(async () => expect(await left()).toBeNull());
    await put({ guest: 1 });
    expect(await left()).toBeNull();
    await endNotice();
    await eventually(async () => expect(await left()).toBe(1));
  });
});

it('belongs to admins', async () => {
  const { body } = await member.client.get<User>('/api/user');
  expect(body.isAdmin).toBe(false);
  expect((await member.client.put('/api/admin/retention', { free: 1 })).status).toBe(403);
});
