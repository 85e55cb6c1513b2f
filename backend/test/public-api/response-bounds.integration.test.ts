import { randomUUID } from 'node:crypto';
import { API_LIMITS, type ResponseObject } from '@tanya/contract';
import { userOwner } from '../../src/identity/identity.js';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { ResponseStore } from '../../src/public-api/responses/response-store.js';
import { ADAPTERS } from '../harness/chat-harness.js';
import { fillStorage } from '../harness/rows/long-threads.js';
import { type Caller, errorIn } from './public-api-harness.js';
import { RESPONSES, type ResponsesHarness, startResponsesHarness } from './responses-harness.js';

/** The limit that every send counts against. */
const SENDS = { name: 'sends', points: 120, window: 60 };

describe.each(ADAPTERS)('the bounds of stored responses, %s', (_name, redis) => {
  let harness: ResponsesHarness;
  let member: Caller;

  beforeAll(async () => {
    harness = await startResponsesHarness({ redis });
  });

  beforeEach(async () => {
    member = await harness.caller({ isPremium: true });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    return harness.settle();
  });

  afterAll(() => harness.close());

  const post = (body: object) => harness.post(member.key, body, {}, RESPONSES);

  const sends = () => harness.app.get(RateLimits).used(SENDS, userOwner(member.user.id));

  const idOf = (uuid: string) => `resp_${uuid.replaceAll('-', '')}`;

  /** Inserts a conversation of ended responses. @returns their UUIDs, the earliest first */
  async function insertChain(texts: readonly string[], settings = '{}'): Promise<string[]> {
    const ids = texts.map(() => randomUUID());
    for (const [at, text] of texts.entries()) {
      const input = JSON.stringify([{ role: 'user', content: text }]);
      const content = [{ type: 'output_text', text: 'So', annotations: [], logprobs: [] }];
      const message = { id: `msg_${ids[at]!.replaceAll('-', '')}`, type: 'message', status: 'completed' };
      const output = [{ ...message, role: 'assistant', content }];
      const state = JSON.stringify({ status: 'completed', output, error: null, incomplete_details: null, usage: null });
      await harness.dataSource.query(
        `insert into api_response (id, user_id, previous_id, settings, input, state, settings_characters, characters)
         values ($1, $2, $3, $4, $5, $6, length($4), length($4) + length($5) + length($6))`,
        [ids[at], member.user.id, ids[at - 1] ?? null, settings, input, state],
      );
    }
    return ids;
  }

  it('count the settings of each (LIM-13)', async () => {
    const instructions = 'x'.repeat(50_000);
    const { body } = await post({ input: 'hi', instructions });
    const { id } = body as ResponseObject;
    const [row] = await harness.dataSource.query<{ counted: number; stored: number; settings: number }[]>(
      `select characters as counted, length(settings) + length(input) + length(state) as stored,
         settings_characters as settings from api_response where user_id = $1`,
      [member.user.id],
    );
    expect(row!.counted).toBe(row!.stored);
    expect(row!.settings).toBeGreaterThan(instructions.length);
    const continued = await post({ input: 'and?', previous_response_id: id });
    expect(continued.status).toBe(200);
  });

  it('refuse longer instructions and ids (LIM-13)', async () => {
    const instructions = 'x'.repeat(API_LIMITS.instructions + 1);
    const refused = await post({ input: 'hi', instructions });
    expect([refused.status, errorIn(refused.body).param]).toEqual([400, 'instructions']);
    const unknown = await post({ input: 'hi', previous_response_id: 'x'.repeat(API_LIMITS.responseId + 1) });
    expect([unknown.status, errorIn(unknown.body).param]).toEqual([400, 'previous_response_id']);
  });

  it('keep the settings of earlier responses out of the next one (LIM-13)', async () => {
    const ids = await insertChain(['first', 'second'], 'no JSON, which fails when it is read');
    const continued = await post({ input: 'third', previous_response_id: idOf(ids[1]!) });
    expect(continued.status).toBe(200);
    expect(harness.sentMessages()).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'So' },
      { role: 'user', content: 'second' },
      { role: 'assistant', content: 'So' },
      { role: 'user', content: 'third' },
    ]);
    const item = { type: 'item_reference', id: `msg_${ids[0]!.replaceAll('-', '')}` };
    const referred = await post({ input: [item, { role: 'user', content: 'go on' }] });
    expect(referred.status).toBe(200);
    expect(harness.sentMessages()).toEqual([
      { role: 'assistant', content: 'So' },
      { role: 'user', content: 'go on' },
    ]);
  });

  it('let large settings stay beside a long conversation', async () => {
    const settings = JSON.stringify({ instructions: 'x'.repeat(API_LIMITS.previousCharacters) });
    const [id] = await insertChain(['first'], settings);
    expect((await post({ input: 'second', previous_response_id: idOf(id!) })).status).toBe(200);
  });

  it('read a long conversation in slices, in its order (LIM-13)', async () => {
    const texts = Array.from({ length: 8 }, (_, at) => `${at}${'x'.repeat(400_000)}`);
    const ids = await insertChain(texts);
    const query = jest.spyOn(harness.dataSource, 'query');
    const continued = await post({ input: 'last', previous_response_id: idOf(ids.at(-1)!) });
    expect(continued.status).toBe(200);
    const sizes = await Promise.all(query.mock.results.map(async ({ value }) => JSON.stringify(await value).length));
    expect(Math.max(...sizes)).toBeLessThan(1_100_000);
    const sent = (harness.sentMessages() as { role: string; content: string }[]).filter(({ role }) => role === 'user');
    expect(sent.map(({ content }) => content[0])).toEqual([...texts.keys()].map(String).concat('l'));
  });

  it('count a request before the conversation is read, once (LIM-13)', async () => {
    const [id] = await insertChain(['first']);
    expect((await post({ input: 'second', previous_response_id: idOf(id!) })).status).toBe(200);
    expect(await sends()).toBe(1);
    expect((await post({ input: 'x', previous_response_id: idOf(randomUUID()) })).status).toBe(404);
    const item = { type: 'item_reference', id: `msg_${randomUUID().replaceAll('-', '')}` };
    expect((await post({ input: [item] })).status).toBe(404);
    expect(await sends()).toBe(3);
    const limits = harness.app.get(RateLimits);
    while ((await sends()) < SENDS.points) await limits.count(SENDS, userOwner(member.user.id));
    const store = harness.app.get(ResponseStore);
    const [chain, outlines] = [jest.spyOn(store, 'chain'), jest.spyOn(store, 'outlinesOf')];
    for (const body of [{ input: 'x', previous_response_id: idOf(id!) }, { input: [item] }]) {
      const refused = await post(body);
      expect([refused.status, errorIn(refused.body).code]).toEqual([429, 'rate_limit_exceeded']);
    }
    expect([chain, outlines].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  it('answer a repetition at the bound as before (LIM-14)', async () => {
    const keyed = (key: string) => harness.post(member.key, { input: 'hi' }, { 'idempotency-key': key }, RESPONSES);
    const first = await keyed('once');
    expect(first.status).toBe(200);
    await fillStorage(harness, userOwner(member.user.id));
    const repeated = await keyed('once');
    expect(repeated.status).toBe(200);
    expect((repeated.body as ResponseObject).id).toBe((first.body as ResponseObject).id);
    expect(errorIn((await keyed('another')).body).code).toBe('storage_full');
    expect(await harness.usedBy(member)).toBe(1);
  });

  it('refuse a stored response before the model is called, and nothing else (LIM-14)', async () => {
    await fillStorage(harness, userOwner(member.user.id));
    const calls = harness.upstream.callsOf().length;
    const refused = await post({ input: 'hi' });
    expect([refused.status, errorIn(refused.body).code]).toEqual([507, 'storage_full']);
    expect(harness.upstream.callsOf()).toHaveLength(calls);
    expect(await harness.usedBy(member)).toBe(0);
    expect((await post({ input: 'hi', store: false })).status).toBe(200);
    expect((await member.client.post('/api/chat/message', { content: 'hi' })).status).toBe(201);
    await harness.dataSource.query(`delete from thread where user_id = $1 and title = 'Imported'`, [member.user.id]);
    expect((await post({ input: 'hi' })).status).toBe(200);
  });
});
