import { LIMITS } from '@tanya/contract';
import OpenAI from 'openai';
import { ADAPTERS } from '../harness/chat-harness.js';
import { EMBEDDINGS, PNG_BASE64 } from '../harness/scripted-answers.js';
import { errorIn, failureOf, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const EMBEDDING_MODEL = 'text-embedding-3-small';

describe.each(ADAPTERS)('a relayed call, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
    const admin = await harness.admin();
    for (const modelId of ['dall-e-2', 'dall-e-3']) await admin.post('/api/admin/models', { modelId });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const embed = (key: string, fields: object, headers: Record<string, string> = {}) =>
    harness.post(key, { model: EMBEDDING_MODEL, input: ['a', 'b'], ...fields }, headers, '/api/v1/embeddings');

  it('of the official client embeds texts for one message', async () => {
    const caller = await harness.caller();
    const answer = await caller.openai.embeddings.create({
      model: EMBEDDING_MODEL,
      input: ['a', 'b'],
      encoding_format: 'float',
      dimensions: 3,
      user: 'end user',
    });
    expect(answer).toMatchObject(EMBEDDINGS);
    expect(harness.upstream.callsOf('embeddings').at(-1)!.body).toEqual({
      model: EMBEDDING_MODEL,
      input: ['a', 'b'],
      encoding_format: 'float',
      dimensions: 3,
    });
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('passes on what the texts are for, as models of NVIDIA and Cohere demand', async () => {
    const { key } = await harness.caller();
    expect((await embed(key, { input_type: 'passage' })).status).toBe(200);
    expect(harness.upstream.callsOf('embeddings').at(-1)!.body).toMatchObject({ input_type: 'passage' });
    expect((await embed(key, { input_type: 7 })).status).toBe(400);
  });

  it('accepts a text, a list of tokens and lists of tokens', async () => {
    const { key } = await harness.caller();
    for (const input of ['a', [1, 2, 3], [[1], [2, 3]]]) {
      expect([input, (await embed(key, { input })).status]).toEqual([input, 200]);
    }
  });

  it.each([
    ['model', { model: undefined }],
    ['model', { model: 7 }],
    ['input', { input: undefined }],
    ['input', { input: '' }],
    ['input', { input: [] }],
    ['input', { input: ['a', ''] }],
    ['input', { input: ['a', 1] }],
    ['input', { input: [1, -1] }],
    ['input', { input: [[]] }],
    ['input', { input: { a: 1 } }],
    ['input', { input: Array(2_049).fill('a') }],
    ['input', { input: 'x'.repeat(200_001) }],
    ['encoding_format', { encoding_format: 'hex' }],
    ['dimensions', { dimensions: 0 }],
    ['dimensions', { dimensions: 1.5 }],
  ])('is refused by the name of a wrong field, free of quota: %s', async (param, fields) => {
    const caller = await harness.caller();
    const answer = await embed(caller.key, fields);
    expect([answer.status, errorIn(answer.body).param]).toEqual([400, param]);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it.each([
    ['an error', { status: 402, body: '{}' }],
    ['HTML', { body: '<html></html>' }],
    ['an object without data', { body: '{"error":{"message":"no"}}' }],
  ])('costs nothing when the upstream answers with %s', async (_title, script) => {
    const caller = await harness.caller();
    harness.upstream.script({ on: 'embeddings' as const, ...script });
    const answer = await embed(caller.key, {});
    expect([answer.status >= 500, errorIn(answer.body).type]).toEqual([true, 'provider_error']);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('with a repeated Idempotency-Key is charged once and answered alike', async () => {
    const caller = await harness.caller();
    const calls = harness.upstream.callsOf('embeddings').length;
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await Promise.all([1, 2, 3].map(() => embed(caller.key, {}, headers)));
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, EMBEDDINGS]);
    expect(harness.upstream.callsOf('embeddings')).toHaveLength(calls + 1);
    expect(await harness.usedBy(caller)).toBe(1);
    const other = await embed(caller.key, { input: 'other' }, headers);
    expect([other.status, errorIn(other.body).code]).toEqual([409, 'idempotency_mismatch']);
  });

  it('of a model that admins disabled is refused', async () => {
    const { key } = await harness.caller();
    const admin = await harness.admin();
    const modelId = `disabled/embedding-${redis ? 'redis' : 'memory'}`;
    await admin.post('/api/admin/models', { modelId, name: 'Off', provider: 'Tests', isEnabled: false });
    const failure = await failureOf(harness.openAiWith(key).embeddings.create({ model: modelId, input: 'a' }));
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError);
    expect(failure).toMatchObject({ code: 'model_not_found', param: 'model' });
  });

  it('of the official client generates an image at the price of an image', async () => {
    const caller = await harness.caller();
    const answer = await caller.openai.images.generate({ model: 'gpt-image-1', prompt: 'a cat' });
    expect(Buffer.from(answer.data![0]!.b64_json!, 'base64').subarray(1, 4).toString()).toBe('PNG');

    expect(await harness.usedBy(caller)).toBe(LIMITS.imageCost);
  });

  it('for an image passes on what changes the image, and counts it in the idempotency', async () => {
    const caller = await harness.caller();
    const options = { size: '1024x1024', quality: 'low', background: 'transparent', output_compression: 80 } as const;
    const image = { model: 'gpt-image-1', prompt: 'a cat', ...options };
    await caller.openai.images.generate({ ...image, user: 'end user', stream: false });
    const { model: _model, ...sent } = harness.upstream.callsOf('images').at(-1)!.body;
    expect(sent).toEqual({ prompt: 'a cat', n: 1, ...options });
    const headers = { 'Idempotency-Key': 'one image' };
    const again = (fields: object) =>
      harness.post(caller.key, { ...image, ...fields }, headers, '/api/v1/images/generations');
    expect((await again({})).status).toBe(200);
    expect((await again({ size: '1536x1024' })).status).toBe(409);
  });

  it.each([
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: undefined }],
    ['n', { n: 2 }],
    ['response_format', { response_format: 'url' }],
    ['size', { size: 7 }],
    ['quality', { quality: 'x y' }],
    ['output_compression', { output_compression: '80' }],
    ['stream', { stream: true }],
  ])('for an image is refused by the name of a wrong field: %s', async (param, fields) => {
    const caller = await harness.caller();
    const answer = await harness.post(caller.key, { prompt: 'a cat', ...fields }, {}, '/api/v1/images/generations');
    expect([answer.status, errorIn(answer.body).param]).toEqual([400, param]);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('for an image goes to a connection with any other model, at the price of an image', async () => {
    const caller = await harness.caller();
    const headers = { 'Idempotency-Key': 'another model' };
    const generate = (fields: object) =>
      harness.post(caller.key, { prompt: 'a cat', ...fields }, headers, '/api/v1/images/generations');
    const first = await generate({ model: 'dall-e-3', quality: 'hd' });
    expect([first.status, first.body]).toMatchObject([200, { data: [{ b64_json: PNG_BASE64 }] }]);
    const sent = harness.upstream.callsOf('images');
    expect(sent.at(-1)!.body).toEqual({ model: 'dall-e-3', prompt: 'a cat', n: 1, quality: 'hd' });
    expect((await generate({ model: 'dall-e-3', quality: 'hd' })).body).toEqual(first.body);
    expect(harness.upstream.callsOf('images')).toHaveLength(sent.length);
    expect((await generate({ model: 'dall-e-2', quality: 'hd' })).status).toBe(409);
    expect(await harness.usedBy(caller)).toBe(LIMITS.imageCost);
  });

  it('for an image costs nothing when the upstream refuses the model', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ on: 'images', status: 404, body: '{"error":{"message":"no such model"}}' });
    const body = { prompt: 'a cat', model: 'dall-e-2' };
    const answer = await harness.post(caller.key, body, {}, '/api/v1/images/generations');
    expect([answer.status, errorIn(answer.body).type]).toEqual([502, 'provider_error']);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('for an image respects the rules of a model in the table', async () => {
    const caller = await harness.caller();
    const admin = await harness.admin();
    const named = (id: string) => `${id}/painter-${redis ? 'redis' : 'memory'}`;
    await admin.post('/api/admin/models', { modelId: named('off'), kind: 'image', isEnabled: false });
    await admin.post('/api/admin/models', { modelId: named('gold'), kind: 'image', isPremium: true });
    const answerOf = async (id: string) => {
      const body = { prompt: 'a cat', model: named(id) };
      const answer = await harness.post(caller.key, body, {}, '/api/v1/images/generations');
      return [answer.status, errorIn(answer.body).code];
    };
    expect(await answerOf('off')).toEqual([404, 'model_not_found']);
    expect(await answerOf('gold')).toEqual([404, 'model_not_found']);
    expect(await harness.usedBy(caller)).toBe(0);
  });
});
