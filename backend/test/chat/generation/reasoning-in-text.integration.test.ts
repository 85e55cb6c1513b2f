import type { Message } from '@tanya/contract';
import { GenerationStore } from '../../../src/chat/generation/store/generation-store.js';
import { ADAPTERS, type ChatHarness, FAST_TIMINGS, startChatHarness } from '../../harness/chat-harness.js';
import type { Step } from '../../harness/scripted-answers.js';
import { dataOf, ShownAnswer } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

const END: Step[] = [{ finish: 'stop' }, { done: true }];
const texts = (...pieces: string[]): Step[] => pieces.map((text) => ({ text }));

/** An answer whose reasoning has no opening tag. */
const NO_OPENING = texts('plan a\n', '</think>\n\n', 'Hello.');

const CONTROL = 'Use `<think>` here:\n```\n<think>\nx\n</think>\n```';

describe.each(ADAPTERS)('reasoning in the text, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis, timings: FAST_TIMINGS });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const stored = async ({ client }: Awaited<ReturnType<ChatHarness['memberPage']>>, threadId: number) =>
    (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1)!;

  it.each([
    ['at its beginning', texts('<thi', 'nk>\nplan a\n</th', 'ink>\n\nHello.'), 'Hello.', 'plan a'],
    ['without an opening tag', NO_OPENING, 'Hello.', 'plan a'],
    ['that is empty', texts('<think>\n\n</think>\n\n', 'Hello.'), 'Hello.', null],
    ['that is code', texts(CONTROL), CONTROL, null],
  ])('%s is apart from it, streamed, stored and reloaded', async (_case, steps, text, reasoning) => {
    const member = await harness.memberPage();
    harness.upstream.script({ steps: [...steps, ...END] });
    const { generationId, threadId } = await member.page.start('hi');
    const shown = await member.page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'complete', content: text, reasoning });
    expect([shown.text, shown.reasoning, shown.gaps]).toEqual([text, reasoning ?? '', 0]);
    const reloaded = await stored(member, threadId);
    expect(reloaded).toMatchObject({ content: text, reasoning, parts: shown.message.parts });
    expect(shown.parts.map((part) => part.type)).toEqual(reloaded.parts?.map((part) => part.type));
    for (let position = 0; position < shown.lastSeq; position += 1) {
      const resumed = dataOf(await member.page.tryResume(generationId, position));
      const again = new ShownAnswer();
      for (const event of shown.events.slice(0, position)) again.apply(event);
      for (const event of resumed.outcome === 'resumed' ? resumed.events : []) again.apply(event);
      expect([again.text, again.reasoning, again.gaps]).toEqual([text, reasoning ?? '', 0]);
    }

    await member.page.ended((await member.page.start('more', { threadId })).generationId);
    const { messages } = harness.upstream.callsOf().at(-1)!.body as { messages: { content: string }[] };
    expect(messages.slice(-3).map(({ content }) => content)).toEqual(['hi', text, 'more']);
  });

  it('is what was read of a running answer too, whose checkpoints had it as text', async () => {
    const member = await harness.memberPage();
    const store = harness.app.get(GenerationStore);
    let [goOn, end] = [(): void => undefined, (): void => undefined];
    const waits = [new Promise<void>((go) => (goOn = go)), new Promise<void>((go) => (end = go))];
    const [first, ...rest] = NO_OPENING;
    harness.upstream.script({ steps: [first!, { wait: waits[0]! }, ...rest, { wait: waits[1]! }, ...END] });
    const { generationId, threadId } = await member.page.start('hi');
    await waitUntil('the first checkpoint', async () => (await store.checkpoint(generationId)).text === 'plan a\n');
    goOn();
    await waitUntil('the second checkpoint', async () => (await store.checkpoint(generationId)).text !== 'plan a\n');
    await waitUntil('its text', async () => (await store.checkpoint(generationId)).text === 'Hello.');
    expect(await store.checkpoint(generationId)).toMatchObject({ text: 'Hello.', reasoning: 'plan a' });
    const read = await stored(member, threadId);
    expect(read.parts).toEqual([
      { type: 'reasoning', text: 'plan a' },
      { type: 'text', text: 'Hello.' },
    ]);
    end();
    await member.page.ended(generationId);
  });

  it('that was cut at its length is reasoning with a notice', async () => {
    const { page } = await harness.memberPage();
    harness.upstream.script({ steps: [...texts('<think>\nplan a and'), { finish: 'length' }, { done: true }] });
    const { message } = await page.ended((await page.start('hi')).generationId);
    expect(message).toMatchObject({ status: 'complete', content: '', reasoning: 'plan a and' });
    expect(message.notices).toEqual([{ code: 'answer_length' }]);
  });

  it('is charged when it was stopped after it', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script({ steps: [...texts('<think>plan a'), { stall: true }] });
    const { generationId } = await page.start('hi');
    await page.until(() => page.answer(generationId).reasoning !== '');
    await page.tryStop(generationId);
    expect((await page.ended(generationId)).message).toMatchObject({ status: 'stopped', reasoning: 'plan a' });
    expect((await client.get<{ used: number }>('/api/user/quota')).body.used).toBe(1);
  });
});
