import type { AccountQuota, AdminSettings, ErrorBody } from '@tanya/contract';
import { registerTools, ScriptedTool } from '../chat/scripted-tools.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { Script } from '../harness/scripted-answers.js';
import { refusalOf, type SocketClient } from '../harness/socket-client.js';
import { FEE, withoutBudgets } from './budget-harness.js';
import { answerWith, setPrices } from './usage-harness.js';

/** One server per test file that imports this module. Its budgets are removed after each test. */
export let harness: ChatHarness;

/** A new member for each test, and its scope of budgets. */
export let member: MemberPage;
export let scope: string;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  registerTools(harness, new ScriptedTool('search'));
});

beforeEach(async () => {
  await setPrices(harness, FEE);
  member = await harness.memberPage();
  scope = `user:${member.user.id}`;
});

afterEach(async () => {
  await harness.settle();
  await withoutBudgets(harness);
});

afterAll(() => harness.close());

/** An answer with a reported cost in USD. */
export const costing = (cost: number): Script => answerWith({ prompt_tokens: 1, completion_tokens: 1, cost });

/** Sends a message of the member and waits for the end of its answer. */
export async function chat(text = 'hello', tools?: string[]): ReturnType<SocketClient['ended']> {
  const { generationId } = await member.page.start(text, { tools });
  return member.page.ended(generationId);
}

/** Sends a message of the member that is refused. */
export async function refusal(): Promise<Pick<ErrorBody, 'code' | 'message' | 'details'>> {
  const { code, message, details } = refusalOf(await member.page.tryStart('one more'));
  return { code, message, details };
}

/** USD that the installation has spent in the period of its budget. */
export async function installationSpent(): Promise<number> {
  const { body } = await (await harness.admin()).get<AdminSettings>('/api/general-settings');
  return Number(body.installationBudget!.spentUsd);
}

/** The budget of the member. */
export const budgetOf = async (): Promise<AccountQuota['budget']> =>
  (await member.client.get<AccountQuota>('/api/user/quota')).body.budget;
