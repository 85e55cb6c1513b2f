import type { MessageStatus } from '@tanya/contract';
import type { Script } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import type { Page, Send } from '../page/page.js';
import type { Scenario } from '../scenario.js';
import { STATEMENTS, type Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';

const FIRST_TEXT = 'May I? ';
const LAST_TEXT = 'Thank you.';
const CALL_ID = 'call_1';

/** A tool of the server process, and one of the scripted MCP server. The calls of both need approval. */
const ASKING_TOOL = 'harness_asking_tool';
export const MCP_TOOL = 'harness_lookup';

const stepsOf = (mark: string, tool: string): Script[] => [
  {
    steps: [
      { text: FIRST_TEXT },
      { call: { index: 0, id: CALL_ID, name: tool, args: { mark } } },
      { finish: 'tool_calls' },
      { done: true },
    ],
  },
  { steps: [{ text: LAST_TEXT }, { finish: 'stop' }, { done: true }] },
];

interface Asked {
  send: Send;
  /** The mark of the runs of the tool. */
  mark: string;
}

/** Sends a message whose answer asks for approval. */
async function ask(scenario: Scenario, tool = ASKING_TOOL): Promise<Asked> {
  const mark = scenario.harness.mark();
  scenario.harness.script(mark, { on: 'other', body: '{}' });
  scenario.expectOneRun(mark);
  const send = await scenario.taken({
    script: stepsOf(mark, tool),
    expected: FIRST_TEXT + LAST_TEXT,
    tools: [tool],
  });
  scenario.allowSteps(send);
  return { send, mark };
}

async function statusOf(scenario: Scenario, { started }: Send): Promise<MessageStatus | undefined> {
  const [row] = await scenario.harness.database.query<{ status: MessageStatus }>(
    'select status from generation where id = $1',
    [started?.generationId],
  );
  return row?.status;
}

export async function askAndWait(scenario: Scenario, tool?: string): Promise<Asked> {
  const asked = await ask(scenario, tool);
  await scenario.until(async () => (await statusOf(scenario, asked.send)) === 'waiting', 'the waiting answer');
  return asked;
}

/** Decides with retries. @returns the status, or the code of a final refusal */
export const decide = (send: Send, allow: boolean, page: Page = send.page): Promise<string> =>
  page.approve({ generationId: send.started!.generationId, callId: CALL_ID, allow });

async function killAll(scenario: Scenario): Promise<void> {
  for (const node of scenario.harness.nodes) await node.kill();
}

async function startAll(scenario: Scenario): Promise<void> {
  for (const node of scenario.harness.nodes) if (!node.isUp) await node.start();
}

/** Expects a complete answer, and the number of runs that its decision allows. */
export async function expectEnd(scenario: Scenario, { send, mark }: Asked, isAllowed: boolean): Promise<void> {
  const message = await scenario.end(send, 'complete');
  const call = message?.parts?.find((part) => part.type === 'tool');
  scenario.expect(call?.state === (isAllowed ? 'done' : 'denied'), `the call is ${call?.state}`);
  const runs = scenario.harness.runsOf(mark);
  scenario.expect(runs === Number(isAllowed), `the tool ran ${runs} times`);
}

const killWhileWaiting: Fault = {
  id: 'F47',
  description: 'kill -9 of every node while a call waits for approval; it is decided afterwards',
  on: ['many', 'one'],
  run: async (scenario) => {
    const asked = await askAndWait(scenario);
    await scenario.moment(0, 200);
    await killAll(scenario);
    await startAll(scenario);
    const isAllowed = scenario.random.pick([true, true, false]);
    const status = await decide(asked.send, isAllowed);
    scenario.expect(status === 'streaming' || status === 'complete', `the decision was answered with ${status}`);
    await expectEnd(scenario, asked, isAllowed);
  },
};

/** A node dies at the statement that suspends the answer. @param isStored whether the answer waits afterwards */
const killAtSuspension = (id: string, description: string, action: Trap['action'], isStored: boolean): Fault => ({
  id,
  description,
  on: ['many', 'one'],
  run: async (scenario) => {
    const asked = await springTrap(scenario, { action, sql: STATEMENTS.suspending }, () => ask(scenario));
    await startAll(scenario);
    if (isStored) {
      await decide(asked.send, true);
      return expectEnd(scenario, asked, true);
    }
    await scenario.end(asked.send, 'interrupted');
    scenario.expect(scenario.harness.runsOf(asked.mark) === 0, 'the tool ran without an approval');
  },
});

const killBeforeDecision: Fault = {
  id: 'F47c',
  description: 'kill -9 just before the statement that stores a decision, which is then repeated',
  on: ['many', 'one'],
  run: async (scenario) => {
    const asked = await askAndWait(scenario);
    let decided: Promise<string> | undefined;
    await springTrap(scenario, { action: 'die before', sql: STATEMENTS.deciding }, async () => {
      decided = decide(asked.send, true);
    });
    await startAll(scenario);
    await decided;
    await expectEnd(scenario, asked, true);
  },
};

const killAfterDecision: Fault = {
  id: 'F47d',
  description: 'kill -9 between the commit of a decision and the run of its call',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { send, mark } = await askAndWait(scenario);
    let decided: Promise<string> | undefined;
    await springTrap(scenario, { action: 'die after', sql: STATEMENTS.committing }, async () => {
      decided = decide(send, true);
    });
    await startAll(scenario);
    await scenario.end(send, 'interrupted');
    await decided;
    scenario.expect(scenario.harness.runsOf(mark) === 0, 'the tool ran after its node had died');
  },
};

const killSoonAfterDecision: Fault = {
  id: 'F47e',
  description: 'kill -9 of every node shortly after a decision',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { send } = await askAndWait(scenario);
    await decide(send, true);
    await scenario.moment(0, 60);
    await killAll(scenario);
    await startAll(scenario);
    await scenario.end(send, 'complete', 'interrupted');
  },
};

const killDuringMcpCall: Fault = {
  id: 'F47f',
  description: 'kill -9 of every node during an approved call of an MCP server',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { mcp } = scenario.harness;
    // The server has taken the call and never answers it.
    mcp.hijacks.set('tools/call', () => undefined);
    const { send, mark } = await askAndWait(scenario, MCP_TOOL);
    await decide(send, true);
    await scenario.until(() => scenario.harness.runsOf(mark) > 0, 'the call at the MCP server');
    await scenario.moment(0, 200);
    await killAll(scenario);
    mcp.hijacks.clear();
    await startAll(scenario);
    const message = await scenario.end(send, 'interrupted');
    const call = message?.parts?.find((part) => part.type === 'tool');
    scenario.expect(call?.state === 'interrupted', `the call is ${call?.state}`);
  },
};

const decideTwice: Fault = {
  id: 'F47g',
  description: 'two tabs decide at once over two nodes, alike or contrary',
  on: ['many'],
  run: async (scenario) => {
    const asked = await askAndWait(scenario);
    const { send } = asked;
    const pages: Page[] = [];
    for (const node of scenario.harness.nodes) pages.push(await scenario.page(send.user, node.url));
    const decisions = scenario.random.pick([
      [true, true],
      [true, false],
      [false, true],
    ]);
    const answers = await Promise.all(pages.map((page, index) => decide(send, decisions[index]!, page)));
    const conflicts = answers.filter((answer) => answer === 'conflict').length;
    const isContrary = decisions[0] !== decisions[1];
    scenario.expect(conflicts === Number(isContrary), `the decisions were answered with ${answers.join(' and ')}`);
    const winner = answers.findIndex((answer) => answer !== 'conflict');
    await expectEnd(scenario, asked, decisions[winner] ?? false);
  },
};

/** How a waiting answer ends without a decision. */
const ENDINGS = {
  stop: async (scenario: Scenario, { send }: Asked): Promise<void> => {
    await send.page.stop(send.started!.generationId);
    const message = await scenario.end(send, 'stopped');
    const call = message?.parts?.find((part) => part.type === 'tool');
    scenario.expect(call?.state === 'denied', `the call is ${call?.state}`);
  },
  'deletion of its thread': async (scenario: Scenario, { send }: Asked): Promise<void> => {
    const path = `/api/chat/threads/${send.started!.threadId}`;
    const { status } = await scenario.call(send.user.browser, 'DELETE', path);
    scenario.expect(status === 200, `the deletion got ${status}`);
    await scenario.end(send, 'stopped', 'deleted');
    scenario.exclude(send);
  },
};

const endWhileWaiting = (id: string, name: keyof typeof ENDINGS): Fault => ({
  id,
  description: `a ${name} while a call waits for approval, and a late decision`,
  on: ['many', 'one'],
  run: async (scenario) => {
    const asked = await askAndWait(scenario);
    await scenario.moment(0, 200);
    await ENDINGS[name](scenario, asked);
    const answer = await decide(asked.send, true);
    scenario.expect(['conflict', 'not_found'].includes(answer), `the late decision was answered with ${answer}`);
    const runs = scenario.harness.runsOf(asked.mark);
    scenario.expect(runs === 0, `the tool ran ${runs} times without an approval`);
  },
});

export const approvalFaults: Fault[] = [
  killWhileWaiting,
  killAtSuspension('F47a', 'kill -9 just before the statement that suspends an answer', 'die before', false),
  killAtSuspension('F47b', 'kill -9 between the suspension of an answer and its event', 'die after', true),
  killBeforeDecision,
  killAfterDecision,
  killSoonAfterDecision,
  killDuringMcpCall,
  decideTwice,
  endWhileWaiting('F47h', 'stop'),
  endWhileWaiting('F47i', 'deletion of its thread'),
];
