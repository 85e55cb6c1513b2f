import { randomBytes } from 'node:crypto';
import type { Fault } from '../fault.js';
import type { Send } from '../page/page.js';
import type { TestUser } from '../page/test-user.js';
import type { Scenario, SendOptions } from '../scenario.js';
import { callsTool } from './tool-faults.js';

/** Streams of each of the five groups of people. */
const EACH = 10;

/** Words of an answer that goes on while access is taken, and of one that a suspension ends. */
const LONG = 400;
const ENDLESS = 20_000;

const INSTRUCTIONS = 'The harbour is closed on Mondays.';

const random = (): string => randomBytes(5).toString('hex');

interface ClosedModel {
  id: number;
  modelId: string;
  groupId: number;
}

/** A model for the members of one group. */
async function closedModel({ harness }: Scenario, users: TestUser[]): Promise<ClosedModel> {
  const modelId = `scripted/${random()}`;
  const group = (await harness.asAdmin('POST', '/api/admin/groups', { name: modelId })) as { id: number };
  const userIds = users.map(({ id }) => id);
  await harness.asAdmin('PUT', `/api/admin/groups/${group.id}/members`, { userIds });
  const access = { access: 'groups', groupIds: [group.id] };
  const model = { modelId, name: modelId, provider: 'scripted', isEnabled: true };
  const { id } = (await harness.asAdmin('POST', '/api/admin/models', model)) as { id: number };
  // The budgets of the harness refuse a model without prices.
  const pricing = { prompt: '0.000001', completion: '0.000002' };
  await harness.asAdmin('PATCH', `/api/admin/models/${id}`, { ...access, pricing });
  return { id, modelId, groupId: group.id };
}

/** A project of another person with these editors. */
async function projectOf(scenario: Scenario, users: TestUser[]) {
  const owner = await scenario.harness.newMember();
  await owner.signIn();
  const fields = { name: random(), instructions: INSTRUCTIONS };
  const { body } = await scenario.call(owner.browser, 'POST', '/api/projects', fields);
  const { id } = body as { id: number };
  const setMembers = async (members: object[]) => {
    const { status } = await scenario.call(owner.browser, 'PUT', `/api/projects/${id}/members`, { members });
    scenario.expect(status === 200, `the members of a project got ${status}`);
  };
  await setMembers(users.map(({ name }) => ({ username: name, role: 'editor' })));
  return { id, removeAll: () => setMembers([]) };
}

/** Sends whose answers wait for a tool until it is released. */
async function inTool(scenario: Scenario, users: TestUser[], model: string, after: Promise<void>): Promise<Send[]> {
  return Promise.all(
    users.map(async (user) => {
      const mark = scenario.harness.mark();
      scenario.harness.script(mark, { on: 'other', body: '{}', after });
      scenario.expectOneRun(mark);
      const send = await scenario.taken({ user, model, ...callsTool(mark) });
      scenario.allowSteps(send);
      await scenario.until(() => scenario.harness.callsFor(mark).length > 0, 'the run of the tool');
      return send;
    }),
  );
}

/** Sends once more, and expects a refusal that reaches no model. */
async function refused(scenario: Scenario, { page }: Send, code: string, fields: SendOptions): Promise<void> {
  const next = await scenario.send({ page, words: 1, isSingle: true, ...fields });
  await next.answered;
  const got = next.refusal?.code ?? 'taken';
  scenario.expect(got === code, `after the loss a send got ${got} where ${code} was due`);
  const calls = scenario.harness.callsFor(next.text).length;
  scenario.expect(calls === 0, `after the loss a send called the model ${calls} times`);
}

/** Their next answers in their own threads are given without the project. */
async function withoutProject(scenario: Scenario, { page, started }: Send): Promise<void> {
  const next = await scenario.taken({ page, threadId: started!.threadId, words: 2 });
  await scenario.end(next, 'complete');
  const calls = JSON.stringify(scenario.harness.callsFor(next.text).map(({ body }) => body));
  scenario.expect(!calls.includes(INSTRUCTIONS), 'the model got the instructions of a project that was left');
}

export const accessTaken: Fault = {
  id: 'F33b',
  description: 'access is taken amid 50 streams: to a group, to a model, to a project, and by suspension',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { harness } = scenario;
    const people = (): Promise<TestUser[]> =>
      Promise.all(Array.from({ length: EACH }, () => harness.newMember({ isPremium: false })));
    const leaving = await people();
    const waiting = await people();
    const losing = await people();
    const suspended = await people();
    const invited = await people();
    const left = await closedModel(scenario, [...leaving, ...waiting]);
    const closed = await closedModel(scenario, losing);
    const project = await projectOf(scenario, invited);
    let release = (): void => undefined;
    const after = new Promise<void>((resolve) => (release = resolve));
    const stream = (users: TestUser[], options: SendOptions): Promise<Send[]> =>
      Promise.all(users.map((user) => scenario.shown({ user, words: LONG, pace: 15, ...options })));
    const [waits, closes, ends, stays, shares] = await Promise.all([
      inTool(scenario, waiting, left.modelId, after),
      inTool(scenario, losing, closed.modelId, after),
      stream(suspended, { words: ENDLESS }),
      stream(leaving, { model: left.modelId }),
      stream(invited, { projectId: project.id }),
    ]);
    await scenario.moment(0, 300);

    const ids = suspended.map(({ id }) => id);
    const suspend = (isSuspended: boolean) =>
      harness.asAdmin('POST', '/api/admin/users/batch', { ids, changes: { isSuspended } });
    await Promise.all([
      harness.asAdmin('PUT', `/api/admin/groups/${left.groupId}/members`, { userIds: [] }),
      harness.asAdmin('PATCH', `/api/admin/models/${closed.id}`, { access: 'groups', groupIds: [] }),
      suspend(true),
      project.removeAll(),
    ]);
    release();

    await scenario.endAll([...waits, ...closes], 'interrupted');
    for (const { text } of [...waits, ...closes]) {
      const calls = harness.callsFor(text).length;
      scenario.expect(calls === 1, `an answer without access called the model ${calls} times`);
    }
    await scenario.endAll([...stays, ...shares], 'complete');
    const sent = { content: 'x' };
    for (const { browser } of suspended) {
      const { status } = await scenario.call(browser, 'POST', '/api/chat/message', sent);
      scenario.expect([401, 403].includes(status), `a suspended person got ${status}`);
    }
    for (const send of stays) await refused(scenario, send, 'model_unavailable', { model: left.modelId });
    for (const send of closes) await refused(scenario, send, 'model_unavailable', { model: closed.modelId });
    for (const send of shares) await refused(scenario, send, 'not_found', { projectId: project.id });
    await Promise.all(shares.map((send) => withoutProject(scenario, send)));

    // They sign in again and see that their answers were interrupted.
    await suspend(false);
    await scenario.endAll(ends, 'interrupted');
  },
};
