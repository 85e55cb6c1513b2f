import { randomUUID } from 'node:crypto';
import type { Message, SendMessageResponse, Thread, ToolPart } from '@tanya/contract';
import { ADAPTERS } from '../../harness/chat-harness.js';
import type { Script } from '../../harness/scripted-answers.js';
import { PNG, upload } from '../../harness/uploads.js';
import { waitUntil } from '../../harness/wait-until.js';
import { callsOf, textOf } from '../scripted-tools.js';
import { isTool, messagesOf, startToolStepsHarness, type ToolStepsHarness } from '../tool-steps-harness.js';

describe.each(ADAPTERS)('an answer with tools, %s', (_name, redis) => {
  let harness: ToolStepsHarness;

  beforeAll(async () => {
    harness = await startToolStepsHarness({ redis });
  });

  beforeEach(() => harness.reset());

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('has its parts in order, live, stored and exported, and costs one message', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script(
      callsOf('Let me see. ', { id: 'call_1', name: 'search', args: { query: 'harbour' } }),
      textOf('Both agree [1][2].'),
    );
    const { generationId, threadId, aiMessage } = await page.start('look it up', { tools: ['search'] });
    expect(aiMessage.parts).toEqual([]);
    const shown = await page.ended(generationId);
    expect(shown.gaps).toBe(0);
    const part: ToolPart = {
      type: 'tool',
      callId: 'call_1',
      tool: 'search',
      title: 'The tool search',
      args: { query: 'harbour' },
      state: 'done',
      ms: expect.any(Number) as number,
      result: 'Found two pages.\n\n[1] One\nhttps://example.org/one\nthe first\n\n[2] Two\nhttps://example.org/two',
    };
    expect(shown.message.parts).toEqual([
      { type: 'text', text: 'Let me see. ' },
      part,
      { type: 'source', index: 1, url: 'https://example.org/one', title: 'One', snippet: 'the first' },
      { type: 'source', index: 2, url: 'https://example.org/two', title: 'Two' },
      { type: 'text', text: 'Both agree [1][2].' },
    ]);
    expect(shown.message).toMatchObject({ status: 'complete', content: 'Let me see. Both agree [1][2].' });
    expect(shown.events.map((event) => ('part' in event && 'index' in event ? event.index : event.type))).toEqual([
      'text-delta',
      1,
      2,
      3,
      1,
      'text-delta',
      'end',
    ]);
    expect(shown.parts).toEqual(shown.message.parts);
    const stored = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;
    expect(stored.at(-1)).toEqual(shown.message);
    expect(stored[0]).not.toHaveProperty('parts');
    const exported = await client.get<{ messages: Message[] }>(`/api/chat/threads/${threadId}/export?format=json`);
    expect(exported.body.messages.at(-1)?.parts).toEqual(shown.message.parts);
    const markdown = await client.get(`/api/chat/threads/${threadId}/export?format=md`);
    expect(markdown.text).toContain('_Used The tool search_');
    expect(markdown.text).toContain('[1] <https://example.org/one>');
    expect((await client.get<Thread[]>('/api/chat/threads?query=example.org')).body.map(({ id }) => id)).toEqual([
      threadId,
    ]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    const [record] = await harness.dataSource.query<[object]>('select * from usage_record where generation_id = $1', [
      generationId,
    ]);
    expect(record).toMatchObject({ state: 'charged', cost: 1, prompt_tokens: 30, completion_tokens: 8 });
  });

  it('gives the model the stored result, and in later turns the calls with it', async () => {
    const { page } = await harness.memberPage();
    const details = [{ type: 'reasoning.encrypted', data: 'sealed', id: 'r' }];
    const first = callsOf('', { id: 'call_1', name: 'add', args: { x: 1 } });
    first.steps!.unshift({ chunk: { choices: [{ index: 0, delta: { reasoning_details: details } }] } });
    harness.upstream.script(first, textOf('It is 2.'), textOf('As before.'));
    const { generationId, threadId } = await page.start('add one', { tools: ['add'] });
    await page.ended(generationId);
    const [start, next] = harness.upstream.callsOf().map(({ body }) => body);
    expect(start!['tools']).toEqual([
      { type: 'function', function: { name: 'add', description: 'A scripted tool.', parameters: { type: 'object' } } },
    ]);
    expect(messagesOf(next!).slice(-2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"x":1}' } }],
        reasoning_details: details,
      },
      { role: 'tool', tool_call_id: 'call_1', content: '2' },
    ]);
    const later = await page.start('and now?', { threadId });
    await page.ended(later.generationId);
    const body = harness.upstream.callsOf().find((call) => messagesOf(call.body).at(-1)?.content === 'and now?')!.body;
    expect(body['tools']).toBeUndefined();
    expect(
      messagesOf(body)
        .slice(-5)
        .map(({ role, content }) => [role, content]),
    ).toEqual([
      ['user', 'add one'],
      ['assistant', null],
      ['tool', '2'],
      ['assistant', 'It is 2.'],
      ['user', 'and now?'],
    ]);
  });

  it('returns what the provider adds to a call with it, within the answer', async () => {
    const { page } = await harness.memberPage();
    const extra = { google: { thought_signature: 'A1+/=' } };
    const first: Script = {
      steps: [
        { call: { index: 0, id: 'call_1', name: 'add', args: {}, extra } },
        { call: { index: 1, id: 'call_2', name: 'add', args: {} } },
        { finish: 'stop' },
        { done: true },
      ],
    };
    harness.upstream.script(first, textOf('It is 2.'), textOf('As before.'));
    const { generationId, threadId } = await page.start('add', { tools: ['add'] });
    await page.ended(generationId);
    const callsBefore = (last: string): unknown => {
      const prompts = harness.upstream.callsOf().map(({ body }) => messagesOf(body));
      const prompt = prompts.find((messages) => messages.at(-1)?.content === last)!;
      return prompt.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id, extra_content }) => [id, extra_content]));
    };
    expect(callsBefore('2')).toEqual([
      ['call_1', extra],
      ['call_2', undefined],
    ]);
    await page.ended((await page.start('and now?', { threadId })).generationId);
    expect(callsBefore('and now?')).toEqual([
      ['call_1', undefined],
      ['call_2', undefined],
    ]);
  });

  it('returns reasoning_content with the calls of its steps, and no reasoning of another name', async () => {
    const { page } = await harness.memberPage();
    const thinking = (reasoning: string, field: 'reasoning' | 'reasoning_content', id: string) => {
      const step = callsOf('', { id, name: 'add', args: {} });
      step.steps!.unshift({ reasoning, field });
      return step;
    };
    harness.upstream.script(
      thinking('Let me add.', 'reasoning_content', 'call_1'),
      thinking('Once more.', 'reasoning_content', 'call_2'),
      thinking('And again.', 'reasoning', 'call_3'),
      textOf('It is 2.'),
    );
    const { generationId } = await page.start('add', { tools: ['add'] });
    expect((await page.ended(generationId)).message.reasoning).toBe('Let me add.Once more.And again.');
    const last = messagesOf(harness.upstream.callsOf().at(-1)!.body);
    const returned = last.filter(({ tool_calls: calls }) => calls !== undefined);
    expect(returned.map((message) => message.reasoning_content)).toEqual(['Let me add.', 'Once more.', undefined]);
    expect(JSON.stringify(last)).not.toContain('And again.');
  });

  it('returns its reasoning_content in later turns, with which a provider may refuse the calls otherwise', async () => {
    const { client, page } = await harness.memberPage();
    const [first, last] = [callsOf('', { id: 'call_1', name: 'add', args: {} }), textOf('It is 2.')];
    first.steps!.unshift({ reasoning: 'Let me add.', field: 'reasoning_content' });
    last.steps!.unshift({ reasoning: 'That is it.', field: 'reasoning_content' });
    harness.upstream.script(first, last, textOf('As before.'));
    const { generationId, threadId } = await page.start('add', { tools: ['add'] });
    const shown = await page.ended(generationId);
    const reasoning = (text: string) => ({ type: 'reasoning', text, ms: expect.any(Number) as number });
    const parts = [
      reasoning('Let me add.'),
      expect.objectContaining({ callId: 'call_1' }),
      reasoning('That is it.'),
      { type: 'text', text: 'It is 2.' },
    ];
    expect(shown.message.parts).toEqual(parts);
    const stored = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;
    expect(stored.at(-1)!.parts).toEqual(parts);
    await page.ended((await page.start('and now?', { threadId })).generationId);
    const later = harness.upstream.callsOf().map(({ body }) => messagesOf(body));
    const prompt = later.find((messages) => messages.at(-1)?.content === 'and now?')!;
    expect(prompt.slice(-5).map((message) => [message.role, message.reasoning_content])).toEqual([
      ['user', undefined],
      ['assistant', 'Let me add.'],
      ['tool', undefined],
      ['assistant', 'That is it.'],
      ['user', undefined],
    ]);
    harness.upstream.script(textOf('Elsewhere.'));
    const model = `scripted/other-${randomUUID()}`;
    const admin = await harness.admin();
    await admin.post('/api/admin/models', { modelId: model, name: model, provider: 'Scripted' });
    await page.ended((await page.start('and there?', { threadId, model })).generationId);
    const elsewhere = harness.upstream.callsOf().map(({ body }) => messagesOf(body));
    const other = elsewhere.find((messages) => messages.at(-1)?.content === 'and there?')!;
    expect(other.filter((message) => message.reasoning_content !== undefined)).toEqual([]);
    expect(other.filter(({ role }) => role === 'tool')).toHaveLength(1);
  });

  it('goes on with its tools where the provider refuses its own reasoning', async () => {
    const { page } = await harness.memberPage();
    const first = callsOf('', { id: 'call_1', name: 'add', args: {} });
    first.steps!.unshift({ reasoning: 'Let me add.', field: 'reasoning_content' });
    const refusal = { status: 422, body: '{"error":{"message":"extra fields"}}' };
    harness.upstream.script(first, refusal, textOf('It is 2.'));
    const { generationId } = await page.start('add', { tools: ['add'] });
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'complete', content: 'It is 2.', notice: null });
    const [, refused, last] = harness.upstream.callsOf().map(({ body }) => body);
    expect(messagesOf(refused!).at(-2)).toMatchObject({ reasoning_content: 'Let me add.' });
    expect(messagesOf(last!).at(-2)).not.toHaveProperty('reasoning_content');
    expect(last!['tools']).toEqual(refused!['tools']);
    expect(harness.add.runs).toHaveLength(1);
  });

  it('has attachments and custom instructions beside its calls, in every step and in later turns', async () => {
    const { client, page } = await harness.memberPage();
    await client.patch('/api/user/preferences', { aboutMe: 'I teach physics.' });
    const { body: picture } = await upload(client, PNG, 'a.png', 'image/png');
    const { body: notes } = await upload(client, 'text of the notes', 'notes.txt', 'text/plain');
    harness.upstream.script(
      callsOf('', { id: 'call_1', name: 'add', args: { x: 1 } }),
      textOf('It is 2.'),
      textOf('As before.'),
    );
    const attachments = [picture, notes].map(({ id: fileId }) => ({ fileId }));
    const started = await page.start('', { tools: ['add'], content: { text: 'add these', attachments } });
    await page.ended(started.generationId);
    await page.ended((await page.start('and now?', { threadId: started.threadId })).generationId);
    const prompts = harness.upstream.callsOf().map(({ body }) => messagesOf(body));
    const inOrder = ['user', 'assistant', 'tool', 'assistant', 'user'];
    for (const [prompt, roles] of [
      [prompts[0]!, inOrder.slice(0, 1)],
      [prompts[1]!, inOrder.slice(0, 3)],
      [prompts.find((messages) => messages.at(-1)?.content === 'and now?')!, inOrder],
    ] as const) {
      expect(prompt.map(({ role }) => role)).toEqual(['system', ...roles]);
      expect(prompt[0]!.content).toContain('I teach physics.');
      const question = JSON.stringify(prompt[1]);
      expect(question).toContain('text of the notes');
      expect(question).toContain('"image_url":{');
    }
  });

  it('runs the calls of one step concurrently, and keeps repeated ids apart', async () => {
    const { page } = await harness.memberPage();
    let [running, most] = [0, 0];
    harness.add.answer = async () => {
      most = Math.max(most, (running += 1));
      // The first call of the step ends only after the second one has begun.
      await waitUntil('both calls of the step', () => harness.add.runs.length >= 2);
      running -= 1;
      return { text: '2' };
    };
    harness.upstream.script(
      callsOf('', { id: 'same', name: 'add', args: { n: 1 } }, { name: 'add', args: { n: 2 } }),
      callsOf('', { id: 'same', name: 'add', args: { n: 3 } }),
      textOf('End.'),
    );
    const { message } = await page.ended((await page.start('three', { tools: ['add'] })).generationId);
    const calls = message.parts!.filter(isTool);
    expect(most).toBe(2);
    expect(calls[0]?.callId).toBe('same');
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(3);
    expect(harness.add.runs.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('asks for a last step without tools at the limit of the plan', async () => {
    const { page } = await harness.memberPage();
    const step = (n: number) => callsOf('', { id: `call_${n}`, name: 'add', args: { n } });
    harness.upstream.script(step(1), step(2), step(3), textOf('Enough.'));
    const { message } = await page.ended((await page.start('for ever', { tools: ['add'] })).generationId);
    expect(message).toMatchObject({ status: 'complete', content: 'Enough.' });
    expect(harness.add.runs).toHaveLength(3);
    const calls = harness.upstream
      .callsOf()
      .filter(({ body }) => messagesOf(body).some(({ content }) => content === 'for ever'));
    expect(calls.slice(0, 4).map(({ body }) => Array.isArray(body['tools']))).toEqual([true, true, true, false]);
  });

  it('is sent over REST and regenerated with tools', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script(callsOf('', { id: 'a', name: 'add', args: {} }), textOf('Sent.'));
    const { status, body } = await client.post<SendMessageResponse>('/api/chat/message', {
      content: 'rest',
      tools: ['add'],
    });
    expect([status, body.aiResponse]).toEqual([201, 'Sent.']);
    expect(body.aiMessage.parts?.map(({ type }) => type)).toEqual(['tool', 'text']);
    harness.upstream.script(callsOf('', { id: 'a', name: 'add', args: {} }), textOf('Again.'));
    const payload = { clientMessageId: randomUUID(), messageId: body.aiMessage.id, tools: ['add'] };
    const again = await page.ask<{ generationId: string }>('generation:regenerate', payload);
    if (!again.ok) throw new Error(again.error.message);
    expect((await page.ended(again.data.generationId)).message.parts?.map(({ type }) => type)).toEqual([
      'tool',
      'text',
    ]);
    expect(harness.add.runs).toHaveLength(2);
  });

  it('keeps the sources that a provider cites', async () => {
    const { page } = await harness.memberPage();
    const citation = { type: 'url_citation', url_citation: { url: 'https://example.org/a', title: 'A' } };
    harness.upstream.script({
      steps: [
        { text: 'Cited. ' },
        { chunk: { choices: [{ index: 0, delta: { annotations: [citation] } }] } },
        { finish: 'stop' },
        { done: true },
      ],
    });
    const { message } = await page.ended((await page.start('cite')).generationId);
    expect(message.parts).toEqual([
      { type: 'text', text: 'Cited. ' },
      { type: 'source', index: 1, url: 'https://example.org/a', title: 'A' },
    ]);
  });
});
