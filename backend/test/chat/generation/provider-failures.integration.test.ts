import type { Message, MessageStatus, SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import type { Script, Step } from '../../harness/scripted-answers.js';

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

const failing = (status: number, message: string, headers: Record<string, string> = {}): Script => ({
  status,
  headers,
  body: JSON.stringify({ error: { message: `${message} sk-scripted-secret`, code: status } }),
});

const usedBy = async ({ client }: MemberPage): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

const BEGINNING = { text: 'Something ' };

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

describe('a provider', () => {
  const before: [string, Script[], string, object][] = [
    ['F9: a key that is refused', [failing(401, 'bad key')], 'provider_auth', {}],
    ['F9: a key without rights', [failing(403, 'no rights')], 'provider_auth', {}],
    ['F10: no credit left', [failing(402, 'pay')], 'provider_credit', {}],
    [
      'F11: a long Retry-After',
      [failing(429, 'slow down', { 'Retry-After': '600' })],
      'provider_busy',
      { retryAfter: 600 },
    ],
    ['F12: a broken server', Array<Script>(3).fill(failing(503, 'down')), 'provider_error', {}],
    ['a request that it refuses', [failing(400, 'content policy')], 'provider_refused', {}],
    ['F16: a page of HTML', [{ steps: [{ raw: '<html>oops</html>' }] }], 'provider_error', {}],
    ['F17: an error as its first event', [{ steps: [{ error: { code: 500 } }] }], 'provider_error', {}],
    ['an empty answer', [{ steps: DONE }], 'provider_error', {}],
  ];

  it.each(before)(
    'that fails before the first token gives a typed error, free of charge: %s (I7)',
    async (_name, scripts, code, more) => {
      const member = await harness.memberPage();
      harness.upstream.script(...scripts);
      const shown = await member.page.ended((await member.page.start('hello')).generationId);
      expect(shown.closing).toMatchObject({ type: 'error', error: { code, ...more } });
      expect(shown.message).toMatchObject({ status: 'error', content: '', error: { code, ...more } });
      expect(JSON.stringify(shown.closing)).not.toMatch(/secret|sk-|127\.0\.0\.1|scripted"/);
      expect(await usedBy(member)).toBe(0);
    },
  );

  const amid: [string, Step[], MessageStatus, string][] = [
    ['F18: a connection that is reset', [{ cut: true }], 'interrupted', 'provider_unreachable'],
    ['an end without a finish', [], 'interrupted', 'provider_unreachable'],
    ['F17: an error event', [{ error: { code: 502 } }], 'error', 'provider_error'],
  ];

  it.each(amid)(
    'that fails after the first token keeps the text, free of charge: %s',
    async (_name, rest, status, code) => {
      const member = await harness.memberPage();
      const release = harness.upstream.holdAfter('Something ', rest);
      const { generationId, threadId } = await member.page.start('hello');
      await member.page.firstText(generationId);
      release();
      const shown = await member.page.ended(generationId);
      expect(shown.message).toMatchObject({ status, content: 'Something ', error: { code } });
      expect(shown.text).toBe('Something ');
      const stored = (await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
      expect(stored).toEqual(shown.message);
      expect(await usedBy(member)).toBe(0);
    },
  );

  it('that refuses connections gives an error of its own (F13)', async () => {
    const isolated = await startChatHarness({
      redis: false,
      env: { openai: { apiKey: 'sk-scripted', baseUrl: 'http://127.0.0.1:9/v1' } },
    });
    try {
      const { page } = await isolated.memberPage();
      const shown = await page.ended((await page.start('hello')).generationId);
      expect(shown.message).toMatchObject({ status: 'error', error: { code: 'provider_unreachable' } });
      await isolated.settle();
    } finally {
      await isolated.close();
    }
  });

  it('that fails fails a REST send with the same code, and the next send works', async () => {
    const { client } = await harness.memberPage();
    harness.upstream.script(failing(402, 'pay'));
    const refused = await client.post('/api/chat/message', { content: 'hello' });
    expect(errorOf(refused)).toMatchObject({ code: 'provider_credit', statusCode: 500 });
    const answer = await client.post<SendMessageResponse>('/api/chat/message', { content: 'hello' });
    expect(answer.body).toMatchObject({ aiMessage: { status: 'complete' }, quota: { used: 1 } });
  });

  it('that failed can be retried: the new version is a sibling of the failed one', async () => {
    const { page } = await harness.memberPage();
    const release = harness.upstream.holdAfter('Something ', [{ cut: true }]);
    const first = await page.start('hello');
    await page.firstText(first.generationId);
    release();
    await page.ended(first.generationId);
    const again = await page.tryRegenerate(first.aiMessage.id);
    if (!again.ok) throw new Error(again.error.code);
    const { message } = await page.ended(again.data.generationId);
    expect(message).toMatchObject({ status: 'complete', siblingIds: [first.aiMessage.id, again.data.aiMessage.id] });
  });
});

describe('a silent provider', () => {
  it.each([
    ['F14: before the first token', { firstToken: 300 }, [{ stall: true }], 'error', '', 'timeout_first_token'],
    ['F15: after it', { idle: 300 }, [BEGINNING, { stall: true }], 'interrupted', 'Something ', 'timeout_idle'],
  ] as [string, object, Step[], MessageStatus, string, string][])(
    'times out free of charge, %s',
    async (_when, timings, steps, status, content, code) => {
      const impatient = await startChatHarness({ redis: false, timings });
      const member = await impatient.memberPage();
      impatient.upstream.script({ steps });
      const { message, closing } = await member.page.ended((await member.page.start('hello')).generationId);
      expect(message).toMatchObject({ status, content, error: { code } });
      expect(closing).toMatchObject({ type: 'error', error: { code } });
      expect(await usedBy(member)).toBe(0);
      await impatient.settle();
      await impatient.close();
    },
  );
});
