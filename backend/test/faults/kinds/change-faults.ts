import { randomBytes } from 'node:crypto';
import type { Fault } from '../fault.js';
import type { Page } from '../page.js';
import type { Scene } from '../scene.js';
import { TcpProxy } from '../tcp-proxy.js';

const local = { isLocal: true, on: ['many', 'one'] } satisfies Partial<Fault>;

/** A socket that its server closes stays closed for this person, or comes back as nobody. */
const signedOut = (page: Page): boolean => page.person.isSignedOut;

const threadDeleted: Fault = {
  ...local,
  id: 'F31',
  says: 'a thread is deleted amid its answer',
  run: async (scene) => {
    const send = await scene.shown({ words: 400 });
    await scene.moment(0, 300);
    const { threadId, generationId } = send.started!;
    const erase = () => scene.call(send.person.browser, 'DELETE', `/api/chat/threads/${threadId}`);
    let answer = await erase();
    // A server with too much to do says so, and the page offers it again.
    for (let tries = 0; answer.status === 503 && tries < 3; tries += 1) answer = await erase();
    scene.expect(answer.status < 300, `the deletion got ${answer.status}`);
    await scene.end(send, 'stopped', 'interrupted', 'gone');
    const left = await scene.ground.database.query(
      'select id from message where thread_id = $1 union all select 1 from generation where id = $2',
      [threadId, generationId],
    );
    scene.expect(left.length === 0, `${left.length} rows of a deleted thread are there`);
    scene.forget(send);
  },
};

const userDeleted: Fault = {
  ...local,
  id: 'F32',
  says: 'an account is deleted amid its answer',
  run: async (scene) => {
    const person = await scene.ground.newMember();
    const send = await scene.shown({ person, words: 400 });
    await scene.moment(0, 300);
    person.staysOut();
    const answer = await scene.call(scene.ground.admin, 'DELETE', `/api/admin/users/${person.id}`);
    scene.expect(answer.status < 300, `the deletion got ${answer.status}`);
    await scene.until(() => signedOut(send.page) || !send.page.isConnected, 'the end of the session', 5_000);
    const left = await scene.ground.database.query('select id from generation where owner = $1', [person.owner]);
    scene.expect(left.length === 0, `${left.length} generations of a deleted account are there`);
    scene.forget(send);
  },
};

const demoted: Fault = {
  ...local,
  id: 'F33',
  says: 'an admin is demoted amid a session',
  run: async (scene) => {
    const person = await scene.ground.newMember({ isAdmin: true });
    const page = await scene.page(person);
    const before = await scene.call(person.browser, 'GET', '/api/admin/users');
    scene.expect(before.status === 200, `an admin got ${before.status}`);
    await scene.ground.asAdmin('PATCH', `/api/admin/users/${person.id}`, { isAdmin: false });
    const after = await scene.call(person.browser, 'GET', '/api/admin/users');
    scene.expect(after.status === 403 || after.status === 401, `a former admin got ${after.status}`);
    const send = await scene.taken({ page, words: 3 });
    await scene.end(send, 'complete');
  },
};

const modelDisabled: Fault = {
  ...local,
  id: 'F34',
  says: 'a model is switched off amid its answer',
  run: async (scene) => {
    const modelId = `scripted/${randomBytes(5).toString('hex')}`;
    const model = { modelId, name: modelId, provider: 'scripted', isEnabled: true };
    const made = (await scene.ground.asAdmin('POST', '/api/admin/models', model)) as { id: number };
    const send = await scene.shown({ model: modelId, words: 60 });
    await scene.ground.asAdmin('PATCH', `/api/admin/models/${made.id}/status`, { isEnabled: false });
    await scene.end(send, 'complete');
    await scene.until(
      async () => {
        const next = await scene.send({ page: send.page, model: modelId, words: 1, isSingle: true });
        await next.answered;
        if (next.started !== null) await scene.end(next, 'complete');
        return next.refusal?.code === 'model_unavailable';
      },
      'the refusal of a model that is off',
      3_000,
    );
  },
};

const quotaLowered: Fault = {
  id: 'F35',
  says: 'the quota is lowered amid an answer',
  on: ['many', 'one'],
  run: async (scene) => {
    const page = await scene.page(await scene.ground.guest());
    const first = await scene.taken({ page, words: 2 });
    await scene.end(first, 'complete');
    const send = await scene.shown({ page, words: 60 });
    await scene.ground.asAdmin('PATCH', '/api/admin/general-settings', { guestMessageQuota: 1 });
    await scene.end(send, 'complete');
    const quota = await scene.call(page.person.browser, 'GET', '/api/user/quota');
    scene.expect((quota.body as { remaining: number }).remaining >= 0, 'what remains is less than nothing');
    const refused = await scene.send({ page, words: 1, isSingle: true });
    await refused.answered;
    scene.expect(refused.refusal?.code === 'quota_exceeded', `over the new quota: ${refused.refusal?.code ?? 'taken'}`);
    await scene.ground.asAdmin('PATCH', '/api/admin/general-settings', { guestMessageQuota: 100 });
  },
};

const periodChanges: Fault = {
  id: 'F36',
  says: 'the quota period rolls over amid an answer',
  on: ['many', 'one'],
  run: async (scene) => {
    const send = await scene.shown({ words: 60 });
    await scene.ground.asAdmin('PATCH', '/api/admin/general-settings', { quotaPeriod: 'daily' });
    const second = await scene.taken({ words: 10 });
    await scene.end(send, 'complete');
    await scene.ground.asAdmin('PATCH', '/api/admin/general-settings', { quotaPeriod: 'never' });
    await scene.end(second, 'complete');
    const [row] = await scene.ground.database.query<{ period: string }>(
      `select period from usage_record where generation_id = $1 and state = 'charged'`,
      [send.started!.generationId],
    );
    scene.expect(row?.period === 'ever', `charged in the period ${row?.period}, admitted in ever`);
  },
};

const registers: Fault = {
  ...local,
  id: 'F32b',
  says: 'a guest becomes a member amid an answer, on a line that breaks',
  run: async (scene) => {
    const guest = await scene.ground.guest();
    const line = scene.own(await TcpProxy.open(() => [scene.ground.front.port]));
    const page = await scene.page(guest, line.url);
    const send = await scene.shown({ page, words: 80 });
    await scene.moment(0, 200);
    const username = `guest-${randomBytes(6).toString('hex')}`;
    const status = await guest.register({ username, password: 'a quiet harbour at dawn' });
    scene.expect(status === 201, `the registration got ${status}`);
    line.cut();
    await scene.end(send, 'complete');
  },
};

const uploadsFull: Fault = {
  id: 'F38b',
  says: 'the disk of the files is full; the chat goes on',
  on: ['many', 'one'],
  needsSmallDisk: true,
  run: async (scene) => {
    const person = scene.ground.member();
    const page = await scene.page(person);
    await scene.ground.files.fill();
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(200_000, 'text and more text ')], { type: 'text/plain' }), 'notes.txt');
    const upload = await person.browser.send('POST', '/api/files', { raw: form });
    scene.expect([503, 507].includes(upload.status), `an upload to a full disk got ${upload.status}`);
    const send = await scene.taken({ page, words: 10 });
    await scene.end(send, 'complete');
    await scene.ground.files.makeRoom();
    const again = await person.browser.send('POST', '/api/files', { raw: form });
    scene.expect(again.status === 201, `an upload with room again got ${again.status}: ${again.text}`);
    const rows = await scene.ground.database.query<{ count: number }>('select count(*)::int as count from file');
    scene.expect(rows[0]!.count === (await scene.ground.files.count()), 'rows and files are not the same');
  },
};

const manySends: Fault = {
  id: 'F44',
  says: 'far more sends at once than the database has connections',
  on: ['many', 'one'],
  run: async (scene) => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => scene.page()));
    const sends = await Promise.all(
      pages.flatMap((page) => Array.from({ length: 8 }, () => scene.send({ page, words: 2, pace: 1 }))),
    );
    await Promise.all(sends.map((send) => send.answered));
    for (const code of new Set(sends.flatMap((send) => send.refusals.map((refusal) => refusal.code))))
      scene.expect(['storage_unavailable', 'rate_limited'].includes(code), `refused with ${code}`);
    await scene.endAll(sends, 'complete');
  },
};

const fanOut = async (scene: Scene): Promise<void> => {
  const person = scene.ground.member();
  const pages = await Promise.all(scene.ground.nodes.map((node) => scene.page(person, node.url)));
  const send = await scene.shown({ page: pages[0], words: 30 });
  const watched = pages[1]!.answer(send.started!.generationId);
  await scene.end(send, 'complete');
  await scene.until(() => watched.isClosed, 'the end on the other node');
  scene.expect(watched.final?.content === scene.answerOf(send).final?.content, 'I4: two nodes show two texts');
};

const noStickiness: Fault = {
  id: 'F41',
  says: 'a balancer without stickiness; each node shows what the other writes',
  isLocal: true,
  on: ['many'],
  run: fanOut,
};

export const changeFaults: Fault[] = [
  threadDeleted,
  userDeleted,
  demoted,
  modelDisabled,
  quotaLowered,
  periodChanges,
  registers,
  uploadsFull,
  manySends,
  noStickiness,
];
