import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import type { Message, SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, FAST_TIMINGS } from '../../harness/chat-harness.js';
import type { Script } from '../../harness/scripted-answers.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';
import { at, ENDLESS, startTwoNodes, type TwoNodes } from './two-nodes.js';

const HELD: Script = { steps: [{ text: 'held' }, { finish: 'stop' }, { done: true }] };

/** Longer than any test takes, ms. */
const LONG_GRACE = 600_000;

/** Status of the response to a new WebSocket. */
async function upgradeStatus({ url }: ChatHarness): Promise<number | undefined> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
  const asked = request(`${url}/socket.io/?EIO=4&transport=websocket`, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('a node that shuts down', () => {
  let nodes: TwoNodes;
  let two: ChatHarness;

  beforeAll(async () => {
    nodes = await startTwoNodes(FAST_TIMINGS);
    ({ two } = nodes);
  });

  afterEach(() => nodes.settle());

  afterAll(() => nodes.close());

  const isDraining = async (node: ChatHarness) => (await node.client().get('/api/health/ready')).status === 503;

  it('lets running answers end, over socket and REST (F39)', async () => {
    const leaving = await nodes.startNode({ shutdownGrace: LONG_GRACE });
    const { page, client } = await leaving.memberPage();
    const calls = nodes.upstream.callsOf().length;
    const answers = [nodes.upstream.hold(HELD), nodes.upstream.hold(HELD)];
    const { threadId } = await page.start('by socket');
    const waiting = client.post<SendMessageResponse>('/api/chat/message', { content: 'by REST' });
    await waitUntil('both calls', () => nodes.upstream.callsOf().length === calls + 2);
    const closing = leaving.app.close();
    await waitUntil('draining', () => isDraining(leaving));
    for (const release of answers) release();
    expect((await waiting).body.aiMessage).toMatchObject({ status: 'complete', content: 'held' });
    await closing;
    const path = (await at(two, client).get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;
    expect(path.at(-1)).toMatchObject({ status: 'complete', content: 'held' });
  });

  it('interrupts the answers that outlast its grace period, and deletes its heartbeat (F39)', async () => {
    const leaving = await nodes.startNode();
    const { page, client } = await leaving.memberPage();
    const { generationId } = await page.start(`long ${ENDLESS}`);
    await page.firstText(generationId);
    const watching = await two.page(at(two, client));
    await leaving.app.close();
    expect((await watching.ended(generationId)).message).toMatchObject({
      status: 'interrupted',
      content: expect.stringMatching(/^You said/) as string,
    });
    expect((await at(two, client).get('/api/user/quota')).body).toMatchObject({ used: 0 });
    expect(await two.dataSource.query('select hostname from node')).toHaveLength(2);
  });

  it('closes idle connections that never sent a request', async () => {
    const leaving = await nodes.startNode();
    const silent = createConnection(Number(new URL(leaving.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    await leaving.client().get('/api/models');
    await leaving.app.close();
    await closed;
  });

  it('refuses sends and still answers resumes', async () => {
    const leaving = await nodes.startNode({ shutdownGrace: LONG_GRACE });
    const { page, client } = await leaving.memberPage();
    const first = await page.start('logged');
    await page.ended(first.generationId);
    const calls = nodes.upstream.callsOf().length;
    const release = nodes.upstream.hold(HELD);
    await page.start('running');
    await waitUntil('the call', () => nodes.upstream.callsOf().length > calls);
    const closing = leaving.app.close();
    await waitUntil('draining', () => isDraining(leaving));
    expect(refusalOf(await page.tryStart('too late'))).toMatchObject({ code: 'shutting_down', statusCode: 503 });
    expect(dataOf(await page.tryResume(first.generationId, 0)).outcome).toBe('resumed');
    release();
    await closing;
    expect((await at(two, client).get('/api/user/quota')).body).toMatchObject({ max: 100 });
  });

  it('refuses new WebSockets with 503, so that a balancer tries another node, and keeps open ones (F42)', async () => {
    const leaving = await nodes.startNode({ shutdownGrace: LONG_GRACE });
    const { page, client } = await leaving.memberPage();
    const calls = nodes.upstream.callsOf().length;
    const release = nodes.upstream.hold(HELD);
    const { generationId } = await page.start('running');
    await waitUntil('the call', () => nodes.upstream.callsOf().length > calls);
    const closing = leaving.app.close();
    await waitUntil('draining', () => isDraining(leaving));
    expect(await upgradeStatus(leaving)).toBe(503);
    const elsewhere = await two.page(at(two, client));
    release();
    const [shown, followed] = await Promise.all([page.ended(generationId), elsewhere.ended(generationId)]);
    expect([shown.message.content, followed.message.content]).toEqual(['held', 'held']);
    await closing;
  });

  it('sends Redis no command over keys of several slots', async () => {
    expect(await nodes.crossSlotErrors()).toBe(0);
  });
});
