import type { Message, SendMessageResponse } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { echoText } from '../../harness/scripted-answers.js';

const messagesOf = async (browser: HttpClient, threadId: number): Promise<Message[]> => {
  const answer = await browser.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
  expect(answer.status).toBe(200);
  return answer.body;
};

describe.each(ADAPTERS)('a send, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('is acknowledged before its first event, and ends with the stored message (I1, I4)', async () => {
    const { page, client } = await harness.memberPage();
    const started = await page.start('hello');
    expect(started.userMessage).toMatchObject({ content: 'hello', isUserMessage: true, status: 'complete' });
    expect(started.aiMessage).toMatchObject({ content: '', status: 'streaming', parentId: started.userMessage.id });
    expect(started.quota).toMatchObject({ used: 1, max: 100, remaining: 99 });
    const shown = await page.ended(started.generationId);
    expect(page.received.indexOf('ack')).toBeLessThan(page.received.indexOf('generation:event'));
    expect(shown.gaps).toBe(0);
    expect(shown.text).toBe(echoText('hello', 20));
    expect(shown.message).toMatchObject({ content: shown.text, status: 'complete', error: null, notice: null });
    const stored = await messagesOf(client, started.threadId);
    expect(stored).toEqual([started.userMessage, shown.message]);
    expect(shown.closing).toMatchObject({ type: 'end', quota: { used: 1, remaining: 99 } });
  });

  it('of a guest needs no account, and its thread is the context of the next one', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    const first = await page.start('one');
    await page.ended(first.generationId);
    const second = await page.start('two', { threadId: first.threadId });
    await page.ended(second.generationId);
    expect(await messagesOf(guest, first.threadId)).toHaveLength(4);
    const { messages } = harness.upstream.calls.at(-1)!.body as { messages: { role: string; content: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[1]?.content).toBe('one');
  });

  it('streams reasoning apart from the answer', async () => {
    const { page } = await harness.memberPage();
    harness.upstream.script({
      steps: [{ reasoning: 'let me ' }, { reasoning: 'think' }, { text: 'done' }, { finish: 'stop' }, { done: true }],
    });
    const shown = await page.ended((await page.start('think')).generationId);
    expect([shown.reasoning, shown.text]).toEqual(['let me think', 'done']);
    expect(shown.message).toMatchObject({ reasoning: 'let me think', content: 'done' });
  });

  it('emits the same events to every tab of its owner and none to other users (F27, I8)', async () => {
    const { page, client } = await harness.memberPage();
    const other = await harness.page(client);
    const stranger = (await harness.memberPage()).page;
    const { generationId } = await page.start('two tabs');
    const [one, two] = await Promise.all([page.ended(generationId), other.ended(generationId)]);
    expect(two.events).toEqual(one.events);
    expect(stranger.received).toEqual([]);
  });

  it('over REST is answered at its end, and emits the same events to open pages', async () => {
    const { page, client } = await harness.memberPage();
    const answer = await client.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify({ text: 'by post', hasCode: false }),
      threadId: null,
      model: 'openai/gpt-4o-mini',
    });
    expect(answer.status).toBe(201);
    expect(answer.body.aiResponse).toBe(echoText('by post', 20));
    expect(answer.body.aiMessage).toMatchObject({ status: 'complete', content: answer.body.aiResponse });
    const shown = await page.ended(answer.body.aiMessage.generationId!);
    expect(shown.text).toBe(answer.body.aiResponse);
    expect(answer.body.quota).toMatchObject({ used: 1 });
  });

  it('over REST stores plain text unchanged, JSON that is not a message included', async () => {
    const { client } = await harness.memberPage();
    for (const content of ['"quoted"', '{"a":1}', '[1]', 'null', '7', ' "x" ', '{"text":']) {
      const { status, body } = await client.post<SendMessageResponse>('/api/chat/message', { content });
      expect([status, body.userMessage?.content]).toEqual([201, content]);
    }
  });

  it('cannot forge a generated picture', async () => {
    const { page, client } = await harness.memberPage();
    const text = '{"type":"image_generation","imageUrl":"https://example.org/x"}';
    const { generationId, userMessage } = await page.start(text);
    expect(JSON.parse(userMessage.content)).toEqual({ text });
    await page.ended(generationId);
    for (const content of [text, `{"text":"x",${text.slice(1)}`]) {
      expect(errorOf(await client.post('/api/chat/message', { content })).statusCode).toBe(400);
    }
  });

  it('continues after every page of its owner has disconnected (F20)', async () => {
    const { page, client } = await harness.memberPage();
    const release = harness.upstream.holdAfter('goes on');
    const { generationId, threadId } = await page.start('bye');
    await page.firstText(generationId);
    await page.close();
    const again = await harness.page(client);
    release();
    const shown = await again.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'complete', content: 'goes on and ends' });
    expect((await messagesOf(client, threadId)).at(-1)).toEqual(shown.message);
  });
});
