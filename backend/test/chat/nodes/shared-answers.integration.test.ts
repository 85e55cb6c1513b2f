import { randomUUID } from 'node:crypto';
import type { GenerationStarted, SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, FAST_TIMINGS } from '../../harness/chat-harness.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { echoText, type Script } from '../../harness/scripted-answers.js';
import type { ScriptedUpstream } from '../../harness/scripted-upstream.js';
import { dataOf, type SocketClient } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';
import { MessageStore } from '../../../src/chat/messages/message-store.js';
import { ownerRoom, userOwner } from '../../../src/identity/identity.js';
import { RemoteSubscribers } from '../../../src/platform/sockets/remote-subscribers.js';
import { SettingsService } from '../../../src/settings/settings.service.js';
import { at, ENDLESS, startTwoNodes, type TwoNodes } from './two-nodes.js';

/** The pages open at different times between two counts of the remote subscribers. */
const DELAYS_MS = [0, 100, 230, 410, 600];

describe('two nodes', () => {
  let nodes: TwoNodes;
  let one: ChatHarness;
  let two: ChatHarness;
  let upstream: ScriptedUpstream;

  beforeAll(async () => {
    nodes = await startTwoNodes(FAST_TIMINGS);
    ({ one, two, upstream } = nodes);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await nodes.settle();
  });

  afterAll(() => nodes.close());

  it('emit one answer on both, and resume and stop it from either (F27, F29)', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const { generationId } = await page.start(`from one ${ENDLESS}`);
    await far.firstText(generationId);
    const resumed = dataOf(await far.tryResume(generationId, 0));
    expect(resumed.outcome).toBe('resumed');
    expect(dataOf(await far.tryStop(generationId))).toEqual({ status: 'stopped' });
    const [near, distant] = await Promise.all([page.ended(generationId), far.ended(generationId)]);
    expect(near.message).toMatchObject({ status: 'stopped', content: near.text });
    expect(distant.events).toEqual(near.events);
    expect([near.late, distant.late]).toEqual([0, 0]);
  });

  it('resume events that the other node has emitted and not yet logged (F29)', async () => {
    const writing = await nodes.startNode({ logFlush: 1_000 });
    const asked = await nodes.startNode({ logFlush: 1_000 });
    const { page, client } = await writing.memberPage();
    const far = await asked.page(at(asked, client));
    const { generationId } = await page.start(`ahead ${ENDLESS}`);
    await far.firstText(generationId);
    expect(dataOf(await far.tryResume(generationId, 0)).outcome).toBe('resumed');
    await far.tryStop(generationId);
    await writing.close();
    await asked.close();
  });

  it.each([0, 50])(
    'deliver every event to a page that opens during an answer and resumes %i ms later (F29)',
    async (pause) => {
      // Events reach the log long after such a page has opened.
      const writing = await nodes.startNode({ logFlush: 1_000 });
      const script: Script = { steps: [{ text: 'and on ' }], pace: 25, endless: true };
      upstream.script(...DELAYS_MS.map(() => script));
      const has = jest.spyOn(RemoteSubscribers.prototype, 'has');
      /** Whether the writer has kept an event of this room from Redis. */
      const isLocal = (room: string) =>
        has.mock.results.some(({ value }, call) => value === false && has.mock.calls[call]![0] === room);
      const open = async (delay: number) => {
        const { page, client, user } = await writing.memberPage();
        const { generationId } = await page.start(`open after ${delay} ms`);
        await page.firstText(generationId);
        const room = ownerRoom(userOwner(user.id));
        await waitUntil('the cached absence of remote subscribers', () => isLocal(room));
        await sleep(delay);
        const far = await two.page(at(two, client));
        await sleep(pause);
        const resumed = dataOf(await far.tryResume(generationId, 0));
        if (resumed.outcome !== 'resumed') throw new Error(resumed.outcome);
        return { far, generationId, resumed };
      };
      const opened = await Promise.all(DELAYS_MS.map(open));
      script.steps!.push({ finish: 'stop' }, { done: true });
      script.endless = false;
      for (const { far, generationId, resumed } of opened) {
        const { events: live, closing } = await far.ended(generationId);
        const seen = new Set([...resumed.events, ...live].map(({ seq }) => seq));
        const missed = Array.from({ length: closing!.seq }, (_, index) => index + 1).filter((seq) => !seen.has(seq));
        expect(missed).toEqual([]);
      }
      await writing.close();
    },
  );

  it('make concurrent sends of one idempotency key one generation (F24)', async () => {
    const { page, client } = await one.memberPage();
    const browser = at(two, client);
    const far = await two.page(browser);
    const calls = upstream.callsOf().length;
    const clientMessageId = randomUUID();
    const acks = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? page : far).tryStart('both', { clientMessageId })),
    );
    const started = acks.map(dataOf);
    expect(new Set(started.map(({ generationId }) => generationId)).size).toBe(1);
    const rest = await browser.post<SendMessageResponse>('/api/chat/message', { content: 'both', clientMessageId });
    expect(rest.body.aiMessage).toMatchObject({ id: started[0]!.aiMessage.id, content: echoText('both', 20) });
    expect(upstream.callsOf().length - calls).toBe(1);
  });

  it('allow one running answer per thread (F28)', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const { threadId, generationId } = await page.start('root');
    await page.ended(generationId);
    const release = upstream.hold({ steps: [{ text: 'held' }, { finish: 'stop' }, { done: true }] });
    const acks = await Promise.all([page.tryStart('near', { threadId }), far.tryStart('far', { threadId })]);
    release();
    expect(acks.map((ack) => (ack.ok ? 'ok' : ack.error.code)).sort()).toEqual(['ok', 'thread_busy']);
  });

  it('regenerate an answer that the other node writes (F30)', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const first = await page.start(`slow ${ENDLESS}`);
    await page.firstText(first.generationId);
    const second = dataOf(await far.tryRegenerate(first.aiMessage.id));
    expect((await far.ended(first.generationId)).message.status).toBe('stopped');
    await far.tryStop(second.generationId);
    await page.ended(second.generationId);
  });

  it('answer a repeated regeneration with the answer that its first copy has started meanwhile on the other node', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const { aiMessage, generationId } = await page.start('root');
    await page.ended(generationId);
    upstream.script({ steps: [{ text: 'and on ' }], pace: 25, endless: true });
    const request = { messageId: aiMessage.id, clientMessageId: randomUUID() };
    const messages = two.app.get(MessageStore);
    const answerOf = messages.answer.bind(messages);
    const regenerate = (asked: SocketClient) => asked.ask<GenerationStarted>('generation:regenerate', request);
    let first: GenerationStarted | undefined;
    jest.spyOn(messages, 'answer').mockImplementationOnce(async (...asked) => {
      first = dataOf(await regenerate(page));
      await page.firstText(first.generationId);
      return answerOf(...asked);
    });
    const again = dataOf(await regenerate(far));
    expect([again.generationId, again.aiMessage.status]).toEqual([first!.generationId, 'streaming']);
    await page.tryStop(first!.generationId);
    await page.ended(first!.generationId);
  });

  it('never admit more than the quota together (LIM-3)', async () => {
    const admin = await one.admin();
    const setQuota = async (freeUserMessageQuota: number) => {
      await admin.patch('/api/admin/general-settings', { freeUserMessageQuota });
      const settings = two.app.get(SettingsService);
      await waitUntil(
        'the settings on the other node',
        () => settings.get().freeUserMessageQuota === freeUserMessageQuota,
      );
    };
    await setQuota(3);
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const acks = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 ? page : far).tryStart(`race ${index}`)),
    );
    expect(acks.filter(({ ok }) => ok)).toHaveLength(3);
    await setQuota(100);
  });

  it('delete a thread while the other node writes an answer in it (F31)', async () => {
    const { page, client } = await one.memberPage();
    const far = at(two, client);
    const { generationId, threadId } = await page.start(`doomed ${ENDLESS}`);
    await page.firstText(generationId);
    expect((await far.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
    await page.until(() => page.received.includes('thread:deleted'));
    const received = page.received.length;
    await sleep(200);
    expect(page.received.slice(received).filter((name) => name === 'generation:event')).toEqual([]);
    for (const node of [client, far])
      expect((await node.get(`/api/chat/threads/${threadId}/messages`)).status).toBe(404);
  });

  it('send Redis no command over keys of several slots', async () => {
    expect(await nodes.crossSlotErrors()).toBe(0);
  });
});
