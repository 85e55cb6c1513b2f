import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiKeyResponse } from '@tanya/contract';
import { APIError } from 'openai';
import { apiKeyEnded } from '../../src/identity/identity-topics.js';
import { GenerationStopper } from '../../src/chat/generation/generation-stopper.js';
import { RunRegistry } from '../../src/chat/generation/live/run-registry.js';
import { Bus, type PayloadOf } from '../../src/platform/bus/bus.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../src/platform/observability/logging.js';
import { ADAPTERS } from '../harness/chat-harness.js';
import { echoText } from '../harness/scripted-answers.js';
import { waitUntil } from '../harness/wait-until.js';
import {
  ask,
  type Caller,
  failureOf,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from './public-api-harness.js';

/** Runs until it is stopped: 200 s at least. */
const ENDLESS = '[[words=20000 pace=10]]';

const STOP_FAILED = 'abandoned generation stop failed; it runs to its end';

describe.each(ADAPTERS)('the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  /** Sends a request that `leave` disconnects; its answer is null without a response. */
  function begin({ key }: Caller, path: string, body: object) {
    const leaving = new AbortController();
    const answer = fetch(`${harness.url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => null);
    return { answer, leave: () => leaving.abort() };
  }

  describe('an answer whose caller is gone', () => {
    it('stops when its caller disconnects, and is charged after the first token (I9)', async () => {
      const caller = await harness.caller();
      for (const stream of [true, false]) {
        const leaving = new AbortController();
        const calls = harness.upstream.callsOf().length;
        const asked = fetch(`${harness.url}/api/v1/chat/completions`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${caller.key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(ask(`leave ${ENDLESS}`, { stream })),
          signal: leaving.signal,
        });
        let refusal = '';
        const ended = asked.then(
          async (answer) => void (answer.ok || (refusal = await answer.text())),
          () => undefined,
        );
        await waitUntil('some text', () => {
          if (refusal !== '') throw new Error(refusal);
          return (harness.upstream.callsOf()[calls]?.bytesSent ?? 0) > 2_000;
        });
        leaving.abort();
        await ended;
        await harness.upstream.callsOf()[calls]!.closed;
        await harness.settle();
      }
      expect(await harness.usedBy(caller)).toBe(2);
    });

    const REASONING = [{ reasoning: 'Let me think. ' }, { stall: true as const }];

    it.each([
      ['a stream that has sent reasoning is charged', '/chat/completions', { stream: true }, '"reasoning":', 1],
      ['a call without a stream is charged as after text', '/chat/completions', {}, null, 1],
      [
        'a response, which shows no reasoning, is free',
        '/responses',
        { stream: true, store: false },
        'response.in_progress',
        0,
      ],
    ])('that disconnects during the reasoning of %s', async (_case, path, more, shown, used) => {
      const caller = await harness.caller();
      harness.upstream.script({ steps: REASONING });
      const calls = harness.upstream.callsOf().length;
      const body = path === '/responses' ? { model: MODEL, input: 'think', ...more } : ask('think', more);
      const { answer, leave } = begin(caller, path, body);
      if (shown !== null) {
        let seen = '';
        const decoder = new TextDecoder();
        const reader = (await answer)!.body!.getReader();
        while (!seen.includes(shown)) seen += decoder.decode((await reader.read()).value, { stream: true });
      }
      const runs = harness.app.get(RunRegistry);
      await waitUntil('the reasoning', () => runs.all.some(({ detached }) => detached?.isShown(false)));
      leave();
      await answer;
      await harness.upstream.callsOf()[calls]!.closed;
      await harness.settle();
      expect(await harness.usedBy(caller)).toBe(used);
    });

    it('is charged after 20 that disconnected before any output in an hour (LIM-12)', async () => {
      const caller = await harness.caller();
      const beginAndLeave = async (path: string, body: object) => {
        harness.upstream.script({ steps: [{ stall: true }] });
        const calls = harness.upstream.callsOf().length;
        const { answer, leave } = begin(caller, path, body);
        await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
        leave();
        await answer;
        await harness.upstream.callsOf()[calls]!.closed;
      };
      for (let count = 0; count < 10; count += 1) {
        await beginAndLeave('/chat/completions', ask('leave', { stream: count % 2 === 0 }));
        await beginAndLeave('/responses', { model: MODEL, input: 'leave', store: false });
      }
      await harness.settle();
      expect(await harness.usedBy(caller)).toBe(0);
      await beginAndLeave('/chat/completions', ask('leave', { stream: true }));
      await beginAndLeave('/responses', { model: MODEL, input: 'leave', stream: true, store: false });
      await harness.settle();
      expect(await harness.usedBy(caller)).toBe(2);
    });

    it('stops when its caller disconnected before it began', async () => {
      const caller = await harness.caller();
      for (let round = 0; round < 5; round += 1) {
        const leaving = new AbortController();
        const asked = fetch(`${harness.url}/api/v1/chat/completions`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${caller.key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(ask(`gone [[words=3 stall=2]]`)),
          signal: leaving.signal,
        }).catch(() => undefined);
        await sleep(round * 4);
        leaving.abort();
        await asked;
      }
      await harness.settle();
      const reasons = async () => {
        const rows = await harness.dataSource.query<{ reason: string | null }[]>(
          'select reason from usage_record where user_id = $1',
          [caller.user.id],
        );
        return rows.map(({ reason }) => reason);
      };
      // The last of them may be admitted after its caller disconnected, also between two reads.
      await waitUntil('the ends', async () => (await reasons()).every((reason) => reason === 'stopped'));
    });

    it('stops although Postgres was away at first, and logs a stop that fails', async () => {
      const caller = await harness.caller();
      const stop = jest.spyOn(harness.app.get(GenerationStopper), 'stop');
      const logged = jest.spyOn(harness.app.get<Logger>(LOGGER), 'error');
      const leaveWith = async (...failures: Error[]) => {
        for (const failure of failures) stop.mockRejectedValueOnce(failure);
        const calls = harness.upstream.callsOf().length;
        const { answer, leave } = begin(caller, '/chat/completions', ask(`leave ${ENDLESS}`));
        await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
        leave();
        await answer;
        return harness.upstream.callsOf()[calls]!;
      };
      try {
        const failed = () => logged.mock.calls.filter(([, line]) => line === STOP_FAILED);
        const left = await leaveWith(new AppError('storage_unavailable'), new AppError('storage_unavailable'));
        await left.closed;
        expect(failed()).toEqual([]);
        await leaveWith(new Error('a defect'));
        await waitUntil('the line', () => failed().length > 0);
        expect(failed()).toEqual([[{ err: new Error('a defect'), generationId: expect.any(String) }, STOP_FAILED]]);
        await caller.client.post('/api/user/apikey/revoke');
      } finally {
        stop.mockRestore();
        logged.mockRestore();
      }
    });

    it('ends with an error when its key is revoked or replaced, unlike answers of the page (KEY-3)', async () => {
      const caller = await harness.caller();
      const page = await harness.page(caller.client);
      const own = await page.start('mine [[words=200 pace=10]]');
      for (const action of ['generate', 'revoke']) {
        const { body } = await caller.client.get<ApiKeyResponse>('/api/user/apikey');
        const stream = await harness
          .openAiWith(body.apiKey!)
          .chat.completions.create({ ...ask(`x ${ENDLESS}`), stream: true });
        let seen = 0;
        const read = async () => {
          for await (const chunk of stream) {
            if (!chunk.choices[0]?.delta.content) continue;
            if ((seen += 1) === 1) await caller.client.post(`/api/user/apikey/${action}`);
          }
        };
        expect(await failureOf(read())).toMatchObject({ code: 'interrupted' });
        expect((await harness.post(body.apiKey!, ask('x'))).status).toBe(401);
      }
      expect((await page.ended(own.generationId)).message.status).toBe('complete');
    });

    it('continues when the end of the previous key is announced after it began', async () => {
      const bus = harness.app.get(Bus);
      const announced: PayloadOf<typeof apiKeyEnded>[] = [];
      bus.subscribe(apiKeyEnded, (payload) => void announced.push(payload));
      const caller = await harness.caller();
      const { body } = await caller.client.post<ApiKeyResponse>('/api/user/apikey/generate');
      await waitUntil('the announcement', () => announced.some(({ userId }) => userId === caller.user.id));
      const stream = await harness
        .openAiWith(body.apiKey!)
        .chat.completions.create({ ...ask('x [[words=30 pace=10]]'), stream: true });
      let text = '';
      for await (const chunk of stream) {
        if (text === '') for (const payload of [...announced]) await bus.publish(apiKeyEnded, payload);
        text += chunk.choices[0]?.delta.content ?? '';
      }
      expect(text).toBe(echoText('x [[words=30 pace=10]]', 30));
    });

    it('ends when its account is deleted (KEY-3)', async () => {
      const admin = await harness.admin();
      const caller = await harness.caller();
      const stream = await caller.openai.chat.completions.create({ ...ask(`x ${ENDLESS}`), stream: true });
      const read = async () => {
        let first = true;
        for await (const chunk of stream) {
          if (chunk.choices[0]?.delta.content && first) {
            first = false;
            await admin.delete(`/api/admin/users/${caller.user.id}`);
          }
        }
      };
      expect(await failureOf(read())).toBeInstanceOf(APIError);
      expect((await harness.post(caller.key, ask('x'))).status).toBe(401);
    });
  });
});
