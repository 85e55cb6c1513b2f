import { randomBytes } from 'node:crypto';
import type { Fault } from '../fault.js';
import type { Page } from '../page/page.js';
import type { Scenario } from '../scenario.js';
import { TcpProxy } from '../tcp-proxy.js';
import { accessTaken } from './access-fault.js';

/** Words of an answer that a fault ends. */
const ENDLESS = 20_000;

const local = { isLocal: true, on: ['many', 'one'] } satisfies Partial<Fault>;

/** Whether the user of a page has lost the session. */
const signedOut = (page: Page): boolean => page.user.isSignedOut;

const threadDeleted: Fault = {
  ...local,
  id: 'F31',
  description: 'a thread is deleted during its answer',
  run: async (scenario) => {
    const send = await scenario.shown({ words: ENDLESS });
    await scenario.moment(0, 300);
    const { threadId, generationId } = send.started!;
    const erase = () => scenario.call(send.user.browser, 'DELETE', `/api/chat/threads/${threadId}`);
    let answer = await erase();
    // A 503 is retried, as a user would.
    for (let tries = 0; answer.status === 503 && tries < 3; tries += 1) answer = await erase();
    scenario.expect(answer.status < 300, `the deletion got ${answer.status}`);
    await scenario.end(send, 'stopped', 'interrupted', 'deleted');
    // The trash keeps the rows for a while under another owner.
    const left = await scenario.harness.database.query(
      `select id from thread where id = $1 and owner = any($3) union all
       select 1 from generation where id = $2 and owner = any($3)`,
      [threadId, generationId, send.user.owners],
    );
    scenario.expect(left.length === 0, `${left.length} rows of a deleted thread remain`);
    scenario.exclude(send);
  },
};

const userDeleted: Fault = {
  ...local,
  id: 'F32',
  description: 'an account is deleted during its answer',
  run: async (scenario) => {
    const user = await scenario.harness.newMember();
    const send = await scenario.shown({ user, words: ENDLESS });
    await scenario.moment(0, 300);
    user.removeCredentials();
    const answer = await scenario.call(scenario.harness.admin, 'DELETE', `/api/admin/users/${user.id}`);
    scenario.expect(answer.status < 300, `the deletion got ${answer.status}`);
    await scenario.until(() => signedOut(send.page) || !send.page.isConnected, 'the end of the session', 5_000);
    const left = await scenario.harness.database.query('select id from generation where owner = $1', [user.owner]);
    scenario.expect(left.length === 0, `${left.length} generations of a deleted account remain`);
    scenario.exclude(send);
  },
};

const demoted: Fault = {
  ...local,
  id: 'F33',
  description: 'an admin is demoted during a session',
  run: async (scenario) => {
    const user = await scenario.harness.newMember({ isAdmin: true });
    const page = await scenario.page(user);
    const before = await scenario.call(user.browser, 'GET', '/api/admin/users');
    scenario.expect(before.status === 200, `an admin got ${before.status}`);
    await scenario.harness.asAdmin('PATCH', `/api/admin/users/${user.id}`, { isAdmin: false });
    const after = await scenario.call(user.browser, 'GET', '/api/admin/users');
    scenario.expect(after.status === 403 || after.status === 401, `a former admin got ${after.status}`);
    const send = await scenario.taken({ page, words: 3 });
    await scenario.end(send, 'complete');
  },
};

const modelDisabled: Fault = {
  ...local,
  id: 'F34',
  description: 'a model is switched off during its answer',
  run: async (scenario) => {
    const modelId = `scripted/${randomBytes(5).toString('hex')}`;
    const model = { modelId, name: modelId, provider: 'scripted', isEnabled: true };
    const made = (await scenario.harness.asAdmin('POST', '/api/admin/models', model)) as { id: number };
    // The budgets of the harness refuse a model without prices.
    const pricing = { prompt: '0.000001', completion: '0.000002' };
    await scenario.harness.asAdmin('PATCH', `/api/admin/models/${made.id}`, { pricing });
    const send = await scenario.shown({ model: modelId, words: 60 });
    await scenario.harness.asAdmin('PATCH', `/api/admin/models/${made.id}/status`, { isEnabled: false });
    await scenario.end(send, 'complete');
    await scenario.until(
      async () => {
        const next = await scenario.send({ page: send.page, model: modelId, words: 1, isSingle: true });
        await next.answered;
        if (next.started !== null) await scenario.end(next, 'complete');
        return next.refusal?.code === 'model_unavailable';
      },
      'the refusal of a disabled model',
      3_000,
    );
  },
};

const quotaLowered: Fault = {
  id: 'F35',
  description: 'the quota is lowered during an answer',
  on: ['many', 'one'],
  run: async (scenario) => {
    const page = await scenario.page(await scenario.harness.guest());
    const first = await scenario.taken({ page, words: 2 });
    await scenario.end(first, 'complete');
    const send = await scenario.shown({ page, words: 60 });
    await scenario.harness.asAdmin('PATCH', '/api/admin/general-settings', { guestMessageQuota: 1 });
    await scenario.end(send, 'complete');
    const quota = await scenario.call(page.user.browser, 'GET', '/api/user/quota');
    scenario.expect((quota.body as { remaining: number }).remaining >= 0, 'the remaining quota is negative');
    const refused = await scenario.send({ page, words: 1, isSingle: true });
    await refused.answered;
    scenario.expect(
      refused.refusal?.code === 'quota_exceeded',
      `over the new quota: ${refused.refusal?.code ?? 'taken'}`,
    );
    await scenario.harness.asAdmin('PATCH', '/api/admin/general-settings', { guestMessageQuota: 100 });
  },
};

const periodChanges: Fault = {
  id: 'F36',
  description: 'the quota period rolls over during an answer',
  on: ['many', 'one'],
  run: async (scenario) => {
    const send = await scenario.shown({ words: 60 });
    await scenario.harness.asAdmin('PATCH', '/api/admin/general-settings', { quotaPeriod: 'daily' });
    const second = await scenario.taken({ words: 10 });
    await scenario.end(send, 'complete');
    await scenario.harness.asAdmin('PATCH', '/api/admin/general-settings', { quotaPeriod: 'never' });
    await scenario.end(second, 'complete');
    const [row] = await scenario.harness.database.query<{ period: string }>(
      `select period from usage_record where generation_id = $1 and state = 'charged'`,
      [send.started!.generationId],
    );
    scenario.expect(row?.period === 'ever', `charged in the period ${row?.period}, admitted in ever`);
  },
};

const registers: Fault = {
  ...local,
  id: 'F32b',
  description: 'a guest becomes a member during an answer, on a connection that breaks',
  run: async (scenario) => {
    const guest = await scenario.harness.guest();
    const proxy = scenario.own(await TcpProxy.open(() => [scenario.harness.front.port]));
    const page = await scenario.page(guest, proxy.url);
    const send = await scenario.shown({ page, words: 80 });
    await scenario.moment(0, 200);
    const username = `guest-${randomBytes(6).toString('hex')}`;
    const status = await guest.register({ username, password: 'a quiet harbour at dawn' });
    scenario.expect(status === 201, `the registration got ${status}`);
    proxy.cut();
    await scenario.end(send, 'complete');
  },
};

const uploadsFull: Fault = {
  id: 'F38b',
  description: 'the disk of the files is full; the chat goes on',
  on: ['many', 'one'],
  needsSmallDisk: true,
  run: async (scenario) => {
    const user = scenario.harness.member();
    const page = await scenario.page(user);
    await scenario.harness.files.fill();
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(200_000, 'text and more text ')], { type: 'text/plain' }), 'notes.txt');
    const upload = await user.browser.send('POST', '/api/files', { raw: form });
    scenario.expect([503, 507].includes(upload.status), `an upload to a full disk got ${upload.status}`);
    const send = await scenario.taken({ page, words: 10 });
    await scenario.end(send, 'complete');
    await scenario.harness.files.makeRoom();
    const again = await user.browser.send('POST', '/api/files', { raw: form });
    scenario.expect(again.status === 201, `an upload with room again got ${again.status}: ${again.text}`);
    const rows = await scenario.harness.database.query<{ count: number }>('select count(*)::int as count from file');
    scenario.expect(rows[0]!.count === (await scenario.harness.files.count()), 'rows and files are not the same');
  },
};

const manySends: Fault = {
  id: 'F44',
  description: 'far more sends at once than the database has connections',
  on: ['many', 'one'],
  run: async (scenario) => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => scenario.page()));
    const sends = await Promise.all(
      pages.flatMap((page) => Array.from({ length: 8 }, () => scenario.send({ page, words: 2, pace: 1 }))),
    );
    await Promise.all(sends.map((send) => send.answered));
    for (const code of new Set(sends.flatMap((send) => send.refusals.map((refusal) => refusal.code))))
      scenario.expect(['storage_unavailable', 'rate_limited'].includes(code), `refused with ${code}`);
    await scenario.endAll(sends, 'complete');
  },
};

const fanOut = async (scenario: Scenario): Promise<void> => {
  const user = scenario.harness.member();
  const pages = await Promise.all(scenario.harness.nodes.map((node) => scenario.page(user, node.url)));
  const send = await scenario.shown({ page: pages[0], words: 30 });
  const watched = pages[1]!.answer(send.started!.generationId);
  await scenario.end(send, 'complete');
  await scenario.until(() => watched.isClosed, 'the end on the other node');
  scenario.expect(watched.final?.content === scenario.answerOf(send).final?.content, 'I4: two nodes show two texts');
};

const noStickiness: Fault = {
  id: 'F41',
  description: "a balancer without stickiness; each node serves the other's runs",
  isLocal: true,
  on: ['many'],
  run: fanOut,
};

export const changeFaults: Fault[] = [
  threadDeleted,
  userDeleted,
  demoted,
  accessTaken,
  modelDisabled,
  quotaLowered,
  periodChanges,
  registers,
  uploadsFull,
  manySends,
  noStickiness,
];
