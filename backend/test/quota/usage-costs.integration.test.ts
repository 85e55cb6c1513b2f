import { DEFAULT_MODEL_ID } from '@tanya/contract';
import { callsOf, registerTools, ScriptedTool, textOf } from '../chat/scripted-tools.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { answerWith, type CostRow, lastRecord, setPrices } from './usage-harness.js';

const PRICES = { prompt: '0.000001', completion: '0.000002', cachedPrompt: '0.0000005', request: '0.01' };

describe('the cost of a generation', () => {
  let harness: ChatHarness;
  let member: MemberPage;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false });
    registerTools(harness, new ScriptedTool('search'));
  });

  beforeEach(async () => {
    member = await harness.memberPage();
    await setPrices(harness, PRICES);
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const recordOf = ({ user }: MemberPage): Promise<CostRow> => lastRecord(harness, `user:${user.id}`);

  const chat = async (text = 'hello', tools?: string[]): Promise<CostRow> => {
    const { generationId } = await member.page.start(text, { tools });
    await member.page.ended(generationId);
    return recordOf(member);
  };

  it('is the figure of the provider, when it reports one', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      cost: 0.000123456789,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    harness.upstream.script(answerWith(usage));
    const record = await chat();
    expect(record).toMatchObject({
      state: 'charged',
      cost_usd: '0.000123456789',
      cost_source: 'provider',
      plan: 'free',
      channel: 'web',
      prompt_tokens: 100,
      completion_tokens: 20,
      cached_tokens: 64,
      reasoning_tokens: 7,
      answering_model: 'maker/model-2026',
    });
    expect(record.total_ms).toBeGreaterThanOrEqual(record.first_token_ms!);
  });

  it('follows the prices of the model otherwise, to the last digit', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 64 } };
    harness.upstream.script(answerWith(usage));
    // 36 × 0.000001 + 64 × 0.0000005 + 20 × 0.000002 + 0.01
    expect(await chat()).toMatchObject({ cost_usd: '0.010108', cost_source: 'catalogue' });
  });

  it('is estimated when the provider reports no usage', async () => {
    harness.upstream.script(answerWith(null, 'nine characters, three a token'));
    const record = await chat();
    expect(record).toMatchObject({ cost_source: 'estimate', completion_tokens: 10 });
    expect(record.cost_usd).toBe(String((record.prompt_tokens! + 20 + 10_000) / 1_000_000));
  });

  it('is recorded for a stopped answer and for one that broke off, which is free of messages', async () => {
    const { generationId } = await member.page.start('stopped [[words=3 stall=2]]');
    await member.page.firstText(generationId);
    await member.page.tryStop(generationId);
    await member.page.ended(generationId);
    const stopped = await recordOf(member);
    expect(stopped).toMatchObject({ state: 'charged', reason: 'stopped', cost_source: 'estimate' });
    expect(Number(stopped.cost_usd)).toBeGreaterThan(0.01);
    harness.upstream.script({ steps: [{ text: 'broken off' }] });
    const broken = await chat();
    expect(broken).toMatchObject({ state: 'released', reason: 'interrupted', cost_source: 'estimate' });
    expect(Number(broken.cost_usd)).toBeGreaterThan(0.01);
  });

  it('is zero for a request that the provider refused', async () => {
    expect(await chat('refused [[status=401]]')).toMatchObject({ state: 'released', cost_usd: '0' });
  });

  it.each([
    ['no price', null],
    ['no price for what was used', { prompt: '0.1' }],
  ])('is unknown for a model with %s', async (_name, pricing) => {
    await setPrices(harness, pricing);
    expect(await chat()).toMatchObject({ cost_usd: null, cost_source: 'unknown', prompt_tokens: 10 });
  });

  it('is zero for a free model', async () => {
    await setPrices(harness, { prompt: '0', completion: '0' });
    expect(await chat()).toMatchObject({ cost_usd: '0', cost_source: 'catalogue' });
  });

  it('adds up the steps of an answer with tools', async () => {
    harness.upstream.script(callsOf('Let me see.', { id: 'a', name: 'search' }), textOf('Found.'));
    // 10 + 20 prompt tokens, 5 + 3 completion tokens and two requests.
    const expected = { prompt_tokens: 30, completion_tokens: 8, cost_usd: '0.020046', cost_source: 'catalogue' };
    expect(await chat('look', ['search'])).toMatchObject(expected);
  });

  it('follows the price at the admission, and every price stays in the history', async () => {
    const release = harness.upstream.hold(answerWith({ prompt_tokens: 1, completion_tokens: 1 }));
    const { generationId } = await member.page.start('slow');
    await setPrices(harness, { prompt: '1', completion: '1' });
    release();
    await member.page.ended(generationId);
    expect(await recordOf(member)).toMatchObject({ cost_usd: '0.010003' });
    const history = await harness.dataSource.query<{ prompt: string | null }[]>(
      'select trim_scale(prompt)::text as prompt from model_price where model_id = $1 order by id desc limit 2',
      [DEFAULT_MODEL_ID],
    );
    expect(history.map(({ prompt }) => prompt)).toEqual(['1', '0.000001']);
  });

  it('of an image is its price, or unknown', async () => {
    const image = async (): Promise<CostRow> => {
      expect((await member.client.post('/api/generate-image', { prompt: 'a harbour' })).status).toBe(200);
      return recordOf(member);
    };
    await setPrices(harness, { image: '0.04' }, 'openai/gpt-image-1');
    expect(await image()).toMatchObject({ cost_usd: '0.04', channel: 'image', first_token_ms: null });
    await setPrices(harness, null, 'openai/gpt-image-1');
    expect(await image()).toMatchObject({ cost_usd: null, cost_source: 'unknown' });
  });

  it('of the API is recorded for answers and embeddings', async () => {
    const { body } = await member.client.post<{ apiKey: string }>('/api/user/apikey/generate');
    const call = async (path: string, payload: object): Promise<CostRow> => {
      const headers = { Authorization: `Bearer ${body.apiKey}` };
      expect((await harness.client().post(path, payload, { headers })).status).toBe(200);
      return recordOf(member);
    };
    const messages = [{ role: 'user', content: 'Hello' }];
    harness.upstream.script(answerWith({ prompt_tokens: 1, completion_tokens: 1, cost: 0.5 }));
    expect(await call('/api/v1/chat/completions', { messages })).toMatchObject({ cost_usd: '0.5', channel: 'api' });
    const usage = { prompt_tokens: 9, total_tokens: 9, cost: 1.8e-7 };
    const data = [{ object: 'embedding', index: 0, embedding: [0.5] }];
    const embeddings = { object: 'list', data, model: 'text-embedding-scripted', usage };
    harness.upstream.script({ on: 'embeddings', body: JSON.stringify(embeddings) });
    const embedded = await call('/api/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hello' });
    expect(embedded).toMatchObject({
      cost_usd: '0.00000018',
      cost_source: 'provider',
      prompt_tokens: 9,
      completion_tokens: 0,
      channel: 'api',
      answering_model: 'text-embedding-scripted',
    });
  });

  it('outlives a deleted account without a trace of it', async () => {
    harness.upstream.script(answerWith({ prompt_tokens: 1, completion_tokens: 1, cost: 0.25 }));
    await chat('remember me not');
    const { generationId } = await member.page.start('running [[words=3 stall=2]]');
    await member.page.firstText(generationId);
    const admin = await harness.admin();
    expect((await admin.delete(`/api/admin/users/${member.user.id}`)).status).toBe(200);
    const rows = await harness.dataSource.query<object[]>(
      `select owner, user_id, generation_id, api_key_id, state, trim_scale(cost_usd)::text as cost_usd from usage_record
       where owner = 'anonymous' and cost_usd = 0.25`,
    );
    const traces = { owner: 'anonymous', user_id: null, generation_id: null, api_key_id: null };
    expect(rows).toEqual([{ ...traces, state: 'charged', cost_usd: '0.25' }]);
    const [{ held }] = await harness.dataSource.query<[{ held: number }]>(
      `select count(*)::int as held from usage_record where owner = 'anonymous' and state = 'held'`,
    );
    expect(held).toBe(0);
  });
});
