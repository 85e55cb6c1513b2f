import type { Message, ToolPart } from '@tanya/contract';
import { GENERATION_LOG, type GenerationLog } from '../../../src/chat/generation/log/generation-log.js';
import { OrphanReaper } from '../../../src/chat/nodes/orphan-reaper.js';
import { RunRegistry } from '../../../src/chat/generation/live/run-registry.js';
import {
  ADAPTERS,
  type ChatHarness,
  FAST_TIMINGS,
  type MemberPage,
  startChatHarness,
} from '../../harness/chat-harness.js';
import { callsOf, gate, registerTools, ScriptedTool, textOf } from '../scripted-tools.js';
import { dataOf, ShownAnswer } from '../../harness/socket-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';

describe.each(ADAPTERS)('a call of a tool, %s', (_name, redis) => {
  let harness: ChatHarness;
  const slow = new ScriptedTool('slow');

  beforeAll(async () => {
    harness = await startChatHarness({ redis, timings: FAST_TIMINGS });
    registerTools(harness, slow);
  });

  beforeEach(() => {
    slow.runs.length = 0;
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const states = async (generationId: string): Promise<string[]> => {
    const rows = await harness.dataSource.query<{ state: string }[]>(
      'select state from tool_call where generation_id = $1 order by call_id',
      [generationId],
    );
    return rows.map(({ state }) => state);
  };

  /** Starts an answer whose tool runs until the gate opens or its signal is aborted. */
  async function startCall({ page }: MemberPage, text = 'Let me see. ') {
    const { opened, open } = gate();
    let aborted: unknown;
    slow.answer = async (_args, { signal }) => {
      signal.addEventListener('abort', () => void (aborted = signal.reason));
      await opened;
      return { text: 'late' };
    };
    harness.upstream.script(callsOf(text, { id: 'call_1', name: 'slow', args: { n: 1 } }));
    const started = await page.start('slow', { tools: ['slow'] });
    await waitUntil('the call', () => slow.runs.length > 0);
    return { ...started, open, reason: () => aborted };
  }

  it('is committed before it runs', async () => {
    const member = await harness.memberPage();
    let stored: string[] = [];
    slow.answer = async (_args, { generationId }) => {
      stored = await states(generationId);
      return { text: 'done' };
    };
    harness.upstream.script(callsOf('', { id: 'call_1', name: 'slow' }), textOf('Done.'));
    const { generationId } = await member.page.start('order', { tools: ['slow'] });
    await member.page.ended(generationId);
    expect(stored).toEqual(['running']);
    expect(await states(generationId)).toEqual(['done']);
  });

  it('is aborted by a stop, and charged as a visible step', async () => {
    const member = await harness.memberPage();
    const { generationId, open, reason } = await startCall(member, '');
    expect(dataOf(await member.page.tryStop(generationId))).toEqual({ status: 'stopped' });
    const { message } = await member.page.ended(generationId);
    expect(reason()).toBe('stopped');
    expect(message).toMatchObject({ status: 'stopped', content: '' });
    expect(message.parts).toMatchObject([{ type: 'tool', callId: 'call_1', state: 'interrupted' }]);
    expect(await states(generationId)).toEqual(['interrupted']);
    expect((await member.client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    open();
    // The next turn has a result for the call.
    harness.upstream.calls.length = 0;
    const next = await member.page.start('go on', { threadId: message.threadId });
    await member.page.ended(next.generationId);
    const call = harness.upstream.callsOf().find(({ body }) => JSON.stringify(body).includes('go on'))!;
    expect(call.body['messages']).toContainEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'The call was interrupted. Its result is unknown.',
    });
    expect(slow.runs).toHaveLength(1);
  });

  it('is aborted by the deletion of its thread and of its account', async () => {
    const member = await harness.memberPage();
    const first = await startCall(member);
    expect((await member.client.send('DELETE', `/api/chat/threads/${first.threadId}`)).status).toBeLessThan(300);
    expect(first.reason()).toBe('stopped');
    // The deletion can be taken back for some seconds.
    expect(await states(first.generationId)).toEqual(['interrupted']);
    slow.runs.length = 0;
    const second = await startCall(member);
    const deleted = await member.client.send('DELETE', '/api/user', { body: { password: PASSWORD } });
    expect(deleted.status).toBeLessThan(300);
    expect(second.reason()).toBe('stopped');
    expect(await states(second.generationId)).toEqual([]);
  });

  it('is interrupted with the answer of a dead node, whose process then drops the result', async () => {
    const member = await harness.memberPage();
    const { generationId, threadId, open } = await startCall(member);
    const run = harness.app.get(RunRegistry).find(generationId)!;
    expect(await harness.app.get(OrphanReaper).finalize(generationId, 'interrupted')).toBe('interrupted');
    const shown = await member.page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'interrupted', content: 'Let me see. ' });
    expect(shown.message.parts).toMatchObject([
      { type: 'text', text: 'Let me see. ' },
      { type: 'tool', state: 'interrupted' },
    ]);
    expect(await states(generationId)).toEqual(['interrupted']);
    open();
    await run.ended;
    expect(await states(generationId)).toEqual(['interrupted']);
    const stored = (await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
    expect(stored).toEqual(shown.message);
    expect((await member.client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    expect(slow.runs).toHaveLength(1);
  });

  it('is seen by a client that resumes, by events and by a resync, and over REST', async () => {
    const member = await harness.memberPage();
    const { generationId, threadId, open } = await startCall(member);
    const running = [
      { type: 'text', text: 'Let me see. ' },
      { type: 'tool', callId: 'call_1', tool: 'slow', title: 'The tool slow', args: { n: 1 }, state: 'running' },
    ];
    const late = await harness.page(member.client);
    const resumed = dataOf(await late.tryResume(generationId, 0));
    if (resumed.outcome !== 'resumed') throw new Error('the log has the events');
    const shown = new ShownAnswer();
    for (const event of resumed.events) shown.apply(event);
    expect(shown.parts).toEqual(running);
    const resync = dataOf(await late.tryResume(generationId, 1_000));
    expect(resync).toMatchObject({ outcome: 'resync', message: { parts: running, content: 'Let me see. ' }, seq: 2 });
    await eventually(async () => {
      const read = (await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
      expect(read?.parts).toEqual(running);
    });
    open();
    const ended = await late.ended(generationId);
    for (const event of late.answer(generationId).events) if (event.seq > shown.lastSeq) shown.apply(event);
    expect(shown.parts).toEqual(ended.message.parts);
    expect((ended.message.parts![1] as ToolPart).state).toBe('done');
  });
});

describe('a killed node', () => {
  let harness: ChatHarness;
  const tool = new ScriptedTool('tool');

  beforeAll(async () => {
    // No log survives: the parts come from the checkpoints alone.
    harness = await startChatHarness({ redis: false, timings: { ...FAST_TIMINGS, checkpoint: 3_600_000 } });
    registerTools(harness, tool);
  });

  afterAll(() => harness.close());

  it('leaves the finished call as done and the running one as interrupted', async () => {
    const { page } = await harness.memberPage();
    const { opened, open } = gate();
    tool.answer = async (args) => {
      if ((args as { n: number }).n === 2) await opened;
      return { text: 'result' };
    };
    harness.upstream.script(
      callsOf('One. ', { id: 'a', name: 'tool', args: { n: 1 } }),
      callsOf('Two. ', { id: 'b', name: 'tool', args: { n: 2 } }),
      textOf('End.'),
    );
    const { generationId } = await page.start('two', { tools: ['tool'] });
    await waitUntil('the second call', () => tool.runs.length === 2);
    const run = harness.app.get(RunRegistry).find(generationId)!;
    const log = harness.app.get<GenerationLog>(GENERATION_LOG);
    const logged = jest.spyOn(log, 'readAfter').mockResolvedValue(null);
    await harness.app.get(OrphanReaper).finalize(generationId, 'interrupted');
    logged.mockRestore();
    const { message } = await page.ended(generationId);
    expect(message.content).toBe('One. Two. ');
    expect(message.parts).toMatchObject([
      { type: 'text', text: 'One. ' },
      { type: 'tool', callId: 'a', state: 'done', result: 'result' },
      { type: 'text', text: 'Two. ' },
      { type: 'tool', callId: 'b', state: 'interrupted' },
    ]);
    open();
    await run.ended;
    expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }]);
    await harness.settle();
  });
});
