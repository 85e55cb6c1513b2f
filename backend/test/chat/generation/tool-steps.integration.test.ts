import { randomUUID } from 'node:crypto';
import type { Message, MessagePart, SendMessageResponse, Thread, ToolPart } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { callsOf, registerTools, ScriptedTool, textOf } from '../scripted-tools.js';
import { refusalOf } from '../../harness/socket-client.js';
import { PNG, upload } from '../../harness/uploads.js';

interface SentMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  reasoning_details?: unknown[];
}

const messagesOf = (body: Record<string, unknown>): SentMessage[] => body['messages'] as SentMessage[];

const isTool = (part: MessagePart): part is ToolPart => part.type === 'tool';

describe.each(ADAPTERS)('an answer with tools, %s', (_name, redis) => {
  let harness: ChatHarness;
  const search = new ScriptedTool('search');
  const add = new ScriptedTool('add');

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    registerTools(harness, search, add);
  });

  beforeEach(() => {
    harness.upstream.calls.length = 0;
    for (const tool of [search, add]) Object.assign(tool, { policy: 'allow', isAvailable: true });
    search.runs.length = 0;
    search.answer = () => ({
      text: 'Found two pages.',
      sources: [
        { url: 'https://example.org/one', title: 'One', snippet: 'the first' },
        { url: 'https://example.org/two', title: 'Two' },
      ],
    });
    add.runs.length = 0;
    add.answer = () => ({ text: '2' });
  });

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
    add.answer = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 50));
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
    expect(add.runs.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('asks for a last step without tools at the limit of the plan', async () => {
    const { page } = await harness.memberPage();
    const step = (n: number) => callsOf('', { id: `call_${n}`, name: 'add', args: { n } });
    harness.upstream.script(step(1), step(2), step(3), textOf('Enough.'));
    const { message } = await page.ended((await page.start('for ever', { tools: ['add'] })).generationId);
    expect(message).toMatchObject({ status: 'complete', content: 'Enough.' });
    expect(add.runs).toHaveLength(3);
    const calls = harness.upstream
      .callsOf()
      .filter(({ body }) => messagesOf(body).some(({ content }) => content === 'for ever'));
    expect(calls.slice(0, 4).map(({ body }) => Array.isArray(body['tools']))).toEqual([true, true, true, false]);
  });

  it('reports calls that cannot run to the model, without a run', async () => {
    const { page } = await harness.memberPage({ isPremium: true });
    harness.upstream.script(
      callsOf('', { id: 'a', name: 'add', args: '{"x":' }, { id: 'b', name: 'un known' }),
      textOf('Sorry.'),
    );
    const { message } = await page.ended((await page.start('try', { tools: ['add', 'search'] })).generationId);
    expect(message.parts!.filter(isTool).map(({ callId, tool, state, error }) => [callId, tool, state, error])).toEqual(
      [
        ['a', 'add', 'failed', 'The arguments are not valid JSON.'],
        ['b', 'un_known', 'failed', 'There is no tool with this name.'],
      ],
    );
    expect([add.runs, search.runs]).toEqual([[], []]);
    const body = harness.upstream.callsOf()[1]!.body;
    expect(
      messagesOf(body)
        .slice(-2)
        .map(({ content }) => content),
    ).toEqual(message.parts!.filter(isTool).map(({ error }) => error));
  });

  it('goes on after a tool that fails', async () => {
    const { page } = await harness.memberPage();
    add.answer = () => Promise.reject(new Error('secret path /etc/x'));
    search.answer = () => ({ text: 'No such page.', isError: true });
    harness.upstream.script(callsOf('', { id: 'a', name: 'add' }, { id: 'b', name: 'search' }), textOf('Sorry.'));
    const { message } = await page.ended((await page.start('fail', { tools: ['add', 'search'] })).generationId);
    expect(message).toMatchObject({ status: 'complete', content: 'Sorry.' });
    expect(message.parts!.filter(isTool).map(({ state, error }) => [state, error])).toEqual([
      ['failed', 'The tool failed.'],
      ['failed', 'No such page.'],
    ]);
  });

  it('cuts a long result and removes characters that cannot be stored', async () => {
    const { page, client } = await harness.memberPage();
    const nul = String.fromCharCode(0);
    add.answer = () => ({ text: `a${nul}b\ud800c ${'"\u0001'.repeat(40_000)}` });
    harness.upstream.script(callsOf('', { id: 'a', name: 'add', args: { [`k${nul}`]: 'v\ud800' } }), textOf('Long.'));
    const { generationId, threadId } = await page.start('long', { tools: ['add'] });
    const { message } = await page.ended(generationId);
    const part = message.parts!.find(isTool)!;
    expect(part).toMatchObject({ truncated: true, args: { k: 'v\ufffd' } });
    expect(part.result).toMatch(/^ab\ufffdc "/);
    const bytes = Buffer.byteLength(JSON.stringify(part));
    expect(bytes).toBeLessThanOrEqual(32 * 1024);
    expect(bytes).toBeGreaterThan(31 * 1024);
    expect((await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1)).toEqual(message);
    expect(messagesOf(harness.upstream.callsOf()[1]!.body).at(-1)?.content).toBe(part.result);
  });

  it('is repeated once without tools when a model of unknown support refuses them', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script(
      { status: 400, body: JSON.stringify({ error: { message: 'this model does not support tools' } }) },
      textOf('Without.'),
    );
    const { message } = await page.ended((await page.start('refuse', { tools: ['add'] })).generationId);
    expect(message).toMatchObject({
      status: 'complete',
      content: 'Without.',
      notice: 'This model does not support tools.',
      parts: [{ type: 'text', text: 'Without.' }],
    });
    const bodies = harness.upstream
      .callsOf()
      .slice(0, 2)
      .map(({ body }) => body['tools'] !== undefined);
    expect(bodies).toEqual([true, false]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('offers no tools to a model that an admin marked', async () => {
    const admin = await harness.admin();
    const { page } = await harness.memberPage();
    const modelId = `scripted/no-tools-${randomUUID()}`;
    const created = await admin.post<{ id: number }>('/api/admin/models', { modelId });
    const patched = await admin.send('PATCH', `/api/admin/models/${created.body.id}`, {
      body: { supportsTools: false },
    });
    expect(patched.body).toMatchObject({ supportsTools: false });
    harness.upstream.script(textOf('Without.'));
    const sent = await page.start('none', { tools: ['add'], model: modelId });
    expect((await page.ended(sent.generationId)).message).toMatchObject({ status: 'complete', content: 'Without.' });
    expect(harness.upstream.callsOf()[0]!.body['tools']).toBeUndefined();
  });

  it('refuses a tool that the asker may not use, free of charge', async () => {
    const { page, client } = await harness.memberPage();
    expect(refusalOf(await page.tryStart('no', { tools: ['add', 'missing'] }))).toMatchObject({
      code: 'tool_not_found',
      statusCode: 404,
    });
    const guest = await harness.guest();
    const answer = await guest.post('/api/chat/message', { content: 'no', tools: ['add'] });
    expect([answer.status, answer.body]).toMatchObject([404, { code: 'tool_not_found' }]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    expect((await guest.get('/api/user/quota')).body).toMatchObject({ used: 0 });
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
    expect(add.runs).toHaveLength(2);
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

  it('passes the known addresses and draws images at the price of the dialog', async () => {
    const { page, client } = await harness.memberPage();
    const admin = await harness.admin();
    await admin.post('/api/admin/models', { modelId: 'gpt-image-1', name: 'Pictures', provider: 'openai' });
    let known: readonly string[] = [];
    add.answer = async (_args, context) => {
      known = await context.knownAddresses();
      const { url } = await context.drawImage('a harbour');
      return { text: 'drawn', images: [{ url, alt: 'a harbour' }] };
    };
    harness.upstream.script(callsOf('', { id: 'a', name: 'add' }), textOf('Look.'));
    const { generationId, threadId } = await page.start('see https://example.org/page.', { tools: ['add'] });
    const { message } = await page.ended(generationId);
    expect(known).toEqual(['https://example.org/page.', 'https://example.org/page']);
    const image = message.parts!.find(({ type }) => type === 'image');
    expect(image).toMatchObject({ alt: 'a harbour' });
    const [file] = await harness.dataSource.query<[{ thread_id: number }]>('select thread_id from file where id = $1', [
      (image as { url: string }).url.split('/').at(-1),
    ]);
    expect(file.thread_id).toBe(threadId);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 8 });
  });
});
