import { LIMITS, type Message, type MessageFeedback, type ModelFeedback } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { dataOf } from '../../harness/socket-client.js';

let harness: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

beforeEach(async () => {
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

async function answered() {
  const started = await member.page.start('rate this');
  await member.page.ended(started.generationId);
  return started;
}

const path = (id: number) => `/api/chat/messages/${id}/feedback`;
const rate = (id: number, body: object) => member.client.put<MessageFeedback>(path(id), body);

const shown = async (threadId: number) =>
  (await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.map(({ feedback }) => feedback);

const countsOf = async (): Promise<ModelFeedback[]> =>
  (await (await harness.admin()).get<ModelFeedback[]>('/api/admin/feedback')).body;

describe('the rating of an answer', () => {
  it('is stored, changed and removed, and shown with the message', async () => {
    const { threadId, aiMessage } = await answered();
    expect(await shown(threadId)).toEqual([undefined, undefined]);
    expect((await rate(aiMessage.id, { rating: 'down', reason: '  too short ' })).body).toEqual({
      rating: 'down',
      reason: 'too short',
    });
    expect(await shown(threadId)).toEqual([undefined, { rating: 'down', reason: 'too short' }]);
    await rate(aiMessage.id, { rating: 'up' });
    expect(await shown(threadId)).toEqual([undefined, { rating: 'up', reason: null }]);
    for (let times = 0; times < 2; times += 1)
      expect((await member.client.delete(path(aiMessage.id))).status).toBe(200);
    expect(await shown(threadId)).toEqual([undefined, undefined]);
  });

  it('is one, however many parallel calls set it', async () => {
    const { aiMessage } = await answered();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => rate(aiMessage.id, { rating: index % 2 === 0 ? 'up' : 'down' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await harness.dataSource.query('select 1 from message_feedback where message_id = $1', [aiMessage.id]);
    expect(rows).toHaveLength(1);
  });

  it('is announced to the other pages of the owner', async () => {
    const { threadId, aiMessage } = await answered();
    const other = await harness.page(member.client);
    const events: unknown[] = [];
    other.socket.on('message:rated', (payload) => events.push(payload));
    await rate(aiMessage.id, { rating: 'up' });
    await member.client.delete(path(aiMessage.id));
    await other.until(() => events.length === 2);
    expect(events).toEqual([
      { threadId, messageId: aiMessage.id, feedback: { rating: 'up', reason: null } },
      { threadId, messageId: aiMessage.id, feedback: null },
    ]);
  });

  it('is refused for questions, running answers, and answers of others (AZ-1)', async () => {
    const { userMessage, aiMessage } = await answered();
    expect(errorOf(await rate(userMessage.id, { rating: 'up' })).code).toBe('not_found');
    const stranger = (await harness.member()).client;
    for (const browser of [stranger, await harness.guest(), await harness.admin()]) {
      expect(errorOf(await browser.put(path(aiMessage.id), { rating: 'up' })).code).toBe('not_found');
      expect(errorOf(await browser.delete(path(aiMessage.id))).code).toBe('not_found');
    }
    const running = await member.page.start('[[words=20000 pace=10]]');
    expect(errorOf(await rate(running.aiMessage.id, { rating: 'up' })).code).toBe('not_found');
    dataOf(await member.page.tryStop(running.generationId));
    expect((await rate(running.aiMessage.id, { rating: 'up' })).status).toBe(200);
  });

  it.each([
    ['no rating', {}],
    ['an unknown rating', { rating: 'best' }],
    ['a number', { rating: 1 }],
    ['a long reason', { rating: 'up', reason: 'x'.repeat(LIMITS.feedbackReason.max + 1) }],
    ['an unknown field', { rating: 'up', modelId: 'x' }],
  ])('is refused with %s', async (_name, body) => {
    const { aiMessage } = await answered();
    expect(errorOf(await rate(aiMessage.id, body)).code).toBe('invalid');
  });

  it('is counted by model for admins, and deleted with its thread', async () => {
    const { threadId, aiMessage } = await answered();
    const again = dataOf(await member.page.tryRegenerate(aiMessage.id));
    await member.page.ended(again.generationId);
    const of = (counts: ModelFeedback[]) =>
      counts.find(({ modelId }) => modelId === aiMessage.modelId) ?? { up: 0, down: 0 };
    const before = of(await countsOf());
    await rate(aiMessage.id, { rating: 'up' });
    await rate(again.aiMessage.id, { rating: 'down', reason: 'worse' });
    expect(of(await countsOf())).toEqual({ modelId: aiMessage.modelId, up: before.up + 1, down: before.down + 1 });
    expect(JSON.stringify(await countsOf())).not.toContain('worse');
    await harness.dataSource.query('delete from thread where id = $1', [threadId]);
    expect(of(await countsOf())).toMatchObject({ up: before.up, down: before.down });
  });
});
