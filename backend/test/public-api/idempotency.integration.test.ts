import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { ChatCompletion } from '@tanya/contract';
import { type OpenAI, ConflictError } from 'openai';
import { ModelsService } from '../../src/models/models.service.js';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { GenerationStore } from '../../src/chat/generation/store/generation-store.js';
import { DetachedGenerations } from '../../src/chat/generation/detached/detached-generations.js';
import { SendRateLimiter } from '../../src/chat/generation/admission/send-rate-limiter.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { ADAPTERS } from '../harness/chat-harness.js';
import { ask, errorIn, failureOf, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';
import { echoText } from '../harness/scripted-answers.js';

const OTHER_MODEL = 'scripted/large';

describe.each(ADAPTERS)('the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  describe('an Idempotency-Key', () => {
    it('gives concurrent requests one answer, one call and one charge, streamed or not', async () => {
      const caller = await harness.caller();
      const calls = harness.upstream.callsOf().length;
      const headers = { 'Idempotency-Key': randomUUID() };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          harness.post(caller.key, ask('once [[pace=10]]', { stream: index % 2 === 1 }), headers),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const text = echoText('once [[pace=10]]', 20);
      for (const { body, text: raw } of answers) {
        if (typeof body !== 'string') expect((body as ChatCompletion).choices[0]?.message.content).toBe(text);
        else expect([streamedText(raw), raw.trimEnd().endsWith('data: [DONE]')]).toEqual([text, true]);
      }
      expect(harness.upstream.callsOf().length - calls).toBe(1);
      expect(await harness.usedBy(caller)).toBe(1);
    });

    it('replays the answer after its end, scoped to its caller and its request', async () => {
      const [caller, other] = [await harness.caller(), await harness.caller()];
      const headers = { 'Idempotency-Key': 'the same key' };
      const first = (await harness.post(caller.key, ask('first'), headers)).body as ChatCompletion;
      expect((await harness.post(caller.key, ask('first'), headers)).body).toEqual(first);
      const theirs = (await harness.post(other.key, ask('first'), headers)).body as ChatCompletion;
      expect(theirs.id).not.toBe(first.id);
      const mismatch = await harness.post(caller.key, ask('second'), headers);
      expect([mismatch.status, errorIn(mismatch.body).code]).toEqual([409, 'idempotency_mismatch']);
      const clash = await failureOf(
        caller.openai.chat.completions.create(ask('third'), { headers: { 'Idempotency-Key': 'the same key' } }),
      );
      expect(clash).toBeInstanceOf(ConflictError);
      expect(await harness.usedBy(caller)).toBe(1);
      const long = await harness.post(caller.key, ask('x'), { 'Idempotency-Key': 'k'.repeat(300) });
      expect(errorIn(long.body)).toMatchObject({ param: 'Idempotency-Key' });
    });

    it('is of the request as it was asked, without a model too', async () => {
      const caller = await harness.caller();
      const headers = { 'Idempotency-Key': randomUUID() };
      const { model: _, ...asked } = ask('by default');
      const admin = await harness.admin();
      expect((await admin.post('/api/admin/models', { modelId: OTHER_MODEL })).status).toBe(201);
      const first = await harness.post(caller.key, asked, headers);
      expect(first.status).toBe(200);
      const defaultModel = jest.spyOn(harness.app.get(ModelsService), 'defaultModelFor').mockReturnValue(OTHER_MODEL);
      const again = await harness.post(caller.key, { ...asked, model: null }, headers);
      defaultModel.mockRestore();
      expect([again.status, again.body]).toEqual([200, first.body]);
    });

    it('gives the first answer when its model is gone and no send is left', async () => {
      const caller = await harness.caller();
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await harness.post(caller.key, ask('gone'), headers);
      const find = jest.spyOn(harness.app.get(ModelsService), 'find').mockReturnValue(null);
      const refusal = new AppError('rate_limited', { retryAfter: 1 });
      const count = jest.spyOn(harness.app.get(SendRateLimiter), 'count').mockRejectedValue(refusal);
      const again = await harness.post(caller.key, ask('gone'), headers);
      const other = await harness.post(caller.key, ask('gone'), { 'Idempotency-Key': randomUUID() });
      find.mockRestore();
      count.mockRestore();
      expect([again.status, again.body, other.status]).toEqual([200, first.body, 404]);
    });

    it('counts a request of other content as a send, and a repetition as none (LIM-6)', async () => {
      const caller = await harness.caller();
      const headers = { 'Idempotency-Key': randomUUID() };
      const limit = { name: 'sends', points: 120, window: 60 };
      const sends = () => harness.app.get(RateLimits).used(limit, `user:${caller.user.id}`);
      for (const text of ['first', 'first', 'second']) await harness.post(caller.key, ask(text), headers);
      expect(await sends()).toBe(2);
      await harness.post(caller.key, ask('third'), headers);
      expect(await sends()).toBe(3);
    });

    it('is kept for a day, and its generation as long as stored responses', async () => {
      const caller = await harness.caller();
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = (await harness.post(caller.key, ask('kept'), headers)).body as ChatCompletion;
      const cleanUpAfter = async (days: number): Promise<unknown> => {
        await harness.dataSource.query(
          `update generation set finished_at = now() - $2 * interval '1 day' where user_id = $1 and thread_id is null`,
          [caller.user.id, days],
        );
        await harness.app.get(DetachedGenerations).cleanUp();
        return harness.dataSource.query('select answer is null as blank from generation where user_id = $1', [
          caller.user.id,
        ]);
      };
      expect(await cleanUpAfter(0.5)).toEqual([{ blank: false }]);
      expect((await harness.post(caller.key, ask('kept'), headers)).body).toEqual(first);
      expect(await cleanUpAfter(30)).toEqual([{ blank: true }]);
      expect(await cleanUpAfter(32)).toEqual([]);
      // The charge does not depend on the generation.
      expect(await harness.usedBy(caller)).toBe(1);
      expect((await harness.post(caller.key, ask('kept'), headers)).status).toBe(200);
      expect(await harness.usedBy(caller)).toBe(2);
    });

    it('ends in batches, each of its own', async () => {
      const caller = await harness.caller();
      for (const text of ['one', 'two', 'three'])
        await harness.post(caller.key, ask(text), { 'Idempotency-Key': randomUUID() });
      const store = harness.app.get(GenerationStore);
      while ((await store.expireAnswers(24, 1_000)) > 0);
      await harness.dataSource.query(
        `update generation set finished_at = now() - interval '2 days' where user_id = $1 and thread_id is null`,
        [caller.user.id],
      );
      expect([await store.expireAnswers(24, 2), await store.expireAnswers(24, 2)]).toEqual([2, 1]);
    });

    it('allows a retry of a failed request', async () => {
      const caller = await harness.caller();
      const headers = { 'Idempotency-Key': randomUUID() };
      harness.upstream.script({ status: 402, body: '{}' });
      expect((await harness.post(caller.key, ask('retry me'), headers)).status).toBe(502);
      const again = await harness.post(caller.key, ask('retry me'), headers);
      expect(again.status).toBe(200);
      expect((await harness.post(caller.key, ask('retry me'), headers)).body).toEqual(again.body);
      expect(await harness.usedBy(caller)).toBe(1);
    });

    it('does not replay a partial answer after its caller disconnected', async () => {
      const caller = await harness.caller();
      const headers = { 'Idempotency-Key': randomUUID() };
      const text = 'disconnect [[words=100 pace=10]]';
      const leaving = new AbortController();
      const stream = await caller.openai.chat.completions.create(
        { ...ask(text), stream: true },
        { headers, signal: leaving.signal },
      );
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
      leaving.abort();
      await harness.settle();
      const again = (await harness.post(caller.key, ask(text), headers)).body as ChatCompletion;
      expect(again.choices[0]?.message.content).toBe(echoText(text, 100));
    });
  });
});

/** Text of a raw event stream. */
function streamedText(raw: string): string {
  return raw
    .split('\n\n')
    .map((event) => event.replace(/^data: /, ''))
    .filter((data) => data.startsWith('{'))
    .map((data) => (JSON.parse(data) as OpenAI.ChatCompletionChunk).choices[0]?.delta.content ?? '')
    .join('');
}
