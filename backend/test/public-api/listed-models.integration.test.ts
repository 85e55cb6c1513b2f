import type { AdminModel, ModelKind, ModelList, PublicModel } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { audioForm } from '../harness/uploads.js';
import { type Caller, errorIn, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const CHAT = ['chat', 'chat/completions', 'responses'] as const;
const CALLS = [...CHAT, 'embeddings', 'images/generations', 'audio/transcriptions'] as const;
type Call = (typeof CALLS)[number];

const KIND_OF: Record<Call, ModelKind> = {
  chat: 'chat',
  'chat/completions': 'chat',
  responses: 'chat',
  embeddings: 'embedding',
  'images/generations': 'image',
  'audio/transcriptions': 'transcription',
};

const KINDS: ModelKind[] = ['chat', 'image', 'embedding', 'transcription'];

const NOT_FOUND = [404, 'model_not_found', 'model'];

describe.each(ADAPTERS)('on the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;
  let admin: HttpClient;
  let caller: Caller;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
    admin = await harness.admin();
    for (const kind of KINDS) {
      await list({ modelId: `acme/${kind}`, kind });
      await list({ modelId: `acme/premium-${kind}`, kind, isPremium: true });
      await list({ modelId: `acme/disabled-${kind}`, kind, isEnabled: false });
      await list({ modelId: `acme/closed-${kind}`, kind, isApiEnabled: false });
    }
    await list({ modelId: 'acme/premium', isPremium: true });
  });

  beforeEach(async () => {
    caller = await harness.caller();
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  async function list(fields: object): Promise<AdminModel> {
    const answer = await admin.post<AdminModel>('/api/admin/models', fields);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  const send = (call: Call, model: string) => {
    const headers = { Authorization: `Bearer ${caller.key}` };
    const path = `/api/v1/${call}`;
    if (call === 'audio/transcriptions') {
      const form = audioForm({ model });
      return harness.client().send<unknown>('POST', path, { raw: form, headers });
    }
    const content = call === 'images/generations' ? { prompt: 'x' } : call.startsWith('chat') ? {} : { input: 'x' };
    const messages = call.startsWith('chat') ? { messages: [{ role: 'user', content: 'x' }] } : {};
    return harness.client().post<unknown>(path, { model, ...content, ...messages }, { headers });
  };

  /** Refused before any provider is asked, and free. */
  async function expectUnknown(call: Call, model: string): Promise<void> {
    const asked = harness.upstream.calls.length;
    const answer = await send(call, model);
    const { code, param } = errorIn(answer.body);
    expect([call, model, answer.status, code, param]).toEqual([call, model, ...NOT_FOUND]);
    expect(harness.upstream.calls).toHaveLength(asked);
    expect(await harness.usedBy(caller)).toBe(0);
  }

  it.each(CALLS)('%s reaches listed models of its kind alone', async (call) => {
    for (const kind of KINDS) {
      if (kind === KIND_OF[call]) expect([call, (await send(call, `acme/${kind}`)).status]).toEqual([call, 200]);
    }
    caller = await harness.caller();
    for (const kind of KINDS) if (kind !== KIND_OF[call]) await expectUnknown(call, `acme/${kind}`);
  });

  it.each(CALLS)('%s refuses unlisted models, and other spellings of listed ones (KEY-8)', async (call) => {
    const kind = KIND_OF[call];
    const listed = `acme/${kind}`;
    const spellings = [listed.toUpperCase(), `Acme/${kind}`, `${listed}:nitro`, `${listed}:free`, `${listed} `];
    const blanks = [` ${listed}`, `${listed}\t`, `acme/ ${kind}`, `\u00a0${listed}`, `/${listed}`, kind, ' '];
    const others = ['never/added', `acme/premium-${kind}:nitro`, `acme/premium-${kind} `, `ACME/premium-${kind}`];
    for (const model of [...spellings, ...blanks, ...others]) await expectUnknown(call, model);
  });

  it.each(CALLS)('%s refuses disabled and closed models like unknown ones', async (call) => {
    await expectUnknown(call, `acme/disabled-${KIND_OF[call]}`);
    await expectUnknown(call, `acme/closed-${KIND_OF[call]}`);
  });

  it.each(CALLS)('%s knows no premium models for free members, and answers premium ones (AZ-11)', async (call) => {
    const model = `acme/premium-${KIND_OF[call]}`;
    await expectUnknown(call, model);
    caller = await harness.caller({ isPremium: true });
    expect((await send(call, model)).status).toBe(200);
  });

  it('no call of a free member reaches a model that no admin has added (KEY-8)', async () => {
    for (const call of ['embeddings', 'images/generations', 'audio/transcriptions'] as const) {
      for (const model of ['never/added', 'ACME/premium', 'acme/premium:nitro', 'acme/premium ', 'acme/premium'])
        await expectUnknown(call, model);
    }
  });

  it('the list has the models of every kind', async () => {
    const headers = { Authorization: `Bearer ${caller.key}` };
    const { body } = await harness.client().get<ModelList>('/api/v1/models', { headers });
    const ids = body.data.map(({ id }) => id);
    for (const kind of KINDS) {
      expect(ids).toContain(`acme/${kind}`);
      expect(ids).not.toContain(`acme/disabled-${kind}`);
      expect(ids).not.toContain(`acme/closed-${kind}`);
      expect((await harness.client().get(`/api/v1/models/acme/${kind}`, { headers })).status).toBe(200);
      expect((await harness.client().get(`/api/v1/models/acme/${kind}%20`, { headers })).status).toBe(404);
    }
  });

  it('gpt-image-1 is listed under either of its names', async () => {
    expect((await send('images/generations', 'gpt-image-1')).status).toBe(200);
    const other = await list({ modelId: 'gpt-image-1', isApiEnabled: false });
    caller = await harness.caller();
    await expectUnknown('images/generations', 'gpt-image-1');
    expect((await send('images/generations', 'openai/gpt-image-1')).status).toBe(200);
    await admin.delete(`/api/admin/models/${other.id}`);
  });

  it('a model that is listed while it runs is answered, and refused again after its deletion', async () => {
    await expectUnknown('embeddings', 'later/embedder');
    const { id, kind, isKindGuessed } = await list({ modelId: 'later/text-embedding' });
    expect([kind, isKindGuessed]).toEqual(['embedding', true]);
    expect((await send('embeddings', 'later/text-embedding')).status).toBe(200);
    await admin.patch(`/api/admin/models/${id}`, { kind: 'chat' });
    caller = await harness.caller();
    await expectUnknown('embeddings', 'later/text-embedding');
    await admin.delete(`/api/admin/models/${id}`);
    await expectUnknown('chat', 'later/text-embedding');
  });

  it('chats of the page reach models for chat and images alone', async () => {
    const { client } = await harness.member();
    const say = (model: string) =>
      client.post('/api/chat/message', { content: JSON.stringify({ text: 'Hi' }), model, threadId: null });
    expect((await say('acme/chat')).status).toBe(201);
    expect((await say('acme/image')).status).toBe(201);
    const unknown = errorOf(await say('never/added'));
    for (const kind of ['embedding', 'transcription']) {
      const asked = harness.upstream.calls.length;
      expect(errorOf(await say(`acme/${kind}`))).toMatchObject({ code: unknown.code, message: unknown.message });
      expect(harness.upstream.calls).toHaveLength(asked);
    }
    const { body: models } = await client.get<PublicModel[]>('/api/models');
    const kinds = models.map(({ kind }) => KINDS.indexOf(kind));
    expect(kinds).toEqual(kinds.toSorted((a, b) => a - b));
    expect(models.find(({ modelId }) => modelId === 'acme/image')).toMatchObject({ isImage: true, messageCost: 7 });
    expect((await client.get<{ used: number }>('/api/user/quota')).body.used).toBe(1 + 7);
  });
});
