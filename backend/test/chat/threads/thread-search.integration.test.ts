import type { Thread } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';
import { statementsOf } from '../../harness/statements.js';

let harness: ChatHarness;
let client: HttpClient;
let userId: number;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  const member = await harness.member();
  client = member.client;
  userId = member.user.id;
});

afterAll(() => harness.close());

/** Inserts a thread of one message with the given age. */
async function thread(title: string, message: string, { hoursOld = 0, owner = userId } = {}): Promise<number> {
  const [{ id }] = await harness.dataSource.query<[{ id: number }]>(
    `insert into thread (owner, user_id, title, updated_at) values ($1, $2, $3, now() - $4 * interval '1 hour') returning id`,
    [`u:${owner}`, owner, title, hoursOld],
  );
  await harness.dataSource.query(
    `insert into message (thread_id, user_id, content, is_user_message, search)
     values ($1, $2, $3, true, to_tsvector('simple', $3))`,
    [id, owner, message],
  );
  return id;
}

async function page(words: string, limit: number, before: string | null) {
  const { status, body, headers } = await client.get<Thread[]>(
    `/api/chat/threads?query=${encodeURIComponent(words)}&limit=${limit}${before === null ? '' : `&before=${before}`}`,
  );
  expect(status).toBe(200);
  return { ids: body.map(({ id }) => id), next: headers.get('x-next-cursor') };
}

const search = async (words: string, limit = 50): Promise<number[]> => (await page(words, limit, null)).ids;

/** Reads every page of a search. */
async function searchAll(words: string, limit: number): Promise<number[][]> {
  const pages: number[][] = [];
  for (let before: string | null = null; ;) {
    const { ids, next } = await page(words, limit, before);
    pages.push(ids);
    if (next === null) return pages;
    before = next;
  }
}

it('finds words of messages and titles, the newest thread first', async () => {
  const old = await thread('Ships', 'about the harbour', { hoursOld: 9 });
  const byTitle = await thread('The Harbour', 'nothing of it', { hoursOld: 5 });
  const fresh = await thread('Boats', 'The HARBOUR at night', { hoursOld: 1 });
  await thread('Another user', 'harbour', { owner: (await harness.member()).user.id });
  expect(await search('harbour')).toEqual([fresh, byTitle, old]);
  expect(await search('harbour night')).toEqual([fresh]);
});

it('finds a rare word beyond the threads that are searched first', async () => {
  const old = await thread('Old', 'a wombat', { hoursOld: 500 });
  for (let index = 0; index < 12; index += 1) await thread('Young', 'no such animal', { hoursOld: index });
  expect(await search('wombat', 3)).toEqual([old]);
});

it('answers a frequent word from the newest threads alone', async () => {
  const ids: number[] = [];
  for (let hoursOld = 8; hoursOld >= 1; hoursOld -= 1)
    ids.push(await thread('Any', 'weather', { hoursOld: hoursOld / 100 }));
  const statements = await statementsOf(harness.dataSource, async () => {
    expect(await search('weather', 3)).toEqual(ids.slice(-3).reverse());
  });
  expect(statements.filter(({ sql }) => sql.includes('gin_fuzzy_search_limit'))).toEqual([]);
});

it('pages through every match, whatever their distribution', async () => {
  const everywhere: number[] = [];
  const rare: number[] = [];
  for (let index = 0; index < 24; index += 1) {
    const isRare = index % 6 === 0;
    const id = await thread(
      index % 4 === 0 ? 'The Lighthouse' : 'Any',
      `${index % 4 === 0 ? 'tower' : 'lighthouse'}${isRare ? ' puffin' : ''}`,
      {
        hoursOld: 1_000 + index,
      },
    );
    everywhere.push(id);
    if (isRare) rare.push(id);
  }
  const pages = await searchAll('lighthouse', 5);
  expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 4]);
  expect(pages.flat()).toEqual(everywhere);
  expect(await searchAll('puffin', 2)).toEqual([rare.slice(0, 2), rare.slice(2)]);
  expect(await searchAll('puffin', 4)).toEqual([rare]);
});
