import type { Thread } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { PASSWORD } from '../../harness/test-app.js';
import { upload } from '../../harness/uploads.js';
import { waitUntil } from '../../harness/wait-until.js';

let database: TestDatabase;
let harness: ChatHarness;

beforeAll(async () => {
  database = await createDatabase();
  harness = await startChatHarness({ redis: false, database, timings: { threadTrash: 10 * 60_000 } });
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await database.drop();
});

/** A guest with one thread that has a file. */
async function guestWithThread() {
  const guest = await harness.guest();
  const { body: file } = await upload(guest, 'secret words', 'a.txt', 'text/plain');
  const page = await harness.page(guest);
  const content = { text: 'keep this', fileUrl: file.url, fileName: file.name, fileType: file.type };
  const { generationId, threadId } = await page.start('', { content });
  await page.ended(generationId);
  return { guest, file, threadId, generationId };
}

/** The number of the server's backends that wait for a lock. */
const lockWaits = (count: number) =>
  waitUntil(`${count} backends that wait for a lock`, async () => {
    const waiting = await harness.dataSource.query<unknown[]>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length === count;
  });

describe('a thread that a guest restores during the login', () => {
  it.each([
    ['before the login reads it', true],
    ['after the login has locked it', false],
  ])('%s belongs to the account, with its file', async (_name, restoreFirst) => {
    const { guest, file, threadId, generationId } = await guestWithThread();
    const { username } = await harness.member();
    const path = `/api/chat/threads/${threadId}`;
    expect((await guest.delete(path)).status).toBe(200);
    const before = guest.copy();
    const restore = () => before.post<Thread>(`${path}/restore`);
    const login = () => guest.post('/api/login', { username, password: PASSWORD });
    const [first, second] = restoreFirst ? [restore, login] : [login, restore];
    // Both change this row of the thread's generation after they have locked the thread.
    const answers = await withConnection(database, async (client) => {
      await client.query('begin');
      await client.query('select 1 from generation where id = $1 for update', [generationId]);
      const firstAnswer = first();
      await waitForLockWait(database);
      const secondAnswer = second();
      await lockWaits(2);
      await client.query('commit');
      return Promise.all([firstAnswer, secondAnswer]);
    });
    const [loggedIn, restored] = restoreFirst ? [answers[1], answers[0]] : answers;
    expect([loggedIn.status, restored.status]).toEqual([200, restoreFirst ? 200 : 404]);
    if (!restoreFirst) expect((await guest.post(`${path}/restore`)).status).toBe(200);
    expect((await guest.get(`${path}/messages`)).status).toBe(200);
    expect((await guest.get<string>(file.url)).text).toBe('secret words');
  });
});
