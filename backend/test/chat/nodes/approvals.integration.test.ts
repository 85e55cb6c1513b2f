import type { Message } from '@tanya/contract';
import { type ChatHarness, FAST_TIMINGS } from '../../harness/chat-harness.js';
import { dataOf } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';
import { callsOf, registerTools, ScriptedTool, textOf } from '../scripted-tools.js';
import { at, startTwoNodes, type TwoNodes } from './two-nodes.js';

describe('an answer that waits for approval, on two nodes', () => {
  let nodes: TwoNodes;
  const tools = new Map<ChatHarness, ScriptedTool>();

  const addTool = (node: ChatHarness): ScriptedTool => {
    const tool = new ScriptedTool('ask_first', () => ({ text: 'approved result' }));
    tool.policy = 'ask';
    tools.set(node, tool);
    registerTools(node, tool);
    return tool;
  };

  beforeAll(async () => {
    nodes = await startTwoNodes(FAST_TIMINGS);
    for (const node of [nodes.one, nodes.two]) addTool(node);
  });

  afterAll(() => nodes.close());

  const wait = async (node: ChatHarness, calls = 1) => {
    const { page, client } = await node.memberPage();
    nodes.upstream.script(
      callsOf('Wait. ', ...Array.from({ length: calls }, (_, index) => ({ id: `ask_${index}`, name: 'ask_first' }))),
    );
    const started = await page.start('ask', { tools: ['ask_first'] });
    const path = `/api/chat/threads/${started.threadId}/messages`;
    await waitUntil('the waiting answer', async () => {
      return (await client.get<Message[]>(path)).body.at(-1)?.status === 'waiting';
    });
    return { ...started, page, client, path };
  };

  it('goes on at the node that receives the last decision', async () => {
    const { one, two } = nodes;
    const { generationId, page, client, path } = await wait(one, 2);
    const far = await two.page(at(two, client));
    nodes.upstream.script(textOf('Done.'));
    expect(dataOf(await page.ask('generation:approve', { generationId, callId: 'ask_0', allow: true }))).toEqual({
      status: 'waiting',
    });
    const { parts } = (await client.get<Message[]>(path)).body.at(-1)!;
    expect(parts).toMatchObject([{ type: 'text' }, { approved: true }, { state: 'waiting' }]);
    const resumed = dataOf(await far.tryResume(generationId, 0));
    expect(JSON.stringify(resumed)).toContain('"approved":true');
    expect(dataOf(await far.ask('generation:approve', { generationId, callId: 'ask_1', allow: true }))).toEqual({
      status: 'streaming',
    });
    const [near, distant] = await Promise.all([page.ended(generationId), far.ended(generationId)]);
    expect(near.message).toMatchObject({ status: 'complete', content: 'Wait. Done.' });
    expect([near.gaps, near.late, distant.late]).toEqual([0, 0, 0]);
    expect([tools.get(one)!.runs.length, tools.get(two)!.runs.length]).toEqual([0, 2]);
    await nodes.settle();
  });

  it('outlives its node, and goes on at another one', async () => {
    const writer = await nodes.startNode();
    addTool(writer);
    const { generationId, client, path } = await wait(writer);
    await writer.close();
    const page = await nodes.two.page(at(nodes.two, client));
    const browser = at(nodes.two, client);
    expect((await browser.get<Message[]>(path)).body.at(-1)?.status).toBe('waiting');
    expect(dataOf(await page.ask('generation:approve', { generationId, callId: 'ask_0', allow: true }))).toEqual({
      status: 'streaming',
    });
    expect((await page.ended(generationId)).message.status).toBe('complete');
    await nodes.settle();
  });

  it('is stopped from the other node', async () => {
    const { generationId, client, page } = await wait(nodes.one);
    const far = await nodes.two.page(at(nodes.two, client));
    expect(dataOf(await far.tryStop(generationId))).toEqual({ status: 'stopped' });
    expect((await page.ended(generationId)).message.status).toBe('stopped');
    await nodes.settle();
  });

  it.each([
    [true, true],
    [true, false],
    [false, false],
  ])('is decided once by both nodes at the same time, with %p and %p (TOOL-8)', async (here, there) => {
    const { generationId, client, page } = await wait(nodes.one);
    const far = await nodes.two.page(at(nodes.two, client));
    for (const tool of tools.values()) tool.runs.length = 0;
    const payload = { generationId, callId: 'ask_0' };
    const acks = await Promise.all([
      page.ask('generation:approve', { ...payload, allow: here }),
      far.ask('generation:approve', { ...payload, allow: there }),
    ]);
    expect(acks.filter(({ ok }) => ok)).toHaveLength(here === there ? 2 : 1);
    const isAllowed = acks[0].ok ? here : there;
    const { message } = await page.ended(generationId);
    expect([message.status, message.parts?.[1]]).toMatchObject(['complete', { state: isAllowed ? 'done' : 'denied' }]);
    expect([...tools.values()].flatMap(({ runs }) => runs)).toHaveLength(Number(isAllowed));
    await nodes.settle();
  });
});
