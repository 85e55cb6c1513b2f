import type { AdminModel, Message } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { Script, Step } from '../harness/scripted-answers.js';
import { changeSettings, withoutBudgets } from '../quota/budget-harness.js';

export const MODEL = 'long/model';
export const CONTEXT = 4_000;

/** What a model writes as a summary. */
export const SUMMARY = `The user plans a trip to Bromo in May with two children. ${'They prefer trains and quiet places. '.repeat(8)}`;

/** One server for each test file that imports this module. */
export let harness: ChatHarness;
export let member: MemberPage;
let model: AdminModel;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  const { body } = await (
    await harness.admin()
  ).post<AdminModel>('/api/admin/models', { modelId: MODEL, contextLength: CONTEXT });
  model = body;
});

beforeEach(async () => {
  await withoutBudgets(harness);
  await changeSettings(harness, { summaryModelId: null });
  await change({ pricing: null, contextLength: CONTEXT, fallbacks: [] });
  harness.upstream.calls.length = 0;
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

export async function change(changes: object): Promise<void> {
  const answer = await (await harness.admin()).patch(`/api/admin/models/${model.id}`, changes);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

/** An answer whose provider counts so many tokens of its prompt. */
export const answer = (text: string, prompt: number): Script => ({
  steps: [{ text }, { finish: 'stop' }, { usage: { prompt, completion: 20 } }, { done: true }],
});

export const summaryOf = (text: string, rest: Step[] = [{ finish: 'stop' }]): Script => ({
  steps: [{ text }, ...rest, { usage: { prompt: 900, completion: 90 } }, { done: true }],
});

interface Sent {
  role: string;
  content: string;
}

export const promptsOf = (): Sent[][] => harness.upstream.callsOf().map(({ body }) => body['messages'] as Sent[]);

export const isSummary = (prompt: Sent[]): boolean => prompt[0]!.content.startsWith('You summarize');

/** Numbered turns of about 330 tokens each, by the count of the server. */
export const TURN = 'Please remember this detail of our plan. '.repeat(12);

export async function send(threadId: number | null, text: string, fields: object = {}): Promise<Message> {
  const { generationId } = await member.page.start(text, { model: MODEL, threadId, ...fields });
  return (await member.page.ended(generationId)).message;
}

/** A thread of some turns, the last of which takes a part of the context by the count of its provider. */
export async function threadOf(
  turns: number,
  tokens: number,
  fields: object = {},
): Promise<{ threadId: number; messages: Message[] }> {
  let threadId: number | null = null;
  const messages: Message[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    harness.upstream.script(answer(`Answer ${turn}. ${TURN}`, turn === turns ? tokens : 100));
    const message = await send(threadId, `Question ${turn}. ${TURN}`, threadId === null ? fields : {});
    threadId = message.threadId;
    messages.push(message);
  }
  harness.upstream.calls.length = 0;
  return { threadId: threadId!, messages };
}

export const path = (threadId: number): string => `/api/chat/threads/${threadId}/summary`;

export const recordsOf = (owner: string): Promise<Record<string, unknown>[]> =>
  harness.dataSource.query(
    `select model_id, cost, state, trim_scale(cost_usd)::text as cost_usd, plan, channel from usage_record
     where owner = $1 and generation_id is null order by id`,
    [owner],
  );
