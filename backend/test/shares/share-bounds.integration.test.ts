import { LIMITS, type SharedConversation } from '@tanya/contract';
import { MessageStore } from '../../src/chat/messages/message-store.js';
import { userOwner } from '../../src/identity/identity.js';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { fillStorage, insertThread } from '../harness/rows/long-threads.js';
import { read, share } from './shares-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => jest.restoreAllMocks());

afterAll(() => harness.close());

const tryShare = (client: HttpClient, threadId: number) => client.post(`/api/chat/threads/${threadId}/share`);

const tryContinue = (client: HttpClient, token: string) =>
  client.post<{ threadId: number }>(`/api/share/${token}/continue`);

describe('a new link (LIM-15)', () => {
  it('counts before its conversation is read', async () => {
    const { client, user } = await harness.member();
    const { threadId } = await insertThread(harness, user.id, ['1', '2']);
    const limit = { name: 'shares', points: 60, window: 3_600 };
    const limits = harness.app.get(RateLimits);
    while ((await limits.used(limit, userOwner(user.id))) < limit.points) await limits.count(limit, userOwner(user.id));
    const store = harness.app.get(MessageStore);
    const [outline, find] = [jest.spyOn(store, 'outline'), jest.spyOn(store, 'findMany')];
    expect(errorOf(await tryShare(client, threadId)).code).toBe('rate_limited');
    expect([outline, find].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  it('reads no more of a conversation than a snapshot may have', async () => {
    const { client, user } = await harness.member();
    const text = 'x'.repeat(LIMITS.shareCharacters / 20);
    const { threadId } = await insertThread(
      harness,
      user.id,
      Array.from({ length: 40 }, () => text),
    );
    const find = jest.spyOn(harness.app.get(MessageStore), 'findMany');
    const params = { reason: 'share', limit: LIMITS.shareCharacters, unit: 'characters' };
    expect(errorOf(await tryShare(client, threadId))).toMatchObject({ code: 'too_large', details: { params } });
    const messages = await Promise.all(find.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(messages.flat().length).toBeLessThanOrEqual(22);
  });
});

describe('a snapshot as large as it may be', () => {
  it('is shared, read in pieces and continued, with characters of every width', async () => {
    const { client, user } = await harness.member();
    const texts = Array.from({ length: 12 }, (_, at) => `${at} é日本𝒳"\n${'日本'.repeat(100_000)}`);
    // A boolean, because a difference would fill the terminal.
    const hasTexts = ({ messages }: Pick<SharedConversation, 'messages'>) =>
      messages.length === texts.length && messages.every(({ content }, at) => content === texts[at]);
    const { threadId } = await insertThread(harness, user.id, texts);
    const { token } = await share(client, threadId);
    const shown = await read(client, token);
    expect(shown.headers.get('content-type')).toContain('application/json');
    expect(hasTexts(shown.body)).toBe(true);
    const other = await harness.member();
    const copy = await tryContinue(other.client, token);
    const copied = await other.client.get<SharedConversation>(
      `/api/chat/threads/${copy.body.threadId}/export?format=json`,
    );
    expect(hasTexts(copied.body)).toBe(true);
    const [counted] = await harness.dataSource.query<{ share: number; copy: number }[]>(
      `select (select characters - length(messages) from share where token = $1) as share,
         (select written_characters from thread where id = $2) as copy`,
      [token, copy.body.threadId],
    );
    const characters = texts.reduce((sum, { length }) => sum + length + 200, 1_000);
    // 𝒳 is two UTF-16 units, and one character for Postgres. The parts of an answer repeat its text.
    expect(counted).toEqual({ share: 12 + 6, copy: characters });
  });
});

describe('at the bound of stored characters (LIM-14)', () => {
  it('members neither copy nor share, guests do not copy, and all still chat', async () => {
    const owner = await harness.member();
    const { threadId } = await insertThread(harness, owner.user.id, ['Hello', 'Hi']);
    const { token } = await share(owner.client, threadId);
    const { client, user } = await harness.member();
    await fillStorage(harness, userOwner(user.id), 1_000);
    const guest = await harness.guest();
    const sent = await guest.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    const [{ owner: guestId }] = await harness.dataSource.query<[{ owner: string }]>(
      'select owner from thread where id = $1',
      [sent.body.threadId],
    );
    await fillStorage(harness, guestId, 1_000);
    for (const visitor of [client, guest]) {
      const refused = await tryContinue(visitor, token);
      expect([refused.status, errorOf(refused).code]).toEqual([507, 'storage_full']);
      expect(errorOf(refused).details).toMatchObject({ params: { reason: 'texts' } });
      expect((await visitor.post('/api/chat/message', { content: 'Hello' })).status).toBe(201);
    }
    const own = await insertThread(harness, user.id, ['x'.repeat(2_000), 'Hi']);
    const refused = await tryShare(client, own.threadId);
    expect([refused.status, errorOf(refused).code]).toEqual([507, 'storage_full']);
    expect((await client.get(`/api/chat/threads/${own.threadId}/export`)).status).toBe(200);
  });

  it('copies that run at once do not exceed it', async () => {
    const owner = await harness.member();
    const { threadId } = await insertThread(harness, owner.user.id, ['x'.repeat(10_000), 'Hi']);
    const { token } = await share(owner.client, threadId);
    const { client, user } = await harness.member();
    await fillStorage(harness, userOwner(user.id), 30_000);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => tryContinue(client, token)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([201, 201, 507, 507, 507, 507]);
  });

  it('a thread in the trash still counts, and none that is deleted for good', async () => {
    const owner = await harness.member();
    const { threadId } = await insertThread(harness, owner.user.id, ['Hello', 'Hi']);
    const { token } = await share(owner.client, threadId);
    const { client, user } = await harness.member();
    await fillStorage(harness, userOwner(user.id));
    const full = await harness.dataSource.query<{ id: number }[]>('select id from thread where user_id = $1', [
      user.id,
    ]);
    expect((await client.delete(`/api/chat/threads/${full[0]!.id}`)).status).toBe(200);
    expect((await tryContinue(client, token)).status).toBe(507);
    await harness.dataSource.query('delete from thread where id = $1', [full[0]!.id]);
    expect((await tryContinue(client, token)).status).toBe(201);
  });
});
