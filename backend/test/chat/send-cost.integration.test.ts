import { readFileSync } from 'node:fs';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { SocketClient } from '../harness/socket-client.js';
import { type Statement, statementsOf } from '../harness/statements.js';

interface Budget {
  statementsOfASend: number;
  statementsOfAnEnd: number;
}

const budget = JSON.parse(readFileSync('budget.json', 'utf8')) as Budget;

const commits = (statements: Statement[]) => statements.filter(({ sql }) => /^commit/i.test(sql)).length;

/** The beat of the process and the second-by-second saving of text belong to no send. */
const isOfTheProcess = ({ sql }: Statement) => /\bnode\b|^with given as/i.test(sql.trim());

let harness: ChatHarness;
let page: SocketClient;

beforeAll(async () => {
  harness = await startChatHarness({ redis: true, timings: { nodeBeat: 60_000, nodeSweep: 60_000 } });
  ({ page } = await harness.memberPage());
});

afterAll(() => harness.close());

async function costOf(work: () => Promise<unknown>): Promise<{ statements: number; commits: number }> {
  const statements = (await statementsOf(harness.dataSource, work)).filter((each) => !isOfTheProcess(each));
  return { statements: statements.length, commits: commits(statements) };
}

describe('what one send asks of Postgres', () => {
  it('stays within its budget from the send to the acknowledgement, with one commit', async () => {
    harness.upstream.script({ delay: 1_000, steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] });
    let generationId = '';
    const cost = await costOf(async () => ({ generationId } = await page.start('what does this cost')));
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfASend);
    expect(cost.commits).toBe(1);
    await page.ended(generationId);
  });

  it('stays within its budget at the end of the answer, with one commit', async () => {
    harness.upstream.script({ delay: 500, steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] });
    const { generationId, threadId } = await page.start('and its end');
    expect(threadId).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const cost = await costOf(() => page.ended(generationId));
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfAnEnd);
    expect(cost.commits).toBe(1);
  });
});
