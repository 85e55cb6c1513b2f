import { randomUUID } from 'node:crypto';
import type { AdminModel, Message, MessageNotice } from '@tanya/contract';
import { OrphanReaper } from '../../../src/chat/generation/end/orphan-reaper.js';
import { TIMINGS, type Timings } from '../../../src/config/timings.js';
import { PROVIDER_TIMINGS } from '../../../src/providers/provider.js';
import type { MemberPage } from '../../harness/chat-harness.js';
import type { Script, Step } from '../../harness/scripted-answers.js';
import { errorOf } from '../../harness/http-client.js';
import { waitUntil } from '../../harness/wait-until.js';
import { startToolStepsHarness, type ToolStepsHarness } from '../tool-steps-harness.js';
import { changeSettings, changeUser, moneyIn, withoutBudgets } from '../../quota/budget-harness.js';

const MAIN = 'fall/main';
const SECOND = 'fall/second';
const THIRD = 'fall/third';

const failing = (status: number): Script => ({
  status,
  body: JSON.stringify({ error: { message: 'no', code: status } }),
});
const GONE = failing(404);
const ANSWER: Step[] = [{ text: 'Hello' }, { finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

let harness: ToolStepsHarness;
let member: MemberPage;
const models = new Map<string, AdminModel>();
const timings = { ...PROVIDER_TIMINGS };

beforeAll(async () => {
  // A failing model is asked as often as at most, however slow the machine is.
  Object.assign(PROVIDER_TIMINGS, { retryBudget: 60_000, retryBudgetWithFallback: 30_000, retryDelay: 10 });
  harness = await startToolStepsHarness({ redis: false });
  for (const modelId of [THIRD, SECOND, MAIN]) {
    const { body } = await (await harness.admin()).post<AdminModel>('/api/admin/models', { modelId });
    models.set(modelId, body);
  }
});

beforeEach(async () => {
  await withoutBudgets(harness);
  await changeSettings(harness, { allowDearerFallback: false });
  const plain = { pricing: null, access: 'everyone', contextLength: null, inputModalities: null, supportsTools: null };
  for (const modelId of [THIRD, SECOND, MAIN]) await change(modelId, plain);
  await change(MAIN, { fallbacks: [SECOND, THIRD] });
  for (const modelId of [SECOND, THIRD]) await switchOn(modelId, true);
  harness.reset();
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  // Test files of one worker share them.
  Object.assign(PROVIDER_TIMINGS, timings);
  await harness.close();
});

async function change(modelId: string, changes: object): Promise<void> {
  const answer = await (await harness.admin()).patch(`/api/admin/models/${models.get(modelId)!.id}`, changes);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

async function switchOn(modelId: string, isEnabled: boolean): Promise<void> {
  await (await harness.admin()).patch(`/api/admin/models/${models.get(modelId)!.id}/status`, { isEnabled });
}

const asked = (): unknown[] => harness.upstream.callsOf().map(({ body }) => body['model']);

const usedBy = async ({ client }: MemberPage): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

async function answerTo(text: string, fields: object = {}): Promise<Message> {
  const { generationId } = await member.page.start(text, { model: MAIN, ...fields });
  const shown = await member.page.ended(generationId);
  expect([shown.gaps, shown.late]).toEqual([0, 0]);
  return shown.message;
}

const notice = (to: string, reason: string, from = MAIN): MessageNotice => ({
  code: 'fallback',
  params: { from, to, reason },
});

const recordOf = async ({ generationId }: Message): Promise<Record<string, unknown>> => {
  const [row] = await harness.dataSource.query<[Record<string, unknown>]>(
    'select model_id, cost, state, trim_scale(cost_usd)::text as cost_usd, attempts from usage_record where generation_id = $1',
    [generationId],
  );
  return row;
};

describe('a fallback', () => {
  const unavailable: [string, Script[], string][] = [
    ['a server that fails', Array<Script>(3).fill(failing(503)), 'provider_error'],
    ['a busy one', Array<Script>(3).fill({ ...failing(429), headers: { 'Retry-After': '0' } }), 'provider_busy'],
    ['a refused key', [failing(401)], 'provider_auth'],
    ['an account without credit', [failing(402)], 'provider_credit'],
    ['an unknown model', [GONE], 'provider_error'],
    ['a connection that breaks off before the first part', [{ steps: [{ cut: true }] }], 'provider_unreachable'],
    ['an error as the first event', [{ steps: [{ error: { code: 500 } }] }], 'provider_error'],
    [
      'an error behind comments and empty deltas',
      [{ steps: [{ raw: ': PROCESSING\n\n' }, { text: '' }, { reasoning: '' }, { error: { code: 502 } }] }],
      'provider_error',
    ],
    // Without a fallback the call would be repeated after 45 s.
    ['one that is busy for long', [{ ...failing(429), headers: { 'Retry-After': '45' } }], 'provider_busy'],
  ];

  it.each(unavailable)('answers instead of %s, for one message', async (_name, scripts, reason) => {
    harness.upstream.script(...scripts, { steps: ANSWER });
    const message = await answerTo('hello');
    expect(message).toMatchObject({ status: 'complete', content: 'Hello', modelId: SECOND });
    expect(message.notices).toEqual([notice(SECOND, reason)]);
    expect(message.notice).toContain(`${SECOND} answered instead of ${MAIN}`);
    expect(asked()).toEqual([...scripts.map(() => MAIN), SECOND]);
    expect(await usedBy(member)).toBe(1);
    expect(await recordOf(message)).toMatchObject({ model_id: SECOND, cost: 1, state: 'charged' });
    const { body } = await member.client.get<{ modelId: string }>(`/api/chat/threads/${message.threadId}`);
    expect(body.modelId).toBe(MAIN);
  });

  it('answers over REST too', async () => {
    harness.upstream.script(GONE, { steps: ANSWER });
    const { body } = await member.client.post<{ aiMessage: Message }>('/api/chat/message', {
      content: 'hello',
      model: MAIN,
    });
    expect(body.aiMessage).toMatchObject({ modelId: SECOND, notices: [notice(SECOND, 'provider_error')] });
  });

  it('is not asked where the request wants none: a send, a new version, and a send over REST', async () => {
    const failed = { status: 'error', modelId: MAIN, error: { code: 'provider_error' } };
    harness.upstream.script(GONE, GONE, GONE);
    const first = await answerTo('hello', { fallback: false });
    expect(first).toMatchObject(failed);
    const again = await member.page.ask<{ generationId: string }>('generation:regenerate', {
      clientMessageId: randomUUID(),
      messageId: first.id,
      fallback: false,
    });
    if (!again.ok) throw new Error('not regenerated');
    expect((await member.page.ended(again.data.generationId)).message).toMatchObject(failed);
    const rest = await member.client.post('/api/chat/message', { content: 'hello', model: MAIN, fallback: false });
    expect(errorOf(rest).code).toBe('provider_error');
    expect(asked()).toEqual([MAIN, MAIN, MAIN]);
    const wrong = await member.client.post('/api/chat/message', { content: 'hello', fallback: 'no' });
    expect(errorOf(wrong)).toMatchObject({ code: 'invalid', details: [{ field: 'fallback' }] });
  });

  it('is the next in the order when the first one fails too', async () => {
    harness.upstream.script(failing(402), failing(401), { steps: ANSWER });
    const message = await answerTo('hello');
    expect(message).toMatchObject({ modelId: THIRD, notices: [notice(THIRD, 'provider_credit')] });
    expect(asked()).toEqual([MAIN, SECOND, THIRD]);
    expect((await recordOf(message))['attempts']).toEqual([
      { modelId: MAIN, reason: 'provider_credit', costUsd: '0' },
      { modelId: SECOND, reason: 'provider_auth', costUsd: '0' },
    ]);
  });

  it('is recorded beside the cost of an attempt that was billed before it failed', async () => {
    const priced = { pricing: { prompt: '0.001', completion: '0.001', request: '0' } };
    for (const modelId of [MAIN, SECOND]) await change(modelId, priced);
    await changeUser(harness, member.user.id, { budgetUsd: '100' });
    harness.upstream.script(
      { steps: [{ usage: { prompt: 7, completion: 0 } }, { error: { code: 502 } }] },
      { steps: ANSWER },
    );
    const message = await answerTo('hello');
    expect(message).toMatchObject({ status: 'complete', modelId: SECOND });
    const { attempts, cost_usd: cost, cost: charged } = await recordOf(message);
    expect([attempts, cost, charged]).toEqual([
      [{ modelId: MAIN, reason: 'provider_error', costUsd: '0.007' }],
      '0.015',
      1,
    ]);
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.015', heldUsd: '0' });
  });

  it('waits for a busy model where no other is left', async () => {
    await change(MAIN, { fallbacks: [] });
    harness.upstream.script({ ...failing(429), headers: { 'Retry-After': '2' } }, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', modelId: MAIN });
    expect(asked()).toEqual([MAIN, MAIN]);
  });

  it('does not hide the failure of the asked model when all fail', async () => {
    harness.upstream.script(failing(402), failing(401), failing(404));
    const message = await answerTo('hello');
    expect(message).toMatchObject({ status: 'error', modelId: MAIN, error: { code: 'provider_credit' } });
    expect(message.notices ?? []).toEqual([]);
    expect(await usedBy(member)).toBe(0);
    expect(await recordOf(message)).toMatchObject({ model_id: MAIN, state: 'released' });
  });

  it('has no fallbacks of its own', async () => {
    await change(MAIN, { fallbacks: [SECOND] });
    await change(SECOND, { fallbacks: [THIRD] });
    harness.upstream.script(GONE, GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
    expect(asked()).toEqual([MAIN, SECOND]);
    await change(SECOND, { fallbacks: [] });
  });

  const own: [string, Script][] = [
    ['a request that is refused', failing(400)],
    ['a forbidden request', failing(403)],
    ['a request that cannot be processed', failing(422)],
    ['a filter', { steps: [{ finish: 'content_filter' }, { done: true }] }],
    [
      'a filter that refuses the request',
      { status: 400, body: JSON.stringify({ error: { code: 'content_filter', message: 'filtered' } }) },
    ],
    [
      'a moderation of the request',
      { status: 403, body: JSON.stringify({ error: { code: 403, message: 'flagged', metadata: { reasons: ['x'] } } }) },
    ],
    ['text that was shown', { steps: [{ text: 'So ' }, { error: { code: 502 } }] }],
    ['reasoning that was shown', { steps: [{ reasoning: 'hm' }, { error: { code: 502 } }] }],
  ];

  it.each(own)('is not asked after %s', async (_name, script) => {
    harness.upstream.script(script);
    const message = await answerTo('hello');
    expect(message).toMatchObject({ modelId: MAIN });
    expect(message.status).not.toBe('complete');
    expect(asked()).toEqual([MAIN]);
  });

  it('is not asked after a call of a tool', async () => {
    harness.upstream.script(
      {
        steps: [{ call: { id: '1', name: 'add', args: {} } }, { finish: 'tool_calls' }, { done: true }],
      },
      failing(402),
    );
    const message = await answerTo('hello', { tools: ['add'] });
    expect(message).toMatchObject({ status: 'error', modelId: MAIN });
    expect(asked()).toEqual([MAIN, MAIN]);
  });

  it('is passed over when it was deleted, is disabled or is not for the asker', async () => {
    const { body } = await (await harness.admin()).post<AdminModel>('/api/admin/models', { modelId: 'fall/deleted' });
    await change(MAIN, { fallbacks: ['fall/deleted', SECOND, THIRD] });
    await (await harness.admin()).delete(`/api/admin/models/${body.id}`);
    await switchOn(SECOND, false);
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ modelId: THIRD });
    await change(THIRD, { access: 'premium' });
    harness.upstream.script(GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
    const premium = await harness.memberPage({ isPremium: true });
    harness.upstream.script(GONE, { steps: ANSWER });
    const { generationId } = await premium.page.start('hello', { model: MAIN });
    expect((await premium.page.ended(generationId)).message).toMatchObject({ modelId: THIRD });
  });

  it('is passed over when it is dearer, unless admins allow it, and when its price is unknown beside a known one', async () => {
    const priced = (request: string) => ({ pricing: { prompt: '0', completion: '0', request } });
    await change(MAIN, priced('0.01'));
    await change(SECOND, priced('0.02'));
    harness.upstream.script(GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
    expect(asked()).toEqual([MAIN]);
    await changeSettings(harness, { allowDearerFallback: true });
    harness.upstream.script(GONE, { steps: ANSWER });
    const message = await answerTo('hello');
    expect(message).toMatchObject({ status: 'complete', modelId: SECOND });
    expect((await recordOf(message))['cost_usd']).toBe('0.02');
    await change(SECOND, { pricing: null });
    harness.upstream.script(GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
  });

  it('needs room in the budget for its own price alone, while the asked model has cost nothing', async () => {
    const fee = { pricing: { prompt: '0', completion: '0', request: '0.01' } };
    for (const modelId of [MAIN, SECOND]) await change(modelId, fee);
    await changeUser(harness, member.user.id, { budgetUsd: '0.01' });
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', modelId: SECOND });
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  });

  it('is passed over when the budget does not hold its price', async () => {
    await changeSettings(harness, { allowDearerFallback: true });
    const priced = (request: string) => ({ pricing: { prompt: '0', completion: '0', request } });
    await change(MAIN, priced('0.01'));
    await change(SECOND, priced('0.02'));
    await change(THIRD, priced('0.01'));
    await changeUser(harness, member.user.id, { budgetUsd: '0.015' });
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', modelId: THIRD });
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  });

  it('is passed over when the budget is spent before it is asked', async () => {
    await changeSettings(harness, { allowDearerFallback: true });
    const priced = (request: string) => ({ pricing: { prompt: '0', completion: '0', request } });
    await change(MAIN, priced('0.01'));
    for (const modelId of [SECOND, THIRD]) await change(modelId, priced('0.02'));
    await changeUser(harness, member.user.id, { budgetUsd: '0.04' });
    const fail = harness.upstream.hold(GONE);
    const { generationId } = await member.page.start('hello', { model: MAIN });
    await waitUntil('the asked model', () => asked().length === 1);
    // Three other answers spend what the fallback would need.
    for (const text of ['one', 'two', 'three']) expect(await answerTo(text)).toMatchObject({ status: 'complete' });
    fail();
    const { message } = await member.page.ended(generationId);
    expect(message).toMatchObject({ status: 'error', modelId: MAIN, error: { code: 'provider_error' } });
    expect(asked()).toEqual([MAIN, MAIN, MAIN, MAIN]);
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.03', heldUsd: '0' });
  });

  it('is passed over when it was switched off while the asked model was waited for', async () => {
    const fail = harness.upstream.hold(GONE);
    const { generationId } = await member.page.start('hello', { model: MAIN });
    await waitUntil('the asked model', () => asked().length === 1);
    await switchOn(SECOND, false);
    await change(THIRD, { access: 'premium' });
    fail();
    expect((await member.page.ended(generationId)).message).toMatchObject({ status: 'error', modelId: MAIN });
    expect(asked()).toEqual([MAIN]);
  });

  it('answers with its longer context where the asked one is too short', async () => {
    const tooLong: Script = { status: 400, body: JSON.stringify({ error: { message: 'maximum context length' } }) };
    await change(MAIN, { contextLength: 8_192 });
    await change(SECOND, { contextLength: 512 });
    await change(THIRD, { contextLength: 128_000 });
    harness.upstream.script(tooLong, { steps: ANSWER });
    const message = await answerTo('word '.repeat(700));
    expect(message).toMatchObject({ modelId: THIRD, notices: [notice(THIRD, 'provider_context')] });
    expect(asked()).toEqual([MAIN, THIRD]);
  });

  it('is passed over when it takes no tools and the answer may need them', async () => {
    await change(SECOND, { supportsTools: false });
    harness.upstream.script(failing(402), { steps: ANSWER });
    expect(await answerTo('hello', { tools: ['add'] })).toMatchObject({ modelId: THIRD });
  });

  it('gets the tools that the asked model did not take', async () => {
    await change(MAIN, { supportsTools: false });
    harness.upstream.script(failing(402), { steps: ANSWER });
    const message = await answerTo('hello', { tools: ['add'] });
    expect(message.notices).toEqual([notice(SECOND, 'provider_credit')]);
    const [first, second] = harness.upstream.callsOf().map(({ body }) => body['tools']);
    expect(first).toBeUndefined();
    expect(second).toEqual([expect.objectContaining({ function: expect.objectContaining({ name: 'add' }) as object })]);
  });

  it('can be stopped', async () => {
    harness.upstream.script(GONE, { steps: [{ text: 'He' }, { stall: true }] });
    const { generationId } = await member.page.start('hello', { model: MAIN });
    await member.page.firstText(generationId);
    await member.page.tryStop(generationId);
    expect((await member.page.ended(generationId)).message).toMatchObject({ status: 'stopped', modelId: SECOND });
    expect(await usedBy(member)).toBe(1);
  });

  it('has its name in an answer whose node died, and the asked model in one without text', async () => {
    harness.upstream.script(GONE, { steps: [{ text: 'He' }, { stall: true }] });
    const reaped = async (waits: (generationId: string) => Promise<unknown>): Promise<Message> => {
      const { generationId } = await member.page.start('hello', { model: MAIN });
      await waits(generationId);
      await harness.app.get(OrphanReaper).finalize(generationId, 'interrupted');
      return (await member.page.ended(generationId)).message;
    };
    const seen = await reaped((id) =>
      waitUntil('a checkpoint', async () => {
        const chunks = await harness.dataSource.query<unknown[]>(
          'select from generation_chunk where generation_id = $1',
          [id],
        );
        return chunks.length > 0;
      }),
    );
    expect(seen).toMatchObject({ status: 'interrupted', modelId: SECOND });
    expect(await recordOf(seen)).toMatchObject({ model_id: SECOND, state: 'released' });
    harness.upstream.calls.length = 0;
    harness.upstream.script(GONE, { steps: [{ stall: true }] });
    const unseen = await reaped(async () => {
      await waitUntil('the second model', () => asked().at(-1) === SECOND);
    });
    expect(unseen).toMatchObject({ status: 'interrupted', modelId: MAIN });
    expect(unseen.notices ?? []).toEqual([]);
  });

  describe('whose time is short', () => {
    const WAIT = 3_000;
    const timings = (): Timings => harness.app.get(TIMINGS);
    let usual: number;

    beforeAll(() => {
      usual = timings().fallbackWait;
      timings().fallbackWait = WAIT;
    });

    afterAll(() => {
      timings().fallbackWait = usual;
    });

    it('ends with the time that all fallbacks have together', async () => {
      harness.upstream.script(GONE, { steps: [{ stall: true }] });
      const before = performance.now();
      const message = await answerTo('hello');
      expect(message).toMatchObject({ status: 'error', modelId: MAIN, error: { code: 'provider_error' } });
      expect(performance.now() - before).toBeGreaterThan(WAIT - 100);
      expect(asked()).toEqual([MAIN, SECOND]);
      // The one that was cut off may bill its prompt.
      expect((await recordOf(message))['attempts']).toEqual([
        { modelId: MAIN, reason: 'provider_error', costUsd: '0' },
      ]);
    });

    it('may take longer for its answer than for the first part of it', async () => {
      harness.upstream.script(GONE, {
        steps: [{ text: 'He' }, { wait: WAIT + 300 }, { text: 'llo' }, { finish: 'stop' }, { done: true }],
      });
      expect(await answerTo('hello')).toMatchObject({ status: 'complete', content: 'Hello', modelId: SECOND });
    });

    it('has the time of its provider in further steps', async () => {
      const call = { id: '1', name: 'add', args: {} };
      harness.upstream.script(
        failing(402),
        {
          steps: [{ text: 'So ' }, { wait: WAIT + 300 }, { call }, { finish: 'tool_calls' }, { done: true }],
        },
        { steps: [{ wait: 200 }, ...ANSWER] },
      );
      const message = await answerTo('hello', { tools: ['add'] });
      expect(message).toMatchObject({ status: 'complete', modelId: SECOND });
      expect(asked()).toEqual([MAIN, SECOND, SECOND]);
    });

    it('leaves the asked model its time where none takes the prompt, which is halved', async () => {
      const tooLong: Script = { status: 400, body: JSON.stringify({ error: { message: 'maximum context length' } }) };
      await change(MAIN, { contextLength: 8_192, fallbacks: [SECOND] });
      await change(SECOND, { contextLength: 512 });
      harness.upstream.script(tooLong, { steps: [{ wait: WAIT + 300 }, ...ANSWER] });
      expect(await answerTo('word '.repeat(700))).toMatchObject({ status: 'complete', modelId: MAIN });
      expect(asked()).toEqual([MAIN, MAIN]);
    });
  });
});
