import { randomUUID } from 'node:crypto';
import { API_LIMITS, type ResponseObject } from '@tanya/contract';
import { GenerationStore } from '../../src/chat/generation/store/generation-store.js';
import { userOwner } from '../../src/identity/identity.js';
import { ADAPTERS } from '../harness/chat-harness.js';
import { PASSWORD } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';
import { textAnswer } from './client-cases.js';
import { errorIn, MODEL } from './public-api-harness.js';
import { RESPONSES, type ResponsesHarness, startResponsesHarness } from './responses-harness.js';

describe.each(ADAPTERS)('stored responses of the public API, %s', (_name, redis) => {
  let harness: ResponsesHarness;

  beforeAll(async () => {
    harness = await startResponsesHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('stores nothing with store: false', async () => {
    const response = await harness.respondTo({ input: 'hi', store: false });
    expect(response.store).toBe(false);
    expect((await harness.read('GET', response.id)).status).toBe(404);
    const continued = await harness.respond({ input: 'x', previous_response_id: response.id });
    expect(continued.status).toBe(404);
  });

  it('returns 404 for responses of other accounts, also as the previous one (AZ-10)', async () => {
    const other = await harness.caller();
    const mine = await harness.respondTo({ input: 'secret' });
    for (const [method, path] of [
      ['GET', mine.id],
      ['GET', `${mine.id}?stream=true`],
      ['DELETE', mine.id],
      ['GET', `resp_${randomUUID().replaceAll('-', '')}`],
      ['GET', 'resp_x'],
    ] as const) {
      const answer = await harness.read(method, path, other.key);
      expect([answer.status, errorIn(answer.body).code]).toEqual([404, 'not_found']);
    }
    const continued = await harness.post(other.key, { input: 'x', previous_response_id: mine.id }, {}, RESPONSES);
    expect(continued.status).toBe(404);
    expect((await harness.read('GET', mine.id)).status).toBe(200);
  });

  it('have the end of their answer when Postgres was lost for a moment', async () => {
    const member = await harness.caller();
    const store = harness.app.get(GenerationStore);
    const find = store.find.bind(store);
    const lost = new Error('Connection terminated unexpectedly');
    jest
      .spyOn(store, 'find')
      .mockImplementation((owner, id) =>
        owner === userOwner(member.user.id) ? Promise.reject(lost) : find(owner, id),
      );
    harness.upstream.script({ steps: textAnswer('Hello there') });
    const answer = await harness.post(member.key, { input: 'x' }, {}, RESPONSES);
    jest.restoreAllMocks();
    expect(answer.status).toBe(503);
    await harness.settle();
    const [{ id }] = await harness.dataSource.query<[{ id: string }]>(
      'select id from api_response where user_id = $1',
      [member.user.id],
    );
    const { body } = await harness.read('GET', `resp_${id.replaceAll('-', '')}`, member.key);
    expect(body).toMatchObject({
      status: 'completed',
      error: null,
      output: [{ content: [{ text: 'Hello there' }] }],
    });
  });

  it('deletes responses after 30 days, and those of a deleted account', async () => {
    const rowsOf = async (userId: number) =>
      (await harness.dataSource.query<unknown[]>('select 1 from api_response where user_id = $1', [userId])).length;
    const member = await harness.caller();
    await harness.post(member.key, { input: 'old' }, {}, RESPONSES);
    await harness.post(member.key, { input: 'new' }, {}, RESPONSES);
    const { id } = member.user;
    expect(await rowsOf(id)).toBe(2);
    await harness.dataSource.query(
      `update api_response set created_at = now() - interval '31 days' where user_id = $1 and input like '%old%'`,
      [id],
    );
    await waitUntil('the sweep', async () => (await rowsOf(id)) === 1);
    await member.client.send('DELETE', '/api/user', { body: { password: PASSWORD } });
    expect(await rowsOf(id)).toBe(0);
  });

  /** Inserts finished responses, the first one the oldest. */
  const fill = (userId: number, count: number, characters: number) =>
    harness.dataSource.query(
      `insert into api_response (id, user_id, settings, input, state, characters, created_at)
       select gen_random_uuid(), $1, '{}', '[]', '{}', $3, now() - interval '1 day' + n * interval '1 second'
       from generate_series(1, $2::int) n`,
      [userId, count, characters],
    );

  const boundOf = async (userId: number) =>
    (
      await harness.dataSource.query<[{ rows: number; oldest: number }]>(
        `select count(*)::int as rows, extract(epoch from min(created_at))::int as oldest
         from api_response where user_id = $1`,
        [userId],
      )
    )[0];

  it.each([
    ['responses', API_LIMITS.storedResponses + 5, 2, API_LIMITS.storedResponses],
    ['characters', 8, API_LIMITS.storedCharacters / 4, 4],
  ])('deletes the oldest responses of an account with too many %s', async (_unit, count, characters, left) => {
    const member = await harness.caller();
    const neighbour = await harness.caller();
    await fill(member.user.id, count, characters);
    await fill(neighbour.user.id, 3, 2);
    const { oldest } = await boundOf(member.user.id);
    const answer = await harness.post(member.key, { model: MODEL, input: 'the newest' }, {}, RESPONSES);
    expect(answer.status).toBe(200);
    const after = await boundOf(member.user.id);
    expect(after.rows).toBe(left);
    expect(after.oldest).toBeGreaterThan(oldest);
    expect((await harness.read('GET', (answer.body as ResponseObject).id, member.key)).status).toBe(200);
    expect((await boundOf(neighbour.user.id)).rows).toBe(3);
  });

  it('are part of the export of their account, in pages', async () => {
    const member = await harness.caller({ isPremium: true });
    const { body } = await harness.post(member.key, { model: MODEL, input: 'exported' }, {}, RESPONSES);
    const response = body as ResponseObject;
    await harness.dataSource.query(
      `insert into api_response (id, user_id, settings, input, state, characters, created_at)
       select gen_random_uuid(), $1, settings, input, state, 2, now() + n * interval '1 second'
       from api_response, generate_series(1, 45) n where user_id = $1`,
      [member.user.id],
    );
    const exported = await member.client.get<{ responses: ResponseObject[] }>('/api/user/export');
    const { responses } = exported.body;
    expect(responses).toHaveLength(46);
    expect(responses[0]).toEqual({ ...response, input: [{ role: 'user', content: 'exported' }] });
  });
});
