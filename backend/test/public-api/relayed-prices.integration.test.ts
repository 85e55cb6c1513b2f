import type { ProviderConnection } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import { audioForm } from '../harness/uploads.js';
import { changeUser } from '../quota/budget-harness.js';
import { lastRecord, setPrices } from '../quota/usage-harness.js';
import { ask, type Caller, errorIn, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const EMBEDDER = 'tests/embedder';
const TRANSCRIBER = 'tests/transcriber';
const PAINTER = 'tests/painter';

describe.each(ADAPTERS)('the price of a relayed call, with a compatible connection alone, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis, env: { openai: { apiKey: null, baseUrl: null } } });
    const admin = await harness.admin();
    const connection = { kind: 'compatible', name: 'Own server', baseUrl: harness.upstream.url, apiKey: 'sk-own' };
    expect((await admin.post<ProviderConnection>('/api/admin/connections', connection)).status).toBe(201);
    for (const [modelId, kind] of [
      [EMBEDDER, 'embedding'],
      [TRANSCRIBER, 'transcription'],
      [PAINTER, 'image'],
    ])
      expect((await admin.post('/api/admin/models', { modelId, kind })).status).toBe(201);
  });

  beforeEach(async () => {
    caller = await harness.caller();
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const embed = (model: string) => harness.post(caller.key, { model, input: 'hi' }, {}, '/api/v1/embeddings');

  const draw = (model: string) =>
    harness.post(caller.key, { model, prompt: 'a cat' }, {}, '/api/v1/images/generations');

  const transcribe = (model: string) =>
    harness.client().send<unknown>('POST', '/api/v1/audio/transcriptions', {
      raw: audioForm({ model }),
      headers: { Authorization: `Bearer ${caller.key}` },
    });

  it.each([
    ['embeddings', EMBEDDER, embed],
    ['a transcription', TRANSCRIBER, transcribe],
    ['an image', PAINTER, draw],
  ])('of %s is unknown, and a budget refuses it: %s', async (_what, model, call) => {
    await changeUser(harness, caller.user.id, { budgetUsd: '1', budgetPeriod: 'daily' });
    const answer = await call(model);
    expect([answer.status, errorIn(answer.body).code]).toEqual([403, 'price_unknown']);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('is recorded as unknown without a budget', async () => {
    expect((await embed(EMBEDDER)).status).toBe(200);
    expect(await lastRecord(harness, `user:${caller.user.id}`)).toMatchObject({
      cost_usd: null,
      cost_source: 'unknown',
    });
  });

  it('is that of a model in the table', async () => {
    await changeUser(harness, caller.user.id, { budgetUsd: '1', budgetPeriod: 'daily' });
    await setPrices(harness, { prompt: '0.001' }, EMBEDDER);
    expect((await embed(EMBEDDER)).status).toBe(200);
    await setPrices(harness, null, EMBEDDER);
  });

  it('leaves chat with the demo free', async () => {
    await changeUser(harness, caller.user.id, { budgetUsd: '0', budgetPeriod: 'daily' });
    expect((await harness.post(caller.key, ask('hi'))).status).toBe(200);
  });
});
