import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AdminModel,
  LIMITS,
  type Message,
  type MessageContent,
  type MessageStatus,
  type SendMessageResponse,
} from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { PNG_BASE64, type Script, type Step } from '../../harness/scripted-answers.js';
import { refusalOf } from '../../harness/socket-client.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

const failing = (status: number, message: string, headers: Record<string, string> = {}): Script => ({
  status,
  headers,
  body: JSON.stringify({ error: { message: `${message} sk-scripted-secret`, code: status } }),
});

const usedBy = async ({ client }: MemberPage): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

const BEGINNING = { text: 'Something ' };

describe('a provider that fails', () => {
  const before: [string, Script[], string, object][] = [
    ['F9: a key that is refused', [failing(401, 'bad key')], 'provider_auth', {}],
    ['F9: a key without rights', [failing(403, 'no rights')], 'provider_auth', {}],
    ['F10: an empty purse', [failing(402, 'pay')], 'provider_credit', {}],
    ['F11: a long wait', [failing(429, 'slow down', { 'Retry-After': '600' })], 'provider_busy', { retryAfter: 600 }],
    ['F12: a broken server', Array<Script>(3).fill(failing(503, 'down')), 'provider_error', {}],
    ['a request that it refuses', [failing(400, 'content policy')], 'provider_refused', {}],
    ['F14: silence', [{ steps: [{ stall: true }] }], 'timeout_first_token', {}],
    ['F16: a page of HTML', [{ steps: [{ raw: '<html>oops</html>' }] }], 'provider_error', {}],
    ['F17: an error as its first event', [{ steps: [{ error: { code: 500 } }] }], 'provider_error', {}],
    ['an empty answer', [{ steps: DONE }], 'provider_error', {}],
  ];

  it.each(before)('before the first token is an error, free of charge: %s (I7)', async (_name, scripts, code, more) => {
    const member = await harness.memberPage();
    harness.upstream.script(...scripts);
    const shown = await member.page.ended((await member.page.start('hello')).generationId);
    expect(shown.closing).toMatchObject({ type: 'error', error: { code, ...more } });
    expect(shown.message).toMatchObject({ status: 'error', content: '', error: { code, ...more } });
    expect(JSON.stringify(shown.closing)).not.toMatch(/secret|sk-|127\.0\.0\.1|scripted"/);
    expect(await usedBy(member)).toBe(0);
  });

  const amid: [string, Step[], MessageStatus, string][] = [
    ['F15: silence', [BEGINNING, { stall: true }], 'interrupted', 'timeout_idle'],
    [
      'F18: a connection that is reset',
      [BEGINNING, { wait: 80 }, { cut: true }],
      'interrupted',
      'provider_unreachable',
    ],
    ['an end without a finish', [BEGINNING], 'interrupted', 'provider_unreachable'],
    ['F17: an error event', [BEGINNING, { error: { code: 502 } }], 'error', 'provider_error'],
  ];

  it.each(amid)('afterwards keeps the text, free of charge: %s', async (_name, steps, status, code) => {
    const member = await harness.memberPage();
    harness.upstream.script({ steps });
    const { generationId, threadId } = await member.page.start('hello');
    const shown = await member.page.ended(generationId);
    expect(shown.message).toMatchObject({ status, content: 'Something ', error: { code } });
    expect(shown.text).toBe('Something ');
    const stored = (await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
    expect(stored).toEqual(shown.message);
    expect(await usedBy(member)).toBe(0);
  });

  it('that is gone altogether is told apart (F13)', async () => {
    const lonely = await startChatHarness({
      redis: false,
      env: { openai: { apiKey: 'sk-scripted', baseUrl: 'http://127.0.0.1:9/v1' } },
    });
    try {
      const { page } = await lonely.memberPage();
      const shown = await page.ended((await page.start('anybody?')).generationId);
      expect(shown.message).toMatchObject({ status: 'error', error: { code: 'provider_unreachable' } });
      await lonely.settle();
    } finally {
      await lonely.close();
    }
  });

  it('fails a REST send with the same code, and the next one works', async () => {
    const { client } = await harness.memberPage();
    harness.upstream.script(failing(402, 'pay'));
    const refused = await client.post('/api/chat/message', { content: 'hello' });
    expect(errorOf(refused)).toMatchObject({ code: 'provider_credit', statusCode: 500 });
    const answer = await client.post<SendMessageResponse>('/api/chat/message', { content: 'hello' });
    expect(answer.body).toMatchObject({ aiMessage: { status: 'complete' }, quota: { used: 1 } });
  });

  it('may be asked again: the new version stands beside the failed one', async () => {
    const { page } = await harness.memberPage();
    harness.upstream.script({ steps: [BEGINNING, { wait: 80 }, { cut: true }] });
    const first = await page.start('hello');
    await page.ended(first.generationId);
    const again = await page.tryRegenerate(first.aiMessage.id);
    if (!again.ok) throw new Error(again.error.code);
    const { message } = await page.ended(again.data.generationId);
    expect(message).toMatchObject({ status: 'complete', siblingIds: [first.aiMessage.id, again.data.aiMessage.id] });
  });
});

describe('an answer of any shape', () => {
  it('is stored without NULs and without halves of characters, as it was shown (TX-1)', async () => {
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
  ])('that looks like our own JSON stays a text: %s', async (text) => {
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

  it('is cut at its limit, closed as complete with a notice, and the model is hung up on (F19, I9)', async () => {
    const member = await harness.memberPage();
    harness.upstream.script({ steps: [{ text: `${'x'.repeat(9_999)}\n` }], endless: true });
    const { generationId } = await member.page.start('for ever');
    const shown = await member.page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'complete', notice: expect.stringContaining('200,000') as string });
    expect(shown.text).toHaveLength(LIMITS.answerCharacters);
    expect(shown.message.content).toBe(shown.text);
    await harness.upstream.callsOf().at(-1)!.closed;
    expect(await usedBy(member)).toBe(1);
  });

  it('made of thoughts without end is ended too', async () => {
    const member = await harness.memberPage();
    harness.upstream.script({ steps: [{ reasoning: 'hm '.repeat(5_000) }], endless: true });
    const shown = await member.page.ended((await member.page.start('think')).generationId);
    expect(shown.message).toMatchObject({ status: 'error', error: { code: 'provider_error' } });
    expect(shown.reasoning).toHaveLength(LIMITS.answerCharacters);
    expect(await usedBy(member)).toBe(0);
  });

  it('that its model ended for length says so', async () => {
    const { page } = await harness.memberPage();
    harness.upstream.script({ steps: [{ text: 'and then' }, { finish: 'length' }, { done: true }] });
    const { message } = await page.ended((await page.start('long')).generationId);
    expect(message).toMatchObject({ status: 'complete', notice: expect.stringContaining('length') as string });
  });
});

describe('a conversation that is too long', () => {
  it('is cut to what the model reads, and the answer says so', async () => {
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

  it('is tried once more with half when the model refuses it', async () => {
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

describe('the model of a send', () => {
  it('must be there, enabled and allowed to the plan (AZ-8)', async () => {
    const [free, premium] = [await harness.memberPage(), await harness.memberPage({ isPremium: true })];
    const admin = await harness.admin();
    const create = async (modelId: string, fields: object) => {
      const answer = await admin.post<AdminModel>('/api/admin/models', {
        modelId,
        name: modelId,
        provider: 'Scripted',
        ...fields,
      });
      expect(answer.status).toBe(201);
    };
    await create('scripted/off', { isEnabled: false });
    await create('scripted/gold', { isPremium: true });
    const refused: [string, string, number][] = [
      ['no/such', 'model_unavailable', 400],
      ['scripted/off', 'model_unavailable', 400],
      ['scripted/gold', 'model_premium', 403],
    ];
    for (const [model, code, statusCode] of refused) {
      expect(refusalOf(await free.page.tryStart('x', { model }))).toMatchObject({ code, statusCode });
      const rest = await free.client.post('/api/chat/message', { content: 'x', model });
      expect(errorOf(rest)).toMatchObject({ code, statusCode });
    }
    expect(await usedBy(free)).toBe(0);
    const started = await premium.page.start('x', { model: 'scripted/gold' });
    expect((await premium.page.ended(started.generationId)).message.status).toBe('complete');
  });

  it('that draws costs seven and answers with a picture of ours', async () => {
    const member = await harness.memberPage();
    const { generationId, quota } = await member.page.start('a lighthouse', { model: 'openai/gpt-image-1' });
    expect(quota.used).toBe(7);
    const { message } = await member.page.ended(generationId);
    const content = JSON.parse(message.content) as MessageContent;
    expect(content).toMatchObject({ type: 'image_generation', text: 'a lighthouse' });
    const picture = await member.client.get(content.imageUrl!);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(harness.upstream.callsOf('images').at(-1)?.body).toMatchObject({ prompt: 'a lighthouse' });
    expect(await usedBy(member)).toBe(7);
    const stranger = await harness.memberPage();
    expect((await stranger.client.get(content.imageUrl!)).status).toBe(404);
  });

  it('that draws and fails, or is stopped, is free', async () => {
    const member = await harness.memberPage();
    harness.upstream.script({ on: 'images', status: 400, body: JSON.stringify({ error: { message: 'moderation' } }) });
    const failed = await member.page.start('no', { model: 'openai/gpt-image-1' });
    expect((await member.page.ended(failed.generationId)).message).toMatchObject({
      status: 'error',
      error: { code: 'provider_refused' },
    });
    harness.upstream.script({
      on: 'images',
      delay: 60_000,
      body: JSON.stringify({ data: [{ b64_json: PNG_BASE64 }] }),
    });
    const called = harness.upstream.callsOf('images').length;
    const stopped = await member.page.start('stop', { model: 'openai/gpt-image-1' });
    // A stop that came before the call would leave the slow answer to the next test.
    while (harness.upstream.callsOf('images').length === called) await sleep(5);
    await member.page.tryStop(stopped.generationId);
    expect((await member.page.ended(stopped.generationId)).message.status).toBe('stopped');
    expect(await usedBy(member)).toBe(0);
  });

  it('that draws outside of a conversation gets the description, and is charged the same', async () => {
    const member = await harness.memberPage();
    const answer = await member.client.post<{ url: string; cost: number }>('/api/generate-image', { prompt: 'a cat' });
    expect(answer.body).toMatchObject({ cost: 7 });
    expect(harness.upstream.callsOf('images').at(-1)?.body).toMatchObject({ prompt: 'a cat' });
    expect(await usedBy(member)).toBe(7);
  });
});
