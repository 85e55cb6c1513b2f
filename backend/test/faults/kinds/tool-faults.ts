import type { Script } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import type { Scenario } from '../scenario.js';
import { STATEMENTS, type Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';
import type { Send } from '../page/page.js';
import type { TestUser } from '../page/test-user.js';

const FIRST_TEXT = 'Let me see. ';
const LAST_TEXT = 'That is all.';

/** A model that calls the tool of the harness, and would then end. */
const stepsWithTool = (mark: string): Script[] => [
  {
    steps: [
      { text: FIRST_TEXT },
      { call: { index: 0, id: 'call_1', name: 'harness_tool', args: { mark } } },
      { finish: 'tool_calls' },
      { done: true },
    ],
  },
  { steps: [{ text: LAST_TEXT }, { finish: 'stop' }, { done: true }] },
];

/** A send whose answer calls the tool of the harness. @param mark of the tool's runs */
export const callsTool = (mark: string) => ({
  script: stepsWithTool(mark),
  expected: FIRST_TEXT + LAST_TEXT,
  tools: ['harness_tool'],
});

interface SentWithTool {
  send: Send;
  /** The mark of the tool's runs. */
  mark: string;
}

/** Sends a message whose answer calls the tool. */
async function sendWithTool(scenario: Scenario, run: Script, user?: TestUser): Promise<SentWithTool> {
  const mark = scenario.harness.mark();
  scenario.harness.script(mark, { on: 'other', body: '{}', ...run });
  scenario.expectOneRun(mark);
  const send = await scenario.send({ ...callsTool(mark), user });
  scenario.allowSteps(send);
  return { send, mark };
}

async function startAll(scenario: Scenario): Promise<void> {
  for (const node of scenario.harness.nodes) if (!node.isUp) await node.start();
}

const killDuringTool: Fault = {
  id: 'F46',
  description: 'kill -9 of a node while a tool runs',
  on: ['many', 'one'],
  run: async (scenario) => {
    let release = (): void => undefined;
    const after = new Promise<void>((resolve) => (release = resolve));
    const { send, mark } = await sendWithTool(scenario, { after });
    await scenario.until(() => scenario.harness.callsFor(mark).length > 0, 'the run of the tool');
    await scenario.moment(0, 200);
    for (const node of scenario.harness.nodes) await node.kill();
    release();
    await startAll(scenario);
    const message = await scenario.end(send, 'interrupted');
    const call = message?.parts?.find((part) => part.type === 'tool');
    scenario.expect(call?.state === 'interrupted', `the call is ${call?.state}`);
  },
};

/** A node dies at one statement of a call. @param ran whether the tool has run by then */
const trapped = (
  id: string,
  description: string,
  statement: 'calling' | 'called',
  action: Trap['action'],
  ran: boolean,
): Fault => ({
  id,
  description,
  on: ['many', 'one'],
  run: async (scenario) => {
    const trap = { action, sql: STATEMENTS[statement] };
    const { send, mark } = await springTrap(scenario, trap, () => sendWithTool(scenario, {}));
    await startAll(scenario);
    await scenario.end(send, 'interrupted');
    const runs = scenario.harness.callsFor(mark).length;
    scenario.expect(runs === (ran ? 1 : 0), `the tool ran ${runs} times`);
  },
});

/** Interferes at a random moment of a run of the tool, which answers afterwards. The tool runs once. */
async function duringTool(
  scenario: Scenario,
  interfere: (sent: SentWithTool) => Promise<void>,
  user?: TestUser,
): Promise<void> {
  let release = (): void => undefined;
  const after = new Promise<void>((resolve) => (release = resolve));
  const sent = await sendWithTool(scenario, { after }, user);
  await scenario.until(() => scenario.harness.callsFor(sent.mark).length > 0, 'the run of the tool');
  await scenario.moment(0, 200);
  await interfere(sent);
  release();
  const runs = scenario.harness.callsFor(sent.mark).length;
  scenario.expect(runs === 1, `the tool ran ${runs} times`);
}

const stopDuringTool: Fault = {
  id: 'F46f',
  description: 'Stop while a tool runs',
  on: ['many', 'one'],
  run: (scenario) =>
    duringTool(scenario, async ({ send }) => {
      await send.page.stop(send.started!.generationId);
      const message = await scenario.end(send, 'stopped');
      const call = message?.parts?.find((part) => part.type === 'tool');
      scenario.expect(call?.state === 'interrupted', `the call is ${call?.state}`);
    }),
};

const threadDeletedDuringTool: Fault = {
  id: 'F46g',
  description: 'a thread is deleted while a tool runs',
  on: ['many', 'one'],
  run: (scenario) =>
    duringTool(scenario, async ({ send }) => {
      const path = `/api/chat/threads/${send.started!.threadId}`;
      const { status } = await scenario.call(send.user.browser, 'DELETE', path);
      scenario.expect(status === 200, `the deletion got ${status}`);
      await scenario.end(send, 'stopped', 'deleted');
      scenario.exclude(send);
    }),
};

const accountDeletedDuringTool: Fault = {
  id: 'F46h',
  description: 'an account is deleted while a tool runs',
  on: ['many', 'one'],
  run: async (scenario) => {
    const user = await scenario.harness.newMember();
    await duringTool(
      scenario,
      async ({ send }) => {
        user.removeCredentials();
        const { status } = await scenario.call(scenario.harness.admin, 'DELETE', `/api/admin/users/${user.id}`);
        scenario.expect(status < 300, `the deletion got ${status}`);
        const left = await scenario.harness.database.query('select id from generation where owner = $1', [user.owner]);
        scenario.expect(left.length === 0, `${left.length} generations of a deleted account remain`);
        scenario.exclude(send);
      },
      user,
    );
  },
};

export const toolFaults: Fault[] = [
  killDuringTool,
  trapped('F46b', 'kill -9 just before the statement that commits a call', 'calling', 'die before', false),
  trapped('F46c', 'kill -9 between the commit of a call and its run', 'calling', 'die after', false),
  trapped(
    'F46d',
    'kill -9 between the run of a tool and the statement that stores its result',
    'called',
    'die before',
    true,
  ),
  trapped('F46e', 'kill -9 between the stored result of a tool and the next step', 'called', 'die after', true),
  stopDuringTool,
  threadDeletedDuringTool,
  accountDeletedDuringTool,
];
