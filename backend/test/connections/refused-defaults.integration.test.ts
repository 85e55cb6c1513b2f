import type { ProviderConnection } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import {
  ask,
  type Caller,
  failureOf,
  type PublicApiHarness,
  startPublicApiHarness,
} from '../public-api/public-api-harness.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { waitUntil } from '../harness/wait-until.js';

const CONNECTIONS = '/api/admin/connections';
const MODEL = 'o/reasoning';

let upstream: ScriptedUpstream;
let harness: PublicApiHarness;
let admin: HttpClient;
let caller: Caller;
let connectionId: number;

/** A server whose model has one temperature. */
beforeAll(async () => {
  upstream = await startUpstream({
    words: 3,
    choose: (_text, { temperature, reasoning_effort: effort }) => {
      if (effort !== undefined) {
        const message = 'Unrecognized request argument supplied: reasoning_effort';
        return { status: 400, body: JSON.stringify({ error: { message, param: null } }) };
      }
      if (typeof temperature !== 'number' || temperature === 1) return undefined;
      const message = `Unsupported value: 'temperature' does not support ${temperature} with this model.`;
      return { status: 400, body: JSON.stringify({ error: { message, param: 'temperature' } }) };
    },
  });
  harness = await startPublicApiHarness({ redis: false, sharedUpstream: upstream });
  admin = await harness.admin();
  const connection = { kind: 'compatible', name: 'O', baseUrl: upstream.url };
  connectionId = (await admin.post<ProviderConnection>(CONNECTIONS, connection)).body.id;
  const model = { modelId: MODEL, connectionId, isApiEnabled: true, parameters: { temperature: 0.2, top_p: 0.9 } };
  expect((await admin.post('/api/admin/models', model)).status).toBe(201);
  caller = await harness.caller();
});

beforeEach(async () => {
  await admin.delete(`${CONNECTIONS}/${connectionId}/adaptations`);
  upstream.calls.length = 0;
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await upstream.close();
});

const sent = (): unknown[] => upstream.callsOf().map(({ body }) => [body['temperature'], body['top_p']]);

async function learnt(): Promise<unknown> {
  const read = async (): Promise<ProviderConnection> =>
    (await admin.get<ProviderConnection[]>(CONNECTIONS)).body.find(({ id }) => id === connectionId)!;
  await waitUntil('the stored change', async () => (await read()).adaptations.length === 1);
  return (await read()).adaptations[0]!.changes;
}

it('a default that the provider refuses is left out on the page, remembered and shown', async () => {
  const { page } = await harness.memberPage();
  for (const text of ['one', 'two']) {
    const { generationId } = await page.start(text, { model: MODEL });
    expect((await page.ended(generationId)).message.status).toBe('complete');
  }
  expect(sent()).toEqual([
    [0.2, 0.9],
    [undefined, 0.9],
    [undefined, 0.9],
  ]);
  expect(await learnt()).toEqual(['temperature=0.2']);
});

it('so it is for a program that sent none, whose own value is its error', async () => {
  const completion = await caller.openai.chat.completions.create(ask('one', { model: MODEL }));
  expect(completion.choices[0]!.finish_reason).toBe('stop');
  expect(await learnt()).toEqual(['temperature=0.2']);
  const used = await harness.usedBy(caller);

  const error = await failureOf(caller.openai.chat.completions.create(ask('two', { model: MODEL, temperature: 0.2 })));
  expect([error.status, error.param, error.message]).toEqual([
    400,
    'temperature',
    expect.stringContaining("'temperature' does not support 0.2") as string,
  ]);
  expect(await harness.usedBy(caller)).toBe(used);
  expect(sent().at(-1)).toEqual([0.2, 0.9]);

  for (const [path, body] of [
    ['/api/v1/responses', { model: MODEL, input: 'three' }],
    ['/api/v1/messages', { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'three' }] }],
  ] as const) {
    upstream.calls.length = 0;
    expect((await harness.post(caller.key, body, {}, path)).status).toBe(200);
    expect(sent()).toEqual([[undefined, 0.9]]);
  }
});

it('another default of an admin is tried', async () => {
  await caller.openai.chat.completions.create(ask('one', { model: MODEL }));
  const { body: models } = await admin.get<{ id: number; modelId: string }[]>('/api/admin/models');
  const { id } = models.find(({ modelId }) => modelId === MODEL)!;
  await admin.patch(`/api/admin/models/${id}`, { parameters: { temperature: 1 } });
  await caller.openai.chat.completions.create(ask('two', { model: MODEL }));
  expect(sent().at(-1)).toEqual([1, undefined]);
});

it("the effort that OpenRouter's clients send to any model is left out where a model has none", async () => {
  const asked = { ...ask('one', { model: MODEL, temperature: 1 }), reasoning: { effort: 'low' as const } };
  const completion = await caller.openai.chat.completions.create(asked);
  expect(completion.choices[0]!.finish_reason).toBe('stop');
  expect(upstream.callsOf().map(({ body }) => body['reasoning_effort'])).toEqual(['low', undefined]);
  expect(await learnt()).toEqual(['reasoning_effort="low"']);

  const own = ask('two', { model: MODEL, temperature: 1, reasoning_effort: 'low' });
  expect(await failureOf(caller.openai.chat.completions.create(own))).toMatchObject({ status: 400 });
});
