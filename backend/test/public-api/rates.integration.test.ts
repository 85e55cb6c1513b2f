import type { AdminApiKey, CreatedApiKey } from '@tanya/contract';
import { startTwoNodes, type TwoNodes } from '../chat/nodes/two-nodes.js';
import { audioForm } from '../harness/uploads.js';
import type { Answer, HttpClient } from '../harness/http-client.js';
import { eventually } from '../harness/wait-until.js';
import { ask, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

let harness: PublicApiHarness;
let admin: HttpClient;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  admin = await harness.admin();
});

afterEach(() => setRates({}));

afterAll(() => harness.close());

const NONE = { free: -1, premium: -1 };

const setRates = (rates: object) =>
  admin.patch('/api/admin/general-settings', { apiRequestsPerMinute: NONE, apiTokensPerMinute: NONE, ...rates });

const headersOf = ({ headers }: Answer<unknown>, unit: string) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}-${unit}`));

const SECONDS = expect.stringMatching(/^([1-9]|[1-5]\d|60)s$/) as string;

const MESSAGES = [{ role: 'user', content: 'Hello' }];

/** Every call that asks a model. */
const TRANSPORTS: [path: string, body: unknown][] = [
  ['/api/v1/chat', ask('Hello')],
  ['/api/v1/chat/completions', ask('Hello')],
  ['/api/v1/chat/completions', { ...ask('Hello'), stream: true }],
  ['/api/v1/responses', { model: MODEL, input: 'Hello' }],
  ['/api/v1/responses/compact', { model: MODEL, input: 'Hello' }],
  ['/api/v1/responses/input_tokens', { model: MODEL, input: 'Hello' }],
  ['/api/v1/messages', { model: MODEL, max_tokens: 100, messages: MESSAGES }],
  ['/api/v1/messages/count_tokens', { model: MODEL, messages: MESSAGES }],
  ['/api/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hello' }],
  ['/api/v1/images/generations', { prompt: 'a cat' }],
];

describe('a rate of calls', () => {
  it.each(TRANSPORTS)('bounds %s, and its headers tell it, case %# (KEY-11)', async (path, body) => {
    const { key } = await harness.caller();
    await setRates({ apiRequestsPerMinute: { free: 1, premium: -1 } });
    const answer = await harness.post(key, body, {}, path);
    expect([answer.status, headersOf(answer, 'requests')]).toEqual([200, ['1', '0', SECONDS]]);
    const refused = await harness.post(key, body, {}, path);
    expect([refused.status, headersOf(refused, 'requests')]).toEqual([429, ['1', '0', SECONDS]]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('Too many requests');
  });

  it('bounds transcriptions', async () => {
    const { key } = await harness.caller();
    await setRates({ apiRequestsPerMinute: { free: 0, premium: -1 } });
    const headers = { Authorization: `Bearer ${key}` };
    const refused = await harness
      .client()
      .post('/api/v1/audio/transcriptions', undefined, { headers, raw: audioForm() });
    expect([refused.status, errorIn(refused.body).code]).toEqual([429, 'rate_limit_exceeded']);
  });

  it('counts all keys of a member together, one with a rate of its own alone; lists do not count', async () => {
    const { key, client, user } = await harness.caller();
    const other = (await client.post<CreatedApiKey>('/api/user/keys', { name: 'other' })).body;
    const limited = (await client.post<CreatedApiKey>('/api/user/keys', { name: 'limited' })).body;
    await setRates({ apiRequestsPerMinute: { free: 2, premium: -1 } });
    const limit = (id: number, requestsPerMinute: number) =>
      admin.patch(`/api/admin/keys/${id}`, { requestsPerMinute });
    expect((await limit(limited.id, 1)).status).toBe(200);
    const status = async (secret: string) => (await harness.post(secret, ask('Hello'))).status;
    expect([await status(key), await status(other.key), await status(key)]).toEqual([200, 200, 429]);
    expect([await status(limited.key), await status(limited.key)]).toEqual([200, 429]);
    // Unlimited by an admin, whatever the plan.
    await limit(limited.id, -1);
    expect(await status(limited.key)).toBe(200);
    for (let call = 0; call < 3; call += 1)
      expect((await harness.client().get('/api/v1/models', { headers: { 'x-api-key': other.key } })).status).toBe(200);
    const { body } = await admin.get<AdminApiKey[]>(`/api/admin/keys?userId=${user.id}`);
    expect(body.map(({ requestsPerMinute }) => requestsPerMinute)).toEqual([-1, null, null]);
  });

  it('is off without a number: the headers tell the quota', async () => {
    const { key } = await harness.caller();
    const answer = await harness.post(key, ask('Hello'));
    expect(headersOf(answer, 'requests')).toEqual(['100', '99', null]);
    expect(headersOf(answer, 'tokens')).toEqual([null, null, null]);
  });
});

describe('a rate of tokens', () => {
  it('refuses calls once the tokens of the minute are used, and its headers tell it (KEY-11)', async () => {
    const { key } = await harness.caller();
    await setRates({ apiTokensPerMinute: { free: 5, premium: -1 } });
    const answer = await harness.post(key, ask('a question of some words'));
    expect([answer.status, headersOf(answer, 'tokens')]).toEqual([200, ['5', '5', '0s']]);
    expect(headersOf(answer, 'requests')).toEqual(['100', '99', null]);
    await eventually(async () => {
      const refused = await harness.post(key, ask('again'));
      expect([refused.status, headersOf(refused, 'tokens')]).toEqual([429, ['5', '0', SECONDS]]);
    });
  });
});

describe('a rate over two nodes', () => {
  let nodes: TwoNodes;

  beforeAll(async () => {
    nodes = await startTwoNodes();
  });

  afterAll(() => nodes.close());

  it('counts the calls of both, and each alone while Redis is away (KEY-11)', async () => {
    const boss = await nodes.one.admin();
    await boss.patch('/api/admin/general-settings', { apiRequestsPerMinute: { free: 2, premium: -1 } });
    await eventually(async () => expect(await rateOf(nodes.two)).toBe(2));
    const { client } = await nodes.one.member();
    const { key } = (await client.post<CreatedApiKey>('/api/user/keys', { name: 'program' })).body;
    const headers = { Authorization: `Bearer ${key}` };
    const path = '/api/v1/messages/count_tokens';
    const call = async (node: TwoNodes['one']) =>
      (await node.client().post(path, { model: MODEL, messages: MESSAGES }, { headers })).status;
    expect([await call(nodes.one), await call(nodes.two)]).toEqual([200, 200]);
    expect([await call(nodes.one), await call(nodes.two)]).toEqual([429, 429]);
    await nodes.redis.kill();
    for (const node of [nodes.one, nodes.two])
      expect([await call(node), await call(node), await call(node)]).toEqual([200, 200, 429]);
    await nodes.redis.start();
  });

  /** The rate as a node has read it; the settings reach the other one by the bus. */
  const rateOf = async (node: TwoNodes['one']) => {
    const admin = await node.admin();
    return (await admin.get<Settings>('/api/general-settings')).body.apiRequestsPerMinute.free;
  };
});

interface Settings {
  apiRequestsPerMinute: { free: number };
}
