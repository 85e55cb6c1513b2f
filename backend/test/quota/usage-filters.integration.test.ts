import type { AdminModel, ProviderConnection, UsageReport } from '@tanya/contract';
import { UsageRollup } from '../../src/quota/usage/usage-rollup.service.js';
import { type HttpClient, refusedField } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

const DAY = '2026-03-02';

let server: TestApp;
let admin: HttpClient;
let connection: ProviderConnection;
let userId: number;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
  userId = (await server.member({ username: 'filtered' })).user.id;
  const body = { kind: 'compatible', name: 'Filtered', baseUrl: 'http://127.0.0.1:9/v1' };
  connection = (await admin.post<ProviderConnection>('/api/admin/connections', body)).body;
  const model = { modelId: 'filter/one', name: 'Filter One', connectionId: connection.id };
  await admin.post<AdminModel>('/api/admin/models', model);
  // Hours 3 and 17 of a day: the member's by page and by key, a guest's, one of the site, one of unknown cost.
  await server.dataSource.query(
    `insert into usage_record (owner, user_id, period, model_id, cost, state, reason, prompt_tokens, cost_usd, cost_source, plan,
       channel, api_key_id, generation_id, settled_at) values
     ('user:${userId}', ${userId}, 'ever', 'filter/one', 1, 'charged', 'complete', 10, 0.5, 'provider', 'free', 'web', null, gen_random_uuid(), '${DAY}T03:10:00Z'),
     ('user:${userId}', ${userId}, 'ever', 'filter/two', 1, 'charged', 'complete', 20, null, 'unknown', 'free', 'api', 77, gen_random_uuid(), '${DAY}T17:10:00Z'),
     ('guest:g1', null, 'ever', 'filter/one', 1, 'charged', 'complete', 40, 0.25, 'estimate', 'guest', 'web', null, gen_random_uuid(), '${DAY}T17:50:00Z'),
     ('site', null, 'ever', 'filter/one', 0, 'charged', 'complete', 80, 0.125, 'catalogue', 'site', 'site', null, null, '${DAY}T17:55:00Z')`,
  );
});

afterAll(() => server.close());

const report = async (query: string): Promise<UsageReport> => {
  const answer = await admin.get<UsageReport>(`/api/admin/usage?from=2026-03-01&to=2026-03-03&${query}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body;
};

const CASES: [filter: () => string, generations: number, promptTokens: number, costUsd: string][] = [
  [() => `userId=${userId}`, 2, 30, '0.5'],
  [() => 'keyId=77', 1, 20, '0'],
  [() => 'modelId=filter/one', 2, 130, '0.875'],
  [() => `connectionId=${connection.id}`, 2, 130, '0.875'],
  [() => 'plan=guest', 1, 40, '0.25'],
  [() => 'channel=web', 2, 50, '0.75'],
  [() => `userId=${userId}&modelId=filter/one`, 1, 10, '0.5'],
  [() => `connectionId=${connection.id}&modelId=filter/two`, 0, 0, '0'],
  [() => 'modelId=unknown', 0, 0, '0'],
];

describe.each(['before', 'after'])('a filtered report %s the rollup', (moment) => {
  beforeAll(() => (moment === 'after' ? server.app.get(UsageRollup).rollUp() : undefined));

  it.each(CASES)('%#', async (filter, generations, promptTokens, costUsd) => {
    const shown = await report(filter());
    expect(shown.totals).toMatchObject({ generations, promptTokens, costUsd });
    const ofDay = (await admin.get<UsageReport>(`/api/admin/usage?from=${DAY}&to=${DAY}&${filter()}`)).body;
    expect(ofDay.totals).toMatchObject({ generations, promptTokens, costUsd });
  });

  it('lists the people and keys of the part, and the site apart', async () => {
    const shown = await report('modelId=filter/one');
    expect(shown.topPeople.map(({ owner }) => owner)).toEqual([`user:${userId}`, 'guest:g1']);
    expect(shown.totals.people).toBe(2);
    expect(shown.site).toMatchObject({ promptTokens: 80, costUsd: '0.125' });
    expect((await report(`userId=${userId}`)).topKeys.map(({ apiKeyId }) => apiKeyId)).toEqual([77]);
  });
});

it('draws one day in hours', async () => {
  const { body } = await admin.get<UsageReport>(`/api/admin/usage?from=${DAY}&to=${DAY}`);
  expect(body.step).toBe('hour');
  expect(body.byChannel.map(({ day, name }) => [day, name])).toEqual([
    [`${DAY}T03:00`, 'web'],
    [`${DAY}T17:00`, 'api'],
    [`${DAY}T17:00`, 'site'],
    [`${DAY}T17:00`, 'web'],
  ]);
});

it.each(['userId=x', 'userId=0', 'keyId=-1', 'connectionId=1.5', 'plan=vip', 'channel=fax', 'userId=99999999999'])(
  'refuses %s',
  async (query) => {
    const answer = await admin.get(`/api/admin/usage?${query}`);
    expect([answer.status, refusedField(answer)]).toEqual([400, query.split('=')[0]]);
    expect((await admin.get(`/api/admin/usage.csv?${query}`)).status).toBe(400);
  },
);

const csv = async (query: string): Promise<string[][]> => {
  const answer = await fetch(`${server.url}/api/admin/usage.csv?from=${DAY}&to=${DAY}&${query}`, {
    headers: { Cookie: admin.cookieHeader },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  return bytes
    .toString()
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
};

it('writes one row for each generation, with cost and its source, and names beside ids', async () => {
  const [head, ...rows] = await csv('detail=true');
  const at = (row: string[], name: string) => row[head!.indexOf(name)];
  expect(rows).toHaveLength(4);
  const [first, second, third] = rows as [string[], string[], string[]];
  expect([at(first, 'username'), at(first, 'model'), at(first, 'model_name')]).toEqual([
    'filtered',
    'filter/one',
    'Filter One',
  ]);
  expect([at(first, 'cost_usd'), at(first, 'cost_source')]).toEqual(['0.5', 'provider']);
  expect([at(second, 'cost_usd'), at(second, 'cost_source'), at(second, 'api_key_id')]).toEqual(['', 'unknown', '77']);
  expect([at(third, 'cost_usd'), at(third, 'cost_source')]).toEqual(['0.25', 'estimate']);
});

it('filters its files', async () => {
  expect(await csv('keyId=77')).toHaveLength(2);
  expect(await csv('detail=true&plan=guest')).toHaveLength(2);
  const [head, row] = await csv('keyId=77');
  expect(row![head!.indexOf('cost_usd')]).toBe('');
});
