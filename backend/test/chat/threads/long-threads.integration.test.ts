import { LIMITS, type Message } from '@tanya/contract';
import { MessageStore } from '../../../src/chat/messages/message-store.js';
import { userOwner } from '../../../src/identity/identity.js';
import { RateLimits } from '../../../src/platform/rate-limits/rate-limits.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { insertThread } from '../../harness/rows/long-threads.js';
import type { Member } from '../../harness/test-app.js';

let harness: ChatHarness;
let member: Member;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

beforeEach(async () => {
  member = await harness.member();
});

afterEach(() => jest.restoreAllMocks());

afterAll(() => harness.close());

const COUNT = 60;

/** Texts of 100,000 characters, each with its number. */
const texts = Array.from({ length: COUNT }, (_, at) => `${at} ${'x'.repeat(100_000)}`);

const numbersIn = (messages: Message[]) => messages.map(({ content }) => Number.parseInt(content));

/** Reads all pages, the newest first. */
async function pagesOf(client: HttpClient, threadId: number, limit: number) {
  const pages: { messages: Message[]; bytes: number }[] = [];
  for (let before = ''; ;) {
    const path = `/api/chat/threads/${threadId}/messages?limit=${limit}${before}`;
    const { body, text, headers } = await client.get<Message[]>(path);
    pages.push({ messages: body, bytes: Buffer.byteLength(text) });
    const cursor = headers.get('x-next-cursor');
    if (cursor === null) return pages;
    before = `&before=${cursor}`;
  }
}

/** The characters of the texts of each call of a method that reads messages. */
async function readSizes(spy: jest.SpyInstance): Promise<number[]> {
  const results = spy.mock.results as { value: Promise<{ content: string }[]> }[];
  return Promise.all(
    results.map(async ({ value }) => (await value).reduce((sum, { content }) => sum + content.length, 0)),
  );
}

describe('a page of messages', () => {
  it('ends at 2 MB of JSON, and the next ones have the rest in order (LIM-15)', async () => {
    const { threadId } = await insertThread(harness, member.user.id, texts);
    const pages = await pagesOf(member.client, threadId, 200);
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThanOrEqual(LIMITS.pageBytes);
    expect(pages.length).toBeLessThan(8);
    expect(numbersIn(pages.toReversed().flatMap(({ messages }) => messages))).toEqual([...texts.keys()]);
  });

  it('counts escaped characters, the parts of an answer and its reasoning (LIM-15)', async () => {
    const { threadId, ids } = await insertThread(harness, member.user.id, ['1', '2\n'.repeat(100_000), '3', '4']);
    await harness.dataSource.query('update message set reasoning = $2, parts = $3 where id = $1', [
      ids[3],
      '"'.repeat(200_000),
      JSON.stringify([{ type: 'source', index: 1, url: 'https://example.org', title: 'y'.repeat(700_000) }]),
    ]);
    const pages = await pagesOf(member.client, threadId, 200);
    expect(pages.map(({ messages }) => messages.length)).toEqual([2, 2]);
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThanOrEqual(LIMITS.pageBytes);
  });

  it('has the versions around a message, of a place with many (LIM-15)', async () => {
    const { threadId, ids } = await insertThread(harness, member.user.id, ['1', '2']);
    const inserted = await harness.dataSource.query<{ id: number; parent_id: number | null }[]>(
      `insert into message (thread_id, parent_id, user_id, content, is_user_message)
       select $1, parent_id, $2, 'x', parent_id is null from unnest(array[null, $3::bigint]) as places (parent_id),
         generate_series(1, $4::int)
       returning id, parent_id`,
      [threadId, member.user.id, ids[0], 2 * LIMITS.versions],
    );
    const places = [null, ids[0]!].map((parent) => [
      parent === null ? ids[0]! : ids[1]!,
      ...inserted.filter(({ parent_id }) => parent_id === parent).map(({ id }) => id),
    ]);
    const shownAt = async (leaf: number) => {
      await harness.dataSource.query('update thread set active_leaf_id = $2 where id = $1', [threadId, leaf]);
      const { body } = await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
      return body.map(({ siblingIds }) => siblingIds);
    };
    const [questions, answers] = places as [number[], number[]];
    const [first, last] = [0, 2 * LIMITS.versions];
    expect(await shownAt(answers[first]!)).toEqual([questions, answers].map((all) => all.slice(0, LIMITS.versions)));
    expect(await shownAt(answers[last]!)).toEqual([
      questions.slice(0, LIMITS.versions),
      answers.slice(-LIMITS.versions),
    ]);
    const [middle] = await shownAt(questions[LIMITS.versions]!);
    expect(middle).toHaveLength(LIMITS.versions);
    expect(middle).toEqual(questions.slice(questions.indexOf(middle![0]!)).slice(0, LIMITS.versions));
    expect(middle).toContain(questions[LIMITS.versions]! - 1);
    expect(middle).toContain(questions[LIMITS.versions]! + 1);
  });

  it('has one message at least, however long (LIM-15)', async () => {
    const { threadId } = await insertThread(harness, member.user.id, ['1', '2'.repeat(1_500_000), '3', '4']);
    const pages = await pagesOf(member.client, threadId, 200);
    expect(pages.map(({ messages }) => messages.length)).toEqual([2, 1, 1]);
  });

  it('still has as many messages as asked for, and no cursor at the beginning', async () => {
    const { threadId } = await insertThread(harness, member.user.id, ['1', '2', '3', '4']);
    const pages = await pagesOf(member.client, threadId, 2);
    expect(pages.map(({ messages }) => numbersIn(messages))).toEqual([
      [3, 4],
      [1, 2],
    ]);
  });
});

describe('an export', () => {
  it('of a thread reads it in slices, and has all messages in order (LIM-15)', async () => {
    const { threadId } = await insertThread(harness, member.user.id, texts);
    const read = jest.spyOn(harness.app.get(MessageStore), 'findMany');
    const json = await member.client.get<{ title: string; messages: Message[] }>(
      `/api/chat/threads/${threadId}/export?format=json`,
    );
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(json.body.title).toBe('Long');
    expect(numbersIn(json.body.messages)).toEqual([...texts.keys()]);
    const markdown = await member.client.get<string>(`/api/chat/threads/${threadId}/export`);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.text.match(/^\d+(?= x)/gm)?.map(Number)).toEqual([...texts.keys()]);
    const sizes = await readSizes(read);
    expect(sizes.length).toBeGreaterThan(8);
    expect(Math.max(...sizes)).toBeLessThan(1_100_000);
  });

  it('of an account reads messages in pages of bounded size (LIM-15)', async () => {
    await insertThread(harness, member.user.id, texts);
    const read = jest.spyOn(harness.app.get(MessageStore), 'afterId');
    const { body } = await member.client.get<{ messages: Message[] }>('/api/user/export');
    expect(numbersIn(body.messages)).toEqual([...texts.keys()]);
    expect(Math.max(...(await readSizes(read)))).toBeLessThan(1_100_000);
  });
});

describe('reading is limited per person (LIM-15)', () => {
  /** Uses up a limit. */
  async function exhaust(limit: { name: string; points: number; window: number }, key: string): Promise<void> {
    const limits = harness.app.get(RateLimits);
    while ((await limits.used(limit, key)) < limit.points) await limits.count(limit, key);
  }

  it.each([
    ['pages of messages', { name: 'message-pages', points: 600, window: 600 }, 'messages'],
    ['exports of a thread', { name: 'thread-exports', points: 60, window: 3_600 }, 'export?format=json'],
  ])('%s, before anything is read', async (_what, limit, path) => {
    const { threadId } = await insertThread(harness, member.user.id, ['1', '2']);
    const address = `/api/chat/threads/${threadId}/${path}`;
    expect((await member.client.get(address)).status).toBe(200);
    await exhaust(limit, userOwner(member.user.id));
    const find = jest.spyOn(harness.app.get(MessageStore), 'findMany');
    const page = jest.spyOn(harness.app.get(MessageStore), 'page');
    const refused = await member.client.get(address);
    expect([refused.status, errorOf(refused).code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([find.mock.calls, page.mock.calls]).toEqual([[], []]);
    const other = await harness.member();
    expect((await other.client.get(address)).status).toBe(404);
  });

  it('lists of threads', async () => {
    await exhaust({ name: 'thread-lists', points: 1_200, window: 600 }, userOwner(member.user.id));
    expect((await member.client.get('/api/chat/threads')).status).toBe(429);
    expect((await member.client.get('/api/chat/threads?query=harbour')).status).toBe(200);
  });

  it('searches through the list of threads, like other searches', async () => {
    await exhaust({ name: 'search', points: 120, window: 60 }, userOwner(member.user.id));
    expect((await member.client.get('/api/chat/search?query=harbour')).status).toBe(429);
    expect((await member.client.get('/api/chat/threads?query=harbour')).status).toBe(429);
    expect((await member.client.get('/api/chat/threads')).status).toBe(200);
  });

  it('guests by their address too, whatever their cookies', async () => {
    const address = '10.20.30.40';
    await exhaust({ name: 'message-pages-address', points: 3_000, window: 600 }, address);
    const guest = harness.client(address);
    expect((await guest.get('/api/chat/threads/1/messages')).status).toBe(429);
    expect((await harness.client('10.20.30.41').get('/api/chat/threads/1/messages')).status).toBe(404);
  });
});
