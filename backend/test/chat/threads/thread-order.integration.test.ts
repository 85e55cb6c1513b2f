import { LIMITS, type Thread, type ThreadBatchResult } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';

let harness: ChatHarness;
let client: HttpClient;
let userId: number;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

beforeEach(async () => {
  const member = await harness.member();
  client = member.client;
  userId = member.user.id;
});

afterAll(() => harness.close());

/** Inserts threads, the first one newest. */
async function threads(count: number): Promise<number[]> {
  const rows = await harness.dataSource.query<{ id: number }[]>(
    `insert into thread (owner, user_id, title, updated_at)
     select 'user:' || $1::int, $1, 'thread ' || n, now() - n * interval '1 hour' from generate_series(1, $2::int) n
     returning id`,
    [userId, count],
  );
  return rows.map(({ id }) => id);
}

async function list(parameters = ''): Promise<{ ids: number[]; rows: Thread[]; next: string | null }> {
  const { status, body, headers } = await client.get<Thread[]>(`/api/chat/threads?${parameters}`);
  expect(status).toBe(200);
  return { ids: body.map(({ id }) => id), rows: body, next: headers.get('x-next-cursor') };
}

/** Reads every page; `between` runs after each. */
async function listAll(parameters: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const pages: number[][] = [];
  for (let before = ''; ;) {
    const { ids, next } = await list(`${parameters}${before}`);
    pages.push(ids);
    if (next === null) return pages;
    before = `&before=${next}`;
    await between(pages.length);
  }
}

const change = (id: number, fields: object) => client.patch<Thread>(`/api/chat/threads/${id}`, fields);
const batch = (action: string, ids: unknown) =>
  client.post<ThreadBatchResult>('/api/chat/threads/batch', { action, ids });

describe('pinned threads', () => {
  it('precede the others in the list, and pages continue after them', async () => {
    const ids = await threads(6);
    expect((await change(ids[4]!, { isPinned: true })).body).toMatchObject({ isPinned: true, isArchived: false });
    await change(ids[2]!, { isPinned: true });
    const order = [ids[2], ids[4], ids[0], ids[1], ids[3], ids[5]];
    expect((await list()).ids).toEqual(order);
    for (const limit of [1, 2, 3, 4]) expect((await listAll(`limit=${limit}`)).flat()).toEqual(order);
    expect((await change(ids[2]!, { isPinned: false })).body.isPinned).toBe(false);
    expect((await list()).ids.slice(0, 3)).toEqual([ids[4], ids[0], ids[1]]);
  });

  it('keep their time: pinning is no change of the conversation', async () => {
    const [id] = await threads(1);
    const [before] = (await list()).rows;
    await change(id!, { isPinned: true });
    expect((await list()).rows[0]!.updatedAt).toBe(before!.updatedAt);
  });

  it('neither repeat nor hide threads of later pages that were already read', async () => {
    const ids = await threads(8);
    const pages = await listAll('limit=3', (page) =>
      page === 1 ? change(ids[0]!, { isPinned: true }) : client.get('/'),
    );
    expect(pages.flat()).toEqual(ids);
  });

  it('accept cursors of earlier versions', async () => {
    await threads(3);
    const { next } = await list('limit=1');
    expect(next).toMatch(/^\d{4}-/);
    expect((await list(`before=pinned_${next}`)).ids).toHaveLength(3);
    expect((await client.get('/api/chat/threads?before=pinned')).status).toBe(400);
  });
});

describe('archived threads', () => {
  it('have a list of their own', async () => {
    const ids = await threads(4);
    await change(ids[1]!, { isPinned: true });
    expect((await change(ids[1]!, { isArchived: true })).body).toMatchObject({ isPinned: false, isArchived: true });
    await change(ids[3]!, { isArchived: true });
    expect((await list()).ids).toEqual([ids[0], ids[2]]);
    expect((await list('state=archived')).ids).toEqual([ids[1], ids[3]]);
    expect(await listAll('state=archived&limit=1')).toEqual([[ids[1]], [ids[3]]]);
    expect((await client.get(`/api/chat/threads/${ids[1]}`)).status).toBe(200);
    expect((await change(ids[1]!, { isPinned: true })).body).toMatchObject({ isPinned: true, isArchived: false });
    await change(ids[3]!, { isArchived: false });
    expect((await list()).ids).toEqual([ids[1], ids[0], ids[2], ids[3]]);
  });

  it('leave the archive with a new turn', async () => {
    const { page, client: browser } = await harness.memberPage();
    const first = await page.start('one');
    await page.ended(first.generationId);
    await browser.patch(`/api/chat/threads/${first.threadId}`, { isArchived: true });
    const second = await page.start('two', { threadId: first.threadId });
    await page.ended(second.generationId);
    const { body } = await browser.get<Thread>(`/api/chat/threads/${first.threadId}`);
    expect(body.isArchived).toBe(false);
  });

  it('cannot be pinned at the same time', async () => {
    const [id] = await threads(1);
    expect(errorOf(await change(id!, { isPinned: true, isArchived: true })).code).toBe('invalid');
    expect(errorOf(await client.get('/api/chat/threads?state=all')).code).toBe('invalid');
  });
});

describe('a batch', () => {
  it('changes the threads of its owner and names the others', async () => {
    const ids = await threads(3);
    const other = await harness.memberPage();
    const foreign = await other.page.start('foreign');
    await other.page.ended(foreign.generationId);
    const answer = await batch('archive', [ids[0], ids[0], foreign.threadId, 999_999, ids[2]]);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ids: [ids[0], ids[2]],
        skipped: [
          { id: foreign.threadId, code: 'not_found' },
          { id: 999_999, code: 'not_found' },
        ],
      },
    });
    expect((await list('state=archived')).ids).toEqual([ids[0], ids[2]]);
    const { body } = await other.client.get<Thread>(`/api/chat/threads/${foreign.threadId}`);
    expect(body.isArchived).toBe(false);
  });

  it('runs each action', async () => {
    const ids = await threads(2);
    await batch('pin', ids);
    expect((await list()).rows.map(({ isPinned }) => isPinned)).toEqual([true, true]);
    await batch('unpin', ids);
    await batch('archive', ids);
    expect((await list()).ids).toEqual([]);
    await batch('unarchive', ids);
    await batch('delete', ids);
    expect((await list()).ids).toEqual([]);
    expect((await batch('restore', ids)).body.ids).toEqual(ids);
    expect((await list()).rows).toMatchObject(ids.map((id) => ({ id, isPinned: false, isArchived: false })));
  });

  it.each([
    ['an unknown action', 'rename', [1]],
    ['no threads', 'delete', []],
    ['too many threads', 'delete', Array.from({ length: LIMITS.threadBatch + 1 }, (_, index) => index + 1)],
    ['text', 'delete', ['1']],
    ['a number beyond all ids', 'delete', [Number.MAX_SAFE_INTEGER + 1]],
    ['no list', 'delete', 1],
  ])('refuses %s', async (_name, action, ids) => {
    expect(errorOf(await batch(action, ids))).toMatchObject({ statusCode: 400, code: 'invalid' });
  });

  it('is limited in its rate', async () => {
    let answer = await batch('pin', [1]);
    for (let count = 0; answer.status === 200 && count < 200; count += 1) answer = await batch('pin', [1]);
    expect(errorOf(answer).code).toBe('rate_limited');
  });

  it('announces each change to the pages of the owner', async () => {
    const { page, client: browser } = await harness.memberPage();
    const { threadId, generationId } = await page.start('one');
    await page.ended(generationId);
    const events: unknown[] = [];
    page.socket.on('thread:changed', (payload) => events.push(['changed', payload.threadId]));
    page.socket.on('thread:deleted', (payload) =>
      events.push(['deleted', payload.threadId, typeof payload.restorableUntil]),
    );
    const act = (action: string) => browser.post('/api/chat/threads/batch', { action, ids: [threadId] });
    await act('pin');
    await act('delete');
    await act('restore');
    await page.until(() => events.length === 3);
    expect(events).toEqual([
      ['changed', threadId],
      ['deleted', threadId, 'string'],
      ['changed', threadId],
    ]);
  });
});
