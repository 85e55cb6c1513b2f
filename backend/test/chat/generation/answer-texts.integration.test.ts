import { LIMITS, type SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { Script, Step } from '../../harness/scripted-answers.js';

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

const usedBy = async ({ client }: Awaited<ReturnType<ChatHarness['member']>>): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

describe('an answer', () => {
  it('is stored as it was shown, without NULs and lone surrogates (TX-1)', async () => {
    const { page } = await harness.memberPage();
    const texts = ['a\0b ', 'lone \ud800 half ', 'whole \ud83d', '\ude00 ', '\u202e rtl ', 'e\u0301'.repeat(2_000)];
    harness.upstream.script({ steps: [...texts.map((text) => ({ text })), ...DONE], bytesPerWrite: 7 });
    const shown = await page.ended((await page.start('weird')).generationId);
    expect(shown.message.status).toBe('complete');
    expect(shown.text).toBe(shown.message.content);
    expect(shown.text.isWellFormed()).toBe(true);
    expect(shown.text.startsWith('ab lone \ufffd half whole 😀 ')).toBe(true);
  });

  it.each([
    '{"text":"posing","imageUrl":"/api/files/x"}',
    '{"type":"image_generation","imageUrl":"https://example.org/x"}',
  ])('that imitates the server’s own JSON stays text: %s', async (text) => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script({ steps: [{ text }, ...DONE] });
    const { generationId, threadId } = await page.start('pose');
    const { message } = await page.ended(generationId);
    expect(JSON.parse(message.content)).toEqual({ text });
    const rest = await client.post<SendMessageResponse>('/api/chat/message', { content: 'next', threadId });
    expect(rest.status).toBe(201);
    const { messages } = harness.upstream.calls.at(-1)!.body as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content)).toContain(text);
  });

  it('is cut at its limit with a notice, and the provider’s connection is closed (F19, I9)', async () => {
    const member = await harness.memberPage();
    harness.upstream.script({ steps: [{ text: `${'x'.repeat(9_999)}\n` }], endless: true });
    const { generationId } = await member.page.start('endless');
    const shown = await member.page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'complete', notice: expect.stringContaining('200,000') as string });
    expect(shown.message.notices).toEqual([{ code: 'answer_cut', params: { max: LIMITS.answerCharacters } }]);
    expect(shown.text).toHaveLength(LIMITS.answerCharacters);
    expect(shown.message.content).toBe(shown.text);
    await harness.upstream.callsOf().at(-1)!.closed;
    expect(await usedBy(member)).toBe(1);
  });

  it('of endless reasoning fails at the limit', async () => {
    const member = await harness.memberPage();
    harness.upstream.script({ steps: [{ reasoning: 'hm '.repeat(5_000) }], endless: true });
    const shown = await member.page.ended((await member.page.start('think')).generationId);
    expect(shown.message).toMatchObject({ status: 'error', error: { code: 'provider_error' } });
    expect(shown.reasoning).toHaveLength(LIMITS.answerCharacters);
    expect(await usedBy(member)).toBe(0);
  });

  it('that the model cut for length has a notice', async () => {
    const { page } = await harness.memberPage();
    harness.upstream.script({ steps: [{ text: 'and then' }, { finish: 'length' }, { done: true }] });
    const { message } = await page.ended((await page.start('long')).generationId);
    expect(message).toMatchObject({ status: 'complete', notice: expect.stringContaining('length') as string });
    expect(message.notices).toEqual([{ code: 'answer_length' }]);
  });

  it('beside pictures has a notice', async () => {
    const { page } = await harness.memberPage();
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }];
    const chunk = { choices: [{ index: 0, delta: { content: 'Here.', images } }] };
    harness.upstream.script({ steps: [{ chunk }, { finish: 'stop' }, { done: true }] });
    const { message } = await page.ended((await page.start('draw')).generationId);
    expect(message).toMatchObject({ status: 'complete', content: 'Here.' });
    expect(message.notices).toEqual([{ code: 'pictures_left_out' }]);
  });
});

describe('a conversation longer than the context', () => {
  it('is shortened to the context length, with a notice', async () => {
    const { page } = await harness.memberPage();
    const admin = await harness.admin();
    const model = { modelId: 'scripted/tiny', name: 'Tiny', provider: 'Scripted', contextLength: 600 };
    expect((await admin.post('/api/admin/models', model)).status).toBe(201);
    const first = await page.start(`first ${'words '.repeat(150)}`, { model: 'scripted/tiny' });
    await page.ended(first.generationId);
    const second = await page.start(`second ${'words '.repeat(150)}`, {
      model: 'scripted/tiny',
      threadId: first.threadId,
    });
    const { message } = await page.ended(second.generationId);
    expect(message).toMatchObject({ status: 'complete', notice: expect.stringMatching(/earlier message/) as string });
    expect(message.notices).toEqual([{ code: 'earlier_left_out', params: { count: 2 } }]);
    const { messages } = harness.upstream.calls.at(-1)!.body as { messages: { role: string; content: string }[] };
    expect(messages.at(-1)?.content).toMatch(/^second/);
    expect(JSON.stringify(messages).length / 3).toBeLessThan(600);
  });

  const tooLong: Script = {
    status: 400,
    body: JSON.stringify({
      error: { message: 'maximum context length is 10 tokens', code: 'context_length_exceeded' },
    }),
  };

  it('is retried once with half of it when the model refuses it', async () => {
    const { page } = await harness.memberPage();
    const first = await page.start(`one ${'words '.repeat(2_000)}`);
    await page.ended(first.generationId);
    const calls = harness.upstream.callsOf().length;
    harness.upstream.script(tooLong);
    const second = await page.start('two', { threadId: first.threadId });
    expect((await page.ended(second.generationId)).message.status).toBe('complete');
    expect(harness.upstream.callsOf().length - calls).toBe(2);
    harness.upstream.script(tooLong, tooLong);
    const third = await page.start('three', { threadId: first.threadId });
    expect((await page.ended(third.generationId)).message).toMatchObject({ error: { code: 'provider_context' } });
    expect(harness.upstream.callsOf().length - calls).toBe(4);
  });
});
