import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AdminModel } from '@tanya/contract';
import { Redis } from 'ioredis';
import { BackgroundWork } from '../../../src/platform/resilience/background-work.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { Script } from '../../harness/scripted-answers.js';
import type { SocketClient } from '../../harness/socket-client.js';
import { type Statement, statementsOf } from '../../harness/statements.js';
import { waitUntil } from '../../harness/wait-until.js';
import { callsOf, registerTools, ScriptedTool } from '../scripted-tools.js';
import { changeSettings, FEE, moneyIn, withoutBudgets } from '../../quota/budget-harness.js';
import { setPrices } from '../../quota/usage-harness.js';

interface Budget {
  statementsOfASend: number;
  statementsOfAnEnd: number;
  redisCommandsOfASend: number;
  redisCommandsOfAnEnd: number;
}

const ANSWER: Script = { steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] };

const NEVER = 3_600_000;

const budget = JSON.parse(readFileSync('budget.json', 'utf8')) as Budget;

/** Counts transactions, and statements that change rows outside of one. */
function commits(statements: Statement[]): number {
  let count = 0;
  let isOpen = false;
  for (const { sql } of statements) {
    if (/^(begin|start transaction)/i.test(sql)) isOpen = true;
    if (/^(commit|rollback)/i.test(sql)) isOpen = false;
    if (/^commit/i.test(sql) || (!isOpen && /\b(insert into|update|delete from)\b/i.test(sql))) count += 1;
  }
  return count;
}

let harness: ChatHarness;
let page: SocketClient;

beforeAll(async () => {
  // Work at intervals belongs to no send. Without its ticks, a node emits no text after half of `nodeDead`.
  const names = ['nodeBeat', 'nodeDead', 'checkpoint', 'logFlush'] as const;
  const timings = Object.fromEntries(names.map((name) => [name, NEVER]));
  harness = await startChatHarness({ redis: true, timings });
  harness.app.get(BackgroundWork).onModuleDestroy();
  ({ page } = await harness.memberPage());
});

afterAll(() => harness.close());

async function costOf(work: () => Promise<unknown>): Promise<{ statements: number; commits: number }> {
  const statements = await statementsOf(harness.dataSource, work);
  return { statements: statements.length, commits: commits(statements) };
}

/** Names of the commands that clients send to Redis. Those of scripts, and the counts of subscribers by the second, do not count. */
async function commandsOf(work: (commands: string[][]) => Promise<unknown>): Promise<string[][]> {
  const client = new Redis(harness.redis!.url);
  const monitor = await client.monitor();
  const commands: string[][] = [];
  monitor.on('monitor', (_time: string, command: string[], source: string) => {
    if (source !== 'lua' && !/^pubsub$/i.test(command[0]!)) commands.push(command);
  });
  try {
    await work(commands);
    // Redis reports the commands in their order, so all earlier ones have arrived with this one.
    const last = randomUUID();
    await client.echo(last);
    await waitUntil('the last command', () => commands.some(([, text]) => text === last));
  } finally {
    monitor.disconnect();
    client.disconnect();
  }
  return commands;
}

const about = (commands: string[][], ...words: string[]): string[] =>
  commands
    .filter((command) => words.some((word) => command.some((part) => part.includes(word))))
    .map(([name]) => name!);

describe('the Redis commands of a send', () => {
  /** The commands of a send until its call, and of its end. */
  async function commandsOfAnAnswer({ page: sender, user }: Awaited<ReturnType<typeof harness.memberPage>>) {
    const calls = harness.upstream.callsOf().length;
    const release = harness.upstream.hold(ANSWER);
    let generationId = '';
    const ofSend = await commandsOf(async () => {
      ({ generationId } = await sender.start('the cost of a send in Redis'));
      await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
    });
    const ofEnd = await commandsOf(async (commands) => {
      release();
      await sender.ended(generationId);
      await waitUntil('the log of the end', () => about(commands, '"type":"end"').length > 0);
    });
    // Publications of events count apart.
    const ofOwner = (commands: string[][]) =>
      about(
        commands.filter((command) => !command.some((part) => part.includes('socket.io'))),
        `user:${user.id}`,
        generationId,
      ).length;
    return { send: ofOwner(ofSend), end: ofOwner(ofEnd) };
  }

  it('stay within the budget', async () => {
    const member = await harness.memberPage();
    await member.page.ended((await member.page.start('caches the quota')).generationId);
    // A command that Redis answers too late is repeated, so one answer may take more than is needed.
    const answers = [
      await commandsOfAnAnswer(member),
      await commandsOfAnAnswer(member),
      await commandsOfAnAnswer(member),
    ];
    const send = Math.min(...answers.map((answer) => answer.send));
    const end = Math.min(...answers.map((answer) => answer.end));
    expect(send).toBeGreaterThan(0);
    expect(send).toBeLessThanOrEqual(budget.redisCommandsOfASend);
    expect(end).toBeGreaterThan(0);
    expect(end).toBeLessThanOrEqual(budget.redisCommandsOfAnEnd);
  });
});

describe('the SQL statements of a send', () => {
  it('stay within the budget until the acknowledgement, with one commit', async () => {
    const release = harness.upstream.hold(ANSWER);
    let generationId = '';
    const cost = await costOf(async () => ({ generationId } = await page.start('the cost of a send')));
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfASend);
    expect(cost.commits).toBe(1);
    release();
    await page.ended(generationId);
  });

  it('do not grow under budgets, except by one in a thread', async () => {
    await setPrices(harness, FEE);
    await changeSettings(harness, { freeUserBudgetUsd: '100', installationBudgetUsd: '1000' });
    const { page: other, user } = await harness.memberPage();
    const opening = await other.start('the account of the period is opened');
    await other.ended(opening.generationId);
    let first = opening;
    const alone = await costOf(async () => (first = await other.start('a new thread')));
    expect(alone.statements).toBeLessThanOrEqual(budget.statementsOfASend);
    expect(alone.commits).toBe(1);
    await other.ended(first.generationId);
    const calls = harness.upstream.callsOf().length;
    const release = harness.upstream.hold(ANSWER);
    let generationId = '';
    const send = await costOf(async () => ({ generationId } = await other.start('more', { threadId: first.threadId })));
    // One for the size of the conversation. Another one may load the prompt, after the acknowledgement.
    expect(send.statements).toBeLessThanOrEqual(budget.statementsOfASend + 2);
    expect(send.commits).toBe(1);
    expect(await moneyIn(harness, `user:${user.id}`)).toEqual({ spentUsd: '0.02', heldUsd: '0.01' });
    await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
    const end = await costOf(() => {
      release();
      return other.ended(generationId);
    });
    expect(end.statements).toBeLessThanOrEqual(budget.statementsOfAnEnd);
    expect(end.commits).toBe(1);
    await withoutBudgets(harness);
  });

  it('do not grow until the first text with fallbacks that are not needed', async () => {
    const admin = await harness.admin();
    const modelId = 'cost/asked';
    await admin.post('/api/admin/models', { modelId: 'cost/second' });
    const { body } = await admin.post<AdminModel>('/api/admin/models', { modelId });
    const untilTheFirstText = async () => {
      // Reads the changed models.
      await page.ended((await page.start('before', { model: modelId })).generationId);
      const end = harness.upstream.holdAfter('late');
      let generationId = '';
      const cost = await costOf(async () => {
        ({ generationId } = await page.start('with fallbacks', { model: modelId }));
        await page.firstText(generationId);
      });
      end();
      await page.ended(generationId);
      return cost;
    };
    const alone = await untilTheFirstText();
    expect((await admin.patch(`/api/admin/models/${body.id}`, { fallbacks: ['cost/second'] })).status).toBe(200);
    expect(await untilTheFirstText()).toEqual(alone);
  });

  it('grow by three with a call of a tool: the plan, the call and its result', async () => {
    const tool = new ScriptedTool('costly');
    registerTools(harness, tool);
    const calls = harness.upstream.callsOf().length;
    const release = harness.upstream.hold(callsOf('Let me see. ', { name: 'costly' }));
    harness.upstream.script(ANSWER);
    const { generationId } = await page.start('with a call', { tools: ['costly'] });
    await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
    const cost = await costOf(() => {
      release();
      return page.ended(generationId);
    });
    expect(tool.runs).toHaveLength(1);
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfAnEnd + 3);
    expect(cost.commits).toBe(3);
  });

  it('stay within the budget at the end of the answer, with one commit', async () => {
    const calls = harness.upstream.callsOf().length;
    const release = harness.upstream.hold(ANSWER);
    const { generationId } = await page.start('and its end');
    await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
    const cost = await costOf(() => {
      release();
      return page.ended(generationId);
    });
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfAnEnd);
    expect(cost.commits).toBe(1);
  });
});
