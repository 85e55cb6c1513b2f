import { LIMITS, type SearchResult, type Thread } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
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

it('finds a match behind the newest messages of a thread, though the next threads fill the page', async () => {
  const long = await thread('Long', 'a plover', { hoursOld: -9 });
  await harness.dataSource.query(
    `insert into message (thread_id, user_id, content, is_user_message, search)
     select $1, $2, 'sand', true, to_tsvector('simple', 'sand') from generate_series(1, 100)`,
    [long, userId],
  );
  const others: number[] = [];
  for (let index = 1; index <= 4; index += 1) others.push(await thread('Any', 'a plover', { hoursOld: index - 9 }));
  expect(await searchAll('plover', 2)).toEqual([[long, others[0]], others.slice(1, 3), others.slice(3)]);
  await harness.dataSource.query('delete from thread where id = any($1)', [[long, ...others]]);
});

it('finds a thread that is newer than imported ones with very many matches', async () => {
  for (let index = 0; index < 4; index += 1) await thread('Newest', 'no such bird');
  const own = await thread('Own', 'a heron', { hoursOld: 5_000 });
  const imported = await thread('Imported', 'a heron', { hoursOld: 6_000 });
  const older = await thread('Older', 'a heron', { hoursOld: 7_000 });
  await harness.dataSource.query(
    `insert into message (thread_id, user_id, content, is_user_message, search, created_at)
     select $1, $2, 'a heron', true, to_tsvector('simple', 'a heron'), now() - interval '6000 hours'
     from generate_series(1, 1001)`,
    [imported, userId],
  );
  expect(await search('heron')).toEqual([own, imported, older]);
  expect(await searchAll('heron', 1)).toEqual([[own], [imported], [older]]);
});

describe('a search of lines', () => {
  const lines = async (words: string, parameters = ''): Promise<SearchResult[]> => {
    const answer = await client.get<SearchResult[]>(`/api/chat/search?query=${encodeURIComponent(words)}${parameters}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('shows the line of the newest matching message, and null for a title', async () => {
    const byText = await thread('Notes', 'first line\nthe kestrel hovers\nlast line');
    const byTitle = await thread('About a kestrel', 'nothing of the kind', { hoursOld: 1 });
    const [text, title, ...others] = await lines('kestrel');
    expect(text).toMatchObject({
      thread: { id: byText, isArchived: false },
      match: { line: 'the kestrel hovers', isUserMessage: true },
    });
    expect(title).toMatchObject({ thread: { id: byTitle }, match: null });
    expect(others).toEqual([]);
  });

  it('finds the beginning of a word in recent threads, and whole words in all of them', async () => {
    const recent = await thread('Recent', 'an albatross', { hoursOld: 0 });
    const old = await thread('Old', 'another albatross', { hoursOld: 5_000 });
    for (let index = 0; index < 6; index += 1) await thread('Between', 'sparrow', { hoursOld: 2_000 + index });
    const found = async (words: string) => (await lines(words, '&limit=2')).map(({ thread: { id } }) => id);
    expect(await found('albat')).toEqual([recent]);
    expect(await found('albatross')).toEqual([recent, old]);
  });

  it('finds archived threads', async () => {
    const id = await thread('Archive', 'a cormorant');
    await harness.dataSource.query('update thread set is_archived = true where id = $1', [id]);
    expect(await lines('cormorant')).toMatchObject([{ thread: { id, isArchived: true } }]);
  });

  it('answers a query without words with an empty list, and takes any text', async () => {
    expect(await lines('  ')).toEqual([]);
    for (const text of ['!!!', "o'clock & 'x':*", '<b>', ':*', '\\', '%', 'a'.repeat(500)]) await lines(text);
  });

  it('is limited in its page and in its rate, with the searches of the list and of the trash (LIM-6)', async () => {
    const member = await harness.member();
    const paths = ['search?', 'threads?', 'threads?state=trash&'].map((path) => `/api/chat/${path}limit=10000&query=x`);
    const search = (at: number) => member.client.get(paths[at % paths.length]!);
    const statuses: number[] = [];
    while (statuses.length < 200 && statuses.at(-1) !== 429) statuses.push((await search(statuses.length)).status);
    expect(statuses).toHaveLength(121);
    for (const at of paths.keys()) expect(errorOf(await search(at)).code).toBe('rate_limited');
    for (const query of ['', '?query=', '?query=%20', '?state=trash']) {
      expect((await member.client.get(`/api/chat/threads${query}`)).status).toBe(200);
    }
    expect(LIMITS.searchResults).toBeLessThanOrEqual(50);
  });
});

describe('a search within a state', () => {
  const found = async (state: string, words: string) =>
    (await client.get<Thread[]>(`/api/chat/threads?state=${state}&query=${words}`)).body.map(({ id }) => id);

  it('finds the archived threads alone, page by page', async () => {
    const ids: number[] = [];
    for (let hoursOld = 1; hoursOld <= 8; hoursOld += 1)
      ids.push(await thread('Canal', `the lock number${hoursOld}`, { hoursOld }));
    const byTitle = await thread('A lock', 'nothing', { hoursOld: 9 });
    const other = await thread('Canal', 'no match', { hoursOld: 2 });
    const archived = [ids[1]!, ids[4]!, ids[7]!, byTitle];
    await harness.dataSource.query('update thread set is_archived = true where id = any($1)', [[...archived, other]]);
    expect(await found('archived', 'lock')).toEqual(archived);
    expect(await found('archived', 'number5')).toEqual([ids[4]]);
    expect(await found('archived', 'number3')).toEqual([]);
    const pages: number[][] = [];
    for (let before = ''; ;) {
      const { body, headers } = await client.get<Thread[]>(
        `/api/chat/threads?state=archived&query=lock&limit=1${before}`,
      );
      pages.push(body.map(({ id }) => id));
      const next = headers.get('x-next-cursor');
      if (next === null) break;
      before = `&before=${next}`;
    }
    expect(pages).toEqual(archived.map((id) => [id]));
    expect(await search('lock')).toHaveLength(9);
  });

  it('finds the threads of the trash alone', async () => {
    const { client: member, page: chat } = await harness.memberPage();
    const start = async (text: string) => {
      const { threadId, generationId } = await chat.start(text);
      await chat.ended(generationId);
      return threadId;
    };
    const kept = await start('the bridge');
    const [deleted, other] = [await start('a bridge'), await start('a ferry')];
    for (const id of [deleted, other]) expect((await member.delete(`/api/chat/threads/${id}`)).status).toBe(200);
    const trash = async (words: string) =>
      (await member.get<Thread[]>(`/api/chat/threads?state=trash&query=${words}`)).body;
    expect(await trash('bridge')).toMatchObject([{ id: deleted, restorableUntil: expect.any(String) }]);
    expect(await trash('tunnel')).toEqual([]);
    expect((await member.get<Thread[]>('/api/chat/threads?query=bridge')).body.map(({ id }) => id)).toEqual([kept]);
  });
});
