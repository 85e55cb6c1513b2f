import { randomUUID } from 'node:crypto';
import type {
  AdminModel,
  GenerationStarted,
  Message,
  ProviderConnection,
  PublicModel,
  ReasoningEffort,
} from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import type { Script } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { dataOf, refusalOf } from '../harness/socket-client.js';
import { waitUntil } from '../harness/wait-until.js';

const CONNECTIONS = '/api/admin/connections';
const KEY = 'sk-of-the-other-server-5678';
const NEUTRAL = 'The model is not available right now (configuration). Please contact the administrator.';

let harness: ChatHarness;
let other: ScriptedUpstream;
let admin: HttpClient;
let adminPage: MemberPage;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  other = await startUpstream({ words: 5 });
  admin = await harness.admin();
});

beforeEach(async () => {
  adminPage = await harness.memberPage({ isAdmin: true });
  member = await harness.memberPage({ isPremium: true });
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await other.close();
});

let count = 0;
async function connect(fields: object = {}): Promise<ProviderConnection> {
  const name = `Server ${(count += 1)}`;
  const body = { kind: 'compatible', name, baseUrl: other.url, apiKey: KEY, ...fields };
  const answer = await admin.post<ProviderConnection>(CONNECTIONS, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function modelOn(connectionId: number | null, fields: object = {}): Promise<AdminModel> {
  const modelId = `other/model-${(count += 1)}`;
  const answer = await admin.post<AdminModel>('/api/admin/models', { modelId, connectionId, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
}

const ask = async ({ page }: MemberPage, model: string, more: object = {}): Promise<Message> => {
  const { generationId } = await page.start('hello', { model, ...more });
  return (await page.ended(generationId)).message;
};

const read = async (id: number): Promise<ProviderConnection> =>
  (await admin.get<ProviderConnection[]>(CONNECTIONS)).body.find((each) => each.id === id)!;

const refusing = (status: number): Script => ({ status, body: JSON.stringify({ error: { message: `no ${KEY}` } }) });

describe('a model with a connection', () => {
  it('is answered by that connection alone, under its whole id', async () => {
    const { id } = await connect();
    const { modelId } = await modelOn(id);
    const before = harness.upstream.callsOf().length;
    expect((await ask(member, modelId)).status).toBe('complete');
    expect(other.callsOf().at(-1)).toMatchObject({
      body: { model: modelId },
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(harness.upstream.callsOf()).toHaveLength(before);
    await waitUntil('the recorded outcome', async () => (await read(id)).lastSuccess !== null);
  });

  it('is refused while the connection is disabled, and does not fall back to another provider', async () => {
    const { id } = await connect();
    const { modelId } = await modelOn(id);
    await admin.patch(`${CONNECTIONS}/${id}`, { enabled: false });
    expect(refusalOf(await member.page.tryStart('x', { model: modelId }))).toMatchObject({ code: 'model_unavailable' });
    await admin.patch(`${CONNECTIONS}/${id}`, { enabled: true });
    expect((await ask(member, modelId)).status).toBe('complete');
  });

  it('finishes a running answer with the old key while an admin changes it', async () => {
    const { id } = await connect();
    const { modelId } = await modelOn(id);
    let resume = (): void => undefined;
    const pause = new Promise<void>((resolve) => (resume = resolve));
    other.script({ steps: [{ text: 'one ' }, { wait: pause }, { text: 'two' }, { finish: 'stop' }, { done: true }] });
    const { generationId } = await member.page.start('hello', { model: modelId });
    await member.page.firstText(generationId);
    await admin.patch(`${CONNECTIONS}/${id}`, { apiKey: 'sk-the-new-key' });
    resume();
    expect((await member.page.ended(generationId)).message).toMatchObject({ status: 'complete', content: 'one two' });
    await ask(member, modelId);
    expect(other.callsOf().at(-1)!.headers.authorization).toBe('Bearer sk-the-new-key');
  });

  it('tells the inputs of models that were added before its list was read, and leaves those that an admin gave', async () => {
    const { id } = await connect();
    const models = ['maker/early', 'maker/given', 'maker/elsewhere'];
    const add = (modelId: string, more: object) => admin.post<AdminModel>('/api/admin/models', { modelId, ...more });
    await add('maker/early', { connectionId: id });
    await add('maker/given', { connectionId: id, inputModalities: ['text'] });
    await add('maker/elsewhere', {});
    other.script({
      on: 'models',
      body: JSON.stringify({
        data: models.map((model) => ({ id: model, architecture: { input_modalities: ['text', 'image'] } })),
      }),
    });
    await admin.get(`${CONNECTIONS}/${id}/models`);
    const { body } = await admin.get<PublicModel[]>('/api/models');
    const seen = models.map((model) => body.find(({ modelId }) => modelId === model)?.vision);
    expect(seen).toEqual([true, false, null]);
  });

  it('lists its models for the import with what the server reports', async () => {
    const { id } = await connect();
    other.script({
      on: 'models',
      body: JSON.stringify({
        data: [
          {
            id: 'anthropic/claude-x',
            name: 'Anthropic: Claude X',
            context_length: 200_000,
            architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
            pricing: { prompt: '0.000003', completion: '-1', request: '0', web_search: '1e-2', image: 'much' },
            supported_parameters: ['tools', 'reasoning'],
            reasoning: { supported_efforts: ['high', 'low', 'future'] },
          },
        ],
      }),
    });
    const { body } = await admin.get<{ data: unknown[] }>(`${CONNECTIONS}/${id}/models`);
    const reported = {
      pricing: { prompt: '0.000003', request: '0', search: '0.01' },
      inputModalities: ['text', 'image'],
      outputModalities: ['text'],
      supportedParameters: ['tools', 'reasoning'],
      reasoningEfforts: ['low', 'high'],
    };
    expect(body.data).toEqual([
      { id: 'anthropic/claude-x', name: 'Anthropic: Claude X', context_length: 200_000, ...reported },
    ]);
    const imported = await admin.post<AdminModel>('/api/admin/models', {
      modelId: 'anthropic/claude-x',
      name: 'Anthropic: Claude X',
      connectionId: id,
    });
    expect(imported.body).toMatchObject({
      provider: 'anthropic',
      displayName: 'Claude X',
      displayProvider: 'Anthropic',
      contextLength: 200_000,
      ...reported,
    });
    const { body: models } = await member.client.get<object[]>('/api/models');
    expect(models).toContainEqual(
      expect.objectContaining({
        modelId: 'anthropic/claude-x',
        name: 'Claude X',
        provider: 'Anthropic',
        vision: true,
        messageCost: 1,
        reasoningEfforts: ['low', 'high'],
      }),
    );
  });
});

describe('a connection that fails', () => {
  it('shows its cause to admins and the neutral sentence to members', async () => {
    const { id, name } = await connect();
    const { modelId } = await modelOn(id);
    other.script(refusing(401), refusing(401));
    const shown = await ask(adminPage, modelId);
    expect(shown.error).toMatchObject({
      code: 'provider_auth',
      message: NEUTRAL,
      cause: `${name}: The provider refused the API key. no …`,
    });
    const hidden = await ask(member, modelId);
    expect(hidden.error).toMatchObject({ code: 'provider_auth', message: NEUTRAL });
    expect(hidden.error).not.toHaveProperty('cause');
    expect(JSON.stringify([shown, hidden])).not.toContain(KEY);
  });

  it('is recorded for all nodes, and its next success at once', async () => {
    const { id } = await connect();
    const { modelId } = await modelOn(id);
    other.script(refusing(402));
    await ask(member, modelId);
    await waitUntil('the recorded outcome', async () => (await read(id)).lastError !== null);
    const failed = await read(id);
    expect(failed.lastError).toMatchObject({
      code: 'provider_credit',
      message: 'The provider account has no credit left.',
    });
    expect(failed.lastSuccess).toBeNull();
    await ask(member, modelId);
    await waitUntil('the recorded outcome', async () => (await read(id)).lastSuccess !== null);
  });

  it('is not recorded for a request that the server refuses', async () => {
    const { id } = await connect();
    const { modelId } = await modelOn(id);
    other.script(refusing(400));
    expect((await ask(member, modelId)).error?.code).toBe('provider_refused');
    await ask(member, modelId);
    await waitUntil('the recorded outcome', async () => (await read(id)).lastSuccess !== null);
    expect((await read(id)).lastError).toBeNull();
  });

  it('is written at intervals, not once an answer', async () => {
    const { id } = await connect();
    const { modelId } = await modelOn(id);
    await ask(member, modelId);
    await waitUntil('the recorded outcome', async () => (await read(id)).lastSuccess !== null);
    const { lastSuccess } = await read(id);
    await ask(member, modelId);
    await ask(member, modelId);
    expect((await read(id)).lastSuccess).toBe(lastSuccess);
  });
});

describe('the reasoning effort', () => {
  const reasoning = (connectionId: number | null, reasoningEfforts: ReasoningEffort[] = ['low', 'high']) =>
    modelOn(connectionId, { reasoningEfforts });

  it('reaches OpenRouter as `reasoning` and other servers as `reasoning_effort`', async () => {
    const [openrouter, compatible] = [await connect({ kind: 'openrouter' }), await connect()];
    await ask(member, (await reasoning(openrouter.id)).modelId, { reasoningEffort: 'high' });
    expect(other.callsOf().at(-1)!.body).toMatchObject({ reasoning: { effort: 'high' } });
    expect(other.callsOf().at(-1)!.body).not.toHaveProperty('reasoning_effort');
    await ask(member, (await reasoning(compatible.id)).modelId, { reasoningEffort: 'low' });
    expect(other.callsOf().at(-1)!.body).toMatchObject({ reasoning_effort: 'low' });
    await ask(member, (await reasoning(compatible.id)).modelId);
    expect(other.callsOf().at(-1)!.body).not.toHaveProperty('reasoning_effort');
  });

  it('is refused when the model does not support it', async () => {
    const { modelId } = await reasoning(null);
    const plain = await modelOn(null);
    const refused: [string, unknown][] = [
      [modelId, 'medium'],
      [modelId, 'enormous'],
      [modelId, 7],
      [plain.modelId, 'low'],
    ];
    for (const [model, reasoningEffort] of refused) {
      const fields = { model, reasoningEffort: reasoningEffort as ReasoningEffort };
      const expected = { code: 'invalid', statusCode: 400, details: [{ field: 'reasoningEffort' }] };
      expect(refusalOf(await member.page.tryStart('x', fields))).toMatchObject(expected);
      expect(errorOf(await member.client.post('/api/chat/message', { content: 'x', ...fields }))).toMatchObject(
        expected,
      );
    }
    expect((await member.client.get<{ used: number }>('/api/user/quota')).body.used).toBe(0);
  });

  it('is taken over by another answer to the same message', async () => {
    const { modelId } = await reasoning(null);
    const answered = await member.client.post<{ aiMessage: Message }>('/api/chat/message', {
      content: 'hello',
      model: modelId,
      reasoningEffort: 'low',
    });
    expect(answered.status).toBe(201);
    const again = async (fields: object) => {
      const payload = { clientMessageId: randomUUID(), messageId: answered.body.aiMessage.id, ...fields };
      const { generationId } = dataOf(await member.page.ask<GenerationStarted>('generation:regenerate', payload));
      await member.page.ended(generationId);
      return harness.upstream.callsOf().at(-1)!.body['reasoning_effort'];
    };
    expect(await again({})).toBe('low');
    expect(await again({ reasoningEffort: 'high' })).toBe('high');
    expect(await again({ model: (await reasoning(null, ['high'])).modelId })).toBeUndefined();
  });
});
