import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminModel } from '@tanya/contract';
import type { Script, Step } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import type { Scenario } from '../scenario.js';
import { STATEMENTS, type Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';
import { DIES, restart } from './keeping-faults.js';

const PRICING = { prompt: '0.000001', completion: '0.000002' };

/** Makes a model, or gives it these fields. */
async function model({ harness }: Scenario, modelId: string, fields: object): Promise<void> {
  const { body: models } = await harness.admin.get<AdminModel[]>('/api/admin/models');
  const found = models.find((each) => each.modelId === modelId);
  const { id } = found ?? ((await harness.asAdmin('POST', '/api/admin/models', { modelId })) as AdminModel);
  await harness.asAdmin('PATCH', `/api/admin/models/${id}`, { pricing: PRICING, ...fields });
}

const DONE = (prompt: number): Step[] => [{ finish: 'stop' }, { usage: { prompt, completion: 20 } }, { done: true }];

const ASKED = 'fault/asked';
const SECOND = 'fault/second';

/** Statements of an answer that a fallback gives: the change of the model, a checkpoint of its text, its end. */
const ATTEMPT = ['fallback = \\$3::jsonb', 'insert into generation_chunk', STATEMENTS.ending];

const attemptKilled: Fault = {
  id: 'F54',
  description: 'kill -9 of a node while a fallback answers instead of a model that cannot',
  on: ['many', 'one'],
  run: async (scenario) => {
    await model(scenario, SECOND, { fallbacks: [] });
    await model(scenario, ASKED, { fallbacks: [SECOND] });
    const words = Array.from({ length: 40 }, (_, at) => `word ${at} `);
    const failure: Script = { status: scenario.random.pick([401, 402, 404]), body: '{"error":{"message":"no"}}' };
    const answer: Script = { steps: [...words.map((text) => ({ text })), ...DONE(10)], pace: 8 };
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(ATTEMPT) };
    scenario.notes.push(`${failure.status} ${trap.action} ${trap.sql}`);
    const options = { model: ASKED, script: [failure, answer], expected: words.join('') };
    const send = await springTrap(scenario, trap, () => scenario.taken(options));
    await restart(scenario);
    const message = await scenario.end(send, 'interrupted', 'complete');
    if (message === null) return;
    const hasText = message.content !== '';
    scenario.expect(
      message.modelId === (hasText ? SECOND : ASKED),
      `${message.modelId} is named as the answering model`,
    );
    const names = (message.notices ?? []).some(({ code, params }) => code === 'fallback' && params?.['to'] === SECOND);
    scenario.expect(names || !hasText, 'the answer does not say that a fallback gave it');
    const records = await scenario.harness.database.query<{ model: string; attempts: unknown[] | null }>(
      'select model_id as model, attempts from usage_record where generation_id = $1',
      [send.started!.generationId],
    );
    scenario.expect(records.length === 1, `${records.length} records of one answer`);
    scenario.expect(!hasText || records[0]?.model === SECOND, `the record names ${records[0]?.model}`);
  },
};

const LONG = 'fault/long';
const CONTEXT = 4_000;
const TURN = 'Please remember this detail of our plan. '.repeat(20);
const SUMMARY = `The user plans a trip to Bromo in May. ${'They prefer trains and quiet places. '.repeat(8)}`;

/** Statements of a summary: its hold, its settlement, its row. */
const SUMMARISED = [
  'with target as \\(select\\), budget as',
  "reason = case when .* then 'complete' else 'error' end",
  'insert into thread_summary',
];

const summaryKilled: Fault = {
  id: 'F55',
  description: 'kill -9 of a node while a summary of a long chat is written',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { database } = scenario.harness;
    await model(scenario, LONG, { contextLength: CONTEXT });
    const user = await scenario.harness.newMember();
    const page = await scenario.page(user);
    let threadId: number | null = null;
    for (const prompt of [100, 100, 100, CONTEXT - 100]) {
      const text = `Yes. ${TURN}`;
      const answer: Script = { steps: [{ text }, ...DONE(prompt)] };
      // The chat that is summarised begins with the mark of its first message.
      const summary: Script = { steps: [{ text: SUMMARY }, ...DONE(900)], delay: 200 };
      const script = threadId === null ? [answer, summary] : [answer];
      const turn = await scenario.taken({ page, threadId, model: LONG, script, expected: text });
      // Its mark is also that of the calls for the summary, of which a kill causes another one.
      scenario.allowSteps(turn);
      await scenario.end(turn, 'complete');
      threadId = turn.started?.threadId ?? null;
    }
    const next = { page, threadId, model: LONG, words: 5 };
    if (scenario.random.pick([true, false, false, false])) {
      const send = await scenario.taken(next);
      await scenario.moment(0, 400);
      await Promise.all(scenario.harness.nodes.map((node) => node.kill()));
      await restart(scenario);
      await scenario.end(send, 'interrupted', 'complete');
    } else {
      const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(SUMMARISED) };
      scenario.notes.push(`${trap.action} ${trap.sql}`);
      const send = await springTrap(scenario, trap, () => scenario.taken(next));
      await restart(scenario);
      await scenario.end(send, 'interrupted', 'complete');
    }
    const again = await scenario.taken(next);
    await scenario.end(again, 'complete');
    const summaries = await database.query<{ text: string }>('select text from thread_summary where thread_id = $1', [
      threadId,
    ]);
    scenario.expect(
      summaries.every(({ text }) => text === SUMMARY.trim()),
      'a stored summary is not whole',
    );
    scenario.expect(summaries.length <= 1, `${summaries.length} summaries of one path`);
    // The call of the dead node holds its owner's budget until it counts as one.
    const held = async () =>
      (await database.query(`select id from usage_record where owner = $1 and state = 'held'`, [user.owner])).length;
    await scenario.until(async () => (await held()) === 0, 'the settlement of the call');
    await sleep(50);
  },
};

export const longChatFaults: Fault[] = [attemptKilled, summaryKilled];
