import { randomUUID } from 'node:crypto';
import type { Message } from '@tanya/contract';
import { OrphanReaper } from '../../../src/chat/nodes/orphan-reaper.js';
import { errorOf } from '../../harness/http-client.js';
import type { Script } from '../../harness/scripted-answers.js';
import { waitUntil } from '../../harness/wait-until.js';
import { changeUser, moneyIn } from '../../quota/budget-harness.js';
import {
  ANSWER,
  answerTo,
  asked,
  change,
  failing,
  GONE,
  harness,
  MAIN,
  member,
  notice,
  recordOf,
  SECOND,
  THIRD,
  usedBy,
} from '../fallbacks-harness.js';
import { decide } from '../approvals-harness.js';
import { callsOf, textOf } from '../scripted-tools.js';

describe('a fallback', () => {
  const unavailable: [string, Script[], string][] = [
    ['a server that fails', Array<Script>(3).fill(failing(503)), 'provider_error'],
    ['a busy one', Array<Script>(3).fill({ ...failing(429), headers: { 'Retry-After': '0' } }), 'provider_busy'],
    ['one that fails in the words of a refusal', [failing(500, 'operation not supported')], 'provider_refused'],
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

  it('goes on after an approval without the effort that it lacks', async () => {
    await change(MAIN, { reasoningEfforts: ['high'] });
    await change(SECOND, { reasoningEfforts: [] });
    harness.add.policy = 'ask';
    harness.upstream.script(failing(402), callsOf('', { id: 'a', name: 'add' }), textOf('Two.'));
    const fields = { model: MAIN, tools: ['add'] };
    const { generationId } = await member.page.start('add', { ...fields, reasoningEffort: 'high' });
    await waitUntil('the call', async () => {
      return (await decide(member.client, generationId, 'a', true)).status === 200;
    });
    expect((await member.page.ended(generationId)).message.content).toBe('Two.');
    const sent = harness.upstream.callsOf().map(({ body }) => [body['model'], JSON.stringify(body).includes('"high"')]);
    expect(sent).toEqual([
      [MAIN, true],
      [SECOND, false],
      [SECOND, false],
    ]);
    await change(MAIN, { reasoningEfforts: null });
  });

  it('keeps its name, and its own failure, once it has written a step', async () => {
    const call = { id: '1', name: 'add', args: {} };
    harness.upstream.script(
      failing(402),
      { steps: [{ text: 'So ' }, { call }, { finish: 'tool_calls' }, { done: true }] },
      failing(401),
    );
    const message = await answerTo('hello', { tools: ['add'] });
    expect(message).toMatchObject({ status: 'error', modelId: SECOND, error: { code: 'provider_auth' } });
    expect(message.notices).toEqual([notice(SECOND, 'provider_credit')]);
    expect(asked()).toEqual([MAIN, SECOND, SECOND]);
    expect(await recordOf(message)).toMatchObject({ model_id: SECOND, state: 'released' });
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
});
