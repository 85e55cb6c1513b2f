import { readFileSync } from 'node:fs';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { Script } from '../../harness/scripted-answers.js';
import type { SocketClient } from '../../harness/socket-client.js';
import { type Statement, statementsOf } from '../../harness/statements.js';
import { waitUntil } from '../../harness/wait-until.js';

interface Budget {
  statementsOfASend: number;
  statementsOfAnEnd: number;
}

const ANSWER: Script = { steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] };

const NEVER = 3_600_000;

const budget = JSON.parse(readFileSync('budget.json', 'utf8')) as Budget;

const commits = (statements: Statement[]) => statements.filter(({ sql }) => /^commit/i.test(sql)).length;

let harness: ChatHarness;
let page: SocketClient;

beforeAll(async () => {
  // Heartbeats, sweeps and checkpoints belong to no send.
  harness = await startChatHarness({ redis: true, timings: { nodeBeat: NEVER, nodeSweep: NEVER, checkpoint: NEVER } });
  ({ page } = await harness.memberPage());
});

afterAll(() => harness.close());

async function costOf(work: () => Promise<unknown>): Promise<{ statements: number; commits: number }> {
  const statements = await statementsOf(harness.dataSource, work);
  return { statements: statements.length, commits: commits(statements) };
}

describe('the SQL statements of a send', () => {
  it('stay within the budget until the acknowledgement, with one commit', async () => {
    const release = harness.upstream.hold(ANSWER);
    let generationId = '';
    const cost = await costOf(async () => ({ generationId } = await page.start('the cost of a send')));
    expect(cost.statements).toBeGreaterThan(1);
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfASend);
    expect(cost.commits).toBe(1);
    release();
    await page.ended(generationId);
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
    expect(cost.statements).toBeGreaterThan(1);
    expect(cost.statements).toBeLessThanOrEqual(budget.statementsOfAnEnd);
    expect(cost.commits).toBe(1);
  });
});
