import type { MessageCount, SessionState, User } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import type { SocketClient } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';

let harness: ChatHarness;
let admin: HttpClient;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  admin = await harness.admin();
});

afterEach(() => setPeriod('never'));

afterAll(() => harness.close());

const setPeriod = async (quotaPeriod: string) => {
  expect((await admin.patch('/api/admin/general-settings', { quotaPeriod })).status).toBe(200);
};

const send = async (page: SocketClient, text: string) => page.ended((await page.start(text)).generationId);

const countOf = async (client: HttpClient) =>
  (await client.get<MessageCount>('/api/user/message-count')).body.messageCount;

/** Every answer that reports a member's message count. */
const countsOf = async (client: HttpClient, userId: number) => [
  await countOf(client),
  (await client.get<User>('/api/user')).body.messageCount,
  (await client.get<SessionState>('/api/session')).body.user?.messageCount,
  (await admin.get<User[]>('/api/admin/users')).body.find(({ id }) => id === userId)?.messageCount,
];

describe('the message count', () => {
  it('of a member is the same in every answer without a reset period', async () => {
    const { page, client, user } = await harness.memberPage();
    expect(await countsOf(client, user.id)).toEqual([0, 0, 0, 0]);
    await send(page, 'one');
    await send(page, 'two');
    expect(await countsOf(client, user.id)).toEqual([2, 2, 2, 2]);
  });

  it.each(['daily', 'monthly'])('of a member is not reset by a %s period', async (period) => {
    const { page, client, user } = await harness.memberPage();
    await send(page, 'before the period');
    await setPeriod(period);
    await send(page, 'within the period');
    expect(await countsOf(client, user.id)).toEqual([2, 2, 2, 2]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('of a guest is not reset by a period', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    expect(await countOf(guest)).toBe(0);
    await send(page, 'before the period');
    await setPeriod('daily');
    await send(page, 'within the period');
    expect(await countOf(guest)).toBe(2);
  });

  it('of a guest is added to the account that the guest registers', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    await send(page, 'before the period');
    await setPeriod('daily');
    await send(page, 'within the period');
    const { body: user } = await guest.post<User>('/api/register', {
      username: 'message-count-guest',
      password: PASSWORD,
    });
    expect(await countsOf(guest, user.id)).toEqual([2, 2, 2, 2]);
  });

  it('grows when an answer ends', async () => {
    const { page, client, user } = await harness.memberPage();
    const { generationId } = await page.start('running [[words=4 stall=2]]');
    await page.firstText(generationId);
    expect(await countsOf(client, user.id)).toEqual([0, 0, 0, 0]);
    await page.tryStop(generationId);
    await page.ended(generationId);
    expect(await countsOf(client, user.id)).toEqual([1, 1, 1, 1]);
  });
});
