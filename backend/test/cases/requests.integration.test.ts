import { OpenAIEmbeddings } from '@langchain/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderConnection } from '@tanya/contract';
import { embed } from 'ai';
import { EMBEDDING_MODEL } from '../public-api/client-cases.js';
import {
  type Caller,
  errorIn,
  type PublicApiHarness,
  startPublicApiHarness,
} from '../public-api/public-api-harness.js';
import type { Script } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { askByApi, askOnPage, bytes, inputOf } from './cases-harness.js';

let harness: PublicApiHarness;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

describe('C5: a refused field that changes nothing', () => {
  interface Refusal {
    status: number;
    body: object;
  }
  const { refusals, otherwise } = inputOf<{ refusals: Refusal[]; otherwise: string[] }>('C5');
  const others: Refusal[] = [
    { status: 400, body: { error: "Unsupported parameter: 'stream_options' is not supported by this model" } },
    {
      status: 400,
      body: { object: 'error', message: '[{"loc":["body","stream_options"],"msg":"extra fields not permitted"}]' },
    },
    { status: 500, body: { message: 'unknown field `stream_options`, expected one of `model`, `messages`' } },
  ];
  const servers: ScriptedUpstream[] = [];

  afterAll(() => Promise.all(servers.map((server) => server.close())));

  it.each([...refusals, ...others].map((refusal) => [JSON.stringify(refusal.body), refusal] as const))(
    'is left out, and again without a second call: %s',
    async (_name, { status, body }) => {
      const refused: Script = { status, body: JSON.stringify(body) };
      const server = await startUpstream({
        choose: (_text, sent) => ('stream_options' in sent ? refused : bytes(otherwise)),
      });
      servers.push(server);
      const admin = await harness.admin();
      const modelId = `scripted/c5-${servers.length}`;
      const connection = { kind: 'compatible', name: `C5 ${servers.length}`, baseUrl: server.url };
      const { id: connectionId } = (await admin.post<ProviderConnection>('/api/admin/connections', connection)).body;
      await admin.post('/api/admin/models', { modelId, connectionId, isApiEnabled: true });
      const member = await harness.memberPage();
      const first = await askOnPage(harness, member, {}, { model: modelId });
      expect(first).toMatchObject({ message: { status: 'complete', content: 'Answer.' }, charged: 1 });
      expect(server.callsOf()).toHaveLength(2);
      const second = await askOnPage(harness, member, {}, { model: modelId });
      expect(second).toMatchObject({ message: { status: 'complete', content: 'Answer.' }, charged: 1 });
      expect(server.callsOf()).toHaveLength(3);
      const caller = await harness.caller();
      const answer = await askByApi(harness, caller, {}, { model: modelId });
      expect(answer).toMatchObject({ text: 'Answer.', finish: 'stop', charged: 1 });
      expect(answer.usage!.completion_tokens).toBeGreaterThan(0);
      expect(server.callsOf()).toHaveLength(4);
    },
  );
});

describe('D1: embeddings', () => {
  type Answers = Record<'float' | 'base64' | 'errorIn200', object>;
  const { upstreamAnswers } = inputOf<{ upstreamAnswers: Answers }>('D1');
  const VECTOR = [0.5, -0.25, 0.125, 1];
  const BASE64 = 'AAAAPwAAgL4AAAA+AACAPw==';
  let caller: Caller;

  beforeAll(async () => {
    caller = await harness.caller();
  });

  const script = (form: keyof Answers) =>
    harness.upstream.script({ on: 'embeddings', body: JSON.stringify(upstreamAnswers[form]) });

  it.each<[keyof Answers, object, unknown]>([
    ['float', {}, VECTOR],
    ['float', { encoding_format: 'base64' }, BASE64],
    ['float', { encoding_format: 'float' }, VECTOR],
    ['base64', { encoding_format: 'float' }, VECTOR],
    ['base64', { encoding_format: 'base64' }, BASE64],
    ['base64', {}, VECTOR],
  ])('of a server that answers in %s, to %j', async (form, fields, vector) => {
    script(form);
    const request = { model: EMBEDDING_MODEL, input: 'x', ...fields };
    const { body } = await harness.post(caller.key, request, {}, '/api/v1/embeddings');
    expect(body).toMatchObject({ data: [{ embedding: vector }] });
  });

  it.each(['float', 'base64'] as const)('reach every client as numbers, from a server with %s', async (form) => {
    const baseURL = `${harness.url}/api/v1`;
    const clients: (() => Promise<number[]>)[] = [
      async () => (await caller.openai.embeddings.create({ model: EMBEDDING_MODEL, input: 'x' })).data[0]!.embedding,
      () =>
        new OpenAIEmbeddings({ model: EMBEDDING_MODEL, apiKey: caller.key, configuration: { baseURL } }).embedQuery(
          'x',
        ),
      async () => {
        const provider = createOpenAICompatible({ name: 'tanya', baseURL, apiKey: caller.key });
        return (await embed({ model: provider.embeddingModel(EMBEDDING_MODEL), value: 'x' })).embedding;
      },
    ];
    for (const read of clients) {
      script(form);
      expect(await read()).toEqual(VECTOR);
    }
  });

  it('that are an error in a success are an error, free', async () => {
    const used = await harness.usedBy(caller);
    script('errorIn200');
    const request = { model: EMBEDDING_MODEL, input: 'x' };
    const { status, body } = await harness.post(caller.key, request, {}, '/api/v1/embeddings');
    expect(status).toBeGreaterThanOrEqual(500);
    expect(errorIn(body).type).toBe('provider_error');
    expect(await harness.usedBy(caller)).toBe(used);
  });
});
