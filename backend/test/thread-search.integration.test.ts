import type { Thread } from '@tanya/contract';
import { type ChatGround, startChatGround } from './chat-ground.js';
import type { HttpClient } from './http-client.js';
import { statementsOf } from './statements.js';

let ground: ChatGround;
let client: HttpClient;
let userId: number;

beforeAll(async () => {
  ground = await startChatGround({ redis: false });
  const member = await ground.member();
  client = member.client;
  userId = member.user.id;
});

afterAll(() => ground.close());

/** A thread of one message, as old as it is told. */
async function thread(title: string, message: string, { hoursOld = 0, owner = userId } = {}): Promise<number> {
  const [{ id }] = await ground.dataSource.query<[{ id: number }]>(
    `insert into thread (owner, user_id, title, updated_at) values ($1, $2, $3, now() - $4 * interval '1 hour') returning id`,
    [`u:${owner}`, owner, title, hoursOld],
  );
  await ground.dataSource.query(
    `insert into message (thread_id, user_id, content, is_user_message, search)
     values ($1, $2, $3, true, to_tsvector('simple', $3))`,
    [id, owner, message],
  );
  return id;
}

async function search(words: string, limit = 50): Promise<number[]> {
  const { status, body } = await client.get<Thread[]>(
    `/api/chat/threads?query=${encodeURIComponent(words)}&limit=${limit}`,
  );
  expect(status).toBe(200);
  return body.map(({ id }) => id);
}

it('finds what messages and titles say, the newest thread first', async () => {
  const old = await thread('Ships', 'about the harbour', { hoursOld: 9 });
  const byTitle = await thread('The Harbour', 'nothing of it', { hoursOld: 5 });
  const fresh = await thread('Boats', 'The HARBOUR at night', { hoursOld: 1 });
  await thread('Somebody else', 'harbour', { owner: (await ground.member()).user.id });
  expect(await search('harbour')).toEqual([fresh, byTitle, old]);
  expect(await search('harbour night')).toEqual([fresh]);
});

it('finds a rare word in a thread older than all that are looked through first', async () => {
  const old = await thread('Old', 'a wombat', { hoursOld: 500 });
  for (let index = 0; index < 12; index += 1) await thread('Young', 'no such animal', { hoursOld: index });
  expect(await search('wombat', 3)).toEqual([old]);
});

it('answers a word of nearly every message from the newest threads alone', async () => {
  const ids: number[] = [];
  for (let hoursOld = 8; hoursOld >= 1; hoursOld -= 1)
    ids.push(await thread('Any', 'weather', { hoursOld: hoursOld / 100 }));
  const statements = await statementsOf(ground.dataSource, async () => {
    expect(await search('weather', 3)).toEqual(ids.slice(-3).reverse());
  });
  expect(statements.filter(({ sql }) => sql.includes('gin_fuzzy_search_limit'))).toEqual([]);
});
