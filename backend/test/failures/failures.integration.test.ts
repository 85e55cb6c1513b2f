import { jest } from '@jest/globals';
import type { CreatedApiKey, Failure } from '@tanya/contract';
import { FailureLog } from '../../src/failures/failure-log.js';
import { LOGGER, type Logger } from '../../src/platform/observability/logging.js';
import type { HttpClient } from '../harness/http-client.js';
import type { Script } from '../harness/scripted-answers.js';
import { waitUntil } from '../harness/wait-until.js';
import {
  ask,
  type Caller,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from '../public-api/public-api-harness.js';

const QUESTION = 'My doctor says that the test was bad. What do I tell my wife and the children?';

let harness: PublicApiHarness;
let admin: HttpClient;
let caller: Caller;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  admin = await harness.admin();
  caller = await harness.caller();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const list = async (query = '') => (await admin.get<Failure[]>(`/api/admin/failures?${query}`)).body;

/** The failures of a filter, once there are some. */
async function failures(query: string): Promise<Failure[]> {
  let found: Failure[] = [];
  await waitUntil('a failure', async () => (found = await list(query)).length > 0);
  return found;
}

const refusal = (message: string, more: object = {}) => ({
  status: 400,
  body: JSON.stringify({ error: { message, ...more } }),
});

/** Fails an answer on the page. @returns its id */
async function failedAnswer(script: Script = refusal('The prompt is against our rules.')): Promise<string> {
  harness.upstream.script(script);
  const { page } = await harness.memberPage();
  const { generationId } = await page.start(QUESTION);
  await page.ended(generationId);
  return generationId;
}

it('finds a failed call of a program by the id of its request, with the cause and who called', async () => {
  const { body: key } = await caller.client.post<CreatedApiKey>('/api/user/keys', { name: 'nightly report' });
  const said = { type: 'invalid_request_error', code: 'bad_value', param: 'top_p' };
  harness.upstream.script(refusal(`Bad value '${QUESTION}' of top_p, key sk-abcdef0123456789`, said));
  const { headers, status } = await harness.post(key.key, ask(QUESTION));
  const requestId = headers.get('x-request-id')!;
  const [failure, ...others] = await failures(`id=${requestId}`);
  expect([status, others]).toEqual([400, []]);
  expect(failure).toEqual({
    id: expect.any(Number),
    createdAt: expect.any(String),
    code: 'provider_refused',
    status: 400,
    provider: { message: "Bad value '…' of top_p, key …", ...said },
    modelId: MODEL,
    connection: { id: expect.any(Number), name: 'OpenAI' },
    user: { id: caller.user.id, username: caller.username },
    apiKey: { id: key.id, name: 'nightly report' },
    generationId: expect.any(String),
    requestId,
  });
  expect(await list(`id=${failure!.generationId!.toUpperCase()}`)).toEqual([failure]);
  await caller.client.delete(`/api/user/keys/${key.id}`);
  expect((await list(`id=${requestId}`))[0]!.apiKey).toEqual({ id: key.id, name: null });
});

it('finds a failed answer of the page by its id', async () => {
  const id = await failedAnswer();
  const [failure] = await failures(`id=${id}`);
  expect(failure).toMatchObject({
    code: 'provider_refused',
    provider: { message: 'The prompt is against our rules.' },
  });
  expect(failure).toMatchObject({ generationId: id, requestId: null, apiKey: null, modelId: MODEL });
});

it('has one entry for a failed answer to a send over REST', async () => {
  harness.upstream.script({ steps: [{ error: { code: 500, message: 'The disk is broken.' } }] });
  const sent = { content: QUESTION, model: MODEL };
  const { status, body } = await caller.client.post<{ requestId: string }>('/api/chat/message', sent);
  expect(status).toBe(500);
  // Failures are written in their order: one of the request would come before this one.
  const later = await failedAnswer();
  await failures(`id=${later}`);
  expect(await list(`id=${body.requestId}`)).toMatchObject([
    { code: 'provider_error', provider: { message: 'The disk is broken.' }, generationId: expect.any(String) },
  ]);
});

it('finds a failed relayed call with its connection', async () => {
  await admin.post('/api/admin/models', { modelId: 'text-embedding-3-small', name: 'Vectors', kind: 'embedding' });
  harness.upstream.script({ on: 'embeddings', ...refusal('Too many inputs.') });
  const call = { model: 'text-embedding-3-small', input: 'x' };
  const { headers } = await harness.post(caller.key, call, {}, '/api/v1/embeddings');
  const [failure] = await failures(`id=${headers.get('x-request-id')}`);
  expect(failure).toMatchObject({ provider: { message: 'Too many inputs.' }, connection: { name: 'OpenAI' } });
});

it('has no entry for a complete answer, a stop and a refused request', async () => {
  const { page, user } = await harness.memberPage();
  const { generationId } = await page.start('one');
  await page.ended(generationId);
  harness.upstream.script({ steps: [{ text: 'so far' }, { stall: true }] });
  const stopped = await page.start('two');
  await page.tryStop(stopped.generationId);
  await page.ended(stopped.generationId);
  expect(await page.tryStart('three', { model: 'unknown' })).toMatchObject({ ok: false });
  const id = await failedAnswer();
  await failures(`id=${id}`);
  expect(await list(`userId=${user.id}`)).toEqual([]);
});

it('shows the words of the provider to an admin in an own chat, and to no member', async () => {
  harness.upstream.script(refusal('The prompt is against our rules.'), refusal('The prompt is against our rules.'));
  const shown = async (isAdmin: boolean) => {
    const { page } = await harness.memberPage({ isAdmin });
    return (await page.ended((await page.start(QUESTION)).generationId)).message.error;
  };
  const sentence = 'The model provider refused this request.';
  const cause = 'OpenAI: The provider answered with status 400. The prompt is against our rules.';
  expect(await shown(true)).toMatchObject({ message: sentence, cause });
  expect(JSON.stringify(await shown(false))).not.toContain('rules');
});

it('names every id in the log lines of a call and of its answer', async () => {
  const logger = harness.app.get<Logger>(LOGGER);
  const lines: Record<string, unknown>[] = [];
  const spies = (['info', 'warn', 'error'] as const).map((level) =>
    jest.spyOn(logger, level).mockImplementation((...[fields, text]: unknown[]) => {
      lines.push({ ...(fields as object), text });
    }),
  );
  harness.upstream.script({ status: 401, body: '{}' });
  const { headers } = await harness.post(caller.key, ask(QUESTION));
  const requestId = headers.get('x-request-id');
  const [failure] = await failures(`id=${requestId}`);
  const { generationId, connection, apiKey } = failure!;
  const ids = { requestId, generationId, userId: caller.user.id, apiKeyId: apiKey!.id, modelId: MODEL };
  const own = () => lines.filter((line) => line['requestId'] === requestId);
  await waitUntil('the line of the request', async () => own().some(({ text }) => text === 'request'));
  for (const spy of spies) spy.mockRestore();
  expect(own().map(({ text }) => text)).toEqual([
    'provider failed; ending the generation',
    'request failed',
    'request',
  ]);
  for (const line of own()) expect(line).toMatchObject({ ...ids, connectionId: connection!.id });
});

describe('the list', () => {
  it('is filtered by code, model, connection, person and days', async () => {
    const id = await failedAnswer({ status: 401, body: '{}' });
    const [failure] = await failures(`id=${id}`);
    const today = failure!.createdAt.slice(0, 10);
    const connection = `connectionId=${failure!.connection!.id}`;
    const matching = ['code=provider_auth', `modelId=${encodeURIComponent(MODEL)}`, connection, `from=${today}`];
    for (const query of matching)
      expect((await list(`${query}&limit=200`)).map((one) => one.id)).toContain(failure!.id);
    const others = ['code=provider_busy', 'modelId=x', 'connectionId=99999', 'userId=99999', 'to=2026-01-01', 'id=x'];
    for (const query of others) expect(await list(`${query}&limit=200`)).not.toContainEqual(failure);
  });

  it('is read in pages, newest first', async () => {
    await failures(`id=${await failedAnswer()}`);
    await failures(`id=${await failedAnswer()}`);
    const all = await list('limit=200');
    const first = await admin.get<Failure[]>('/api/admin/failures?limit=1');
    const cursor = first.headers.get('x-next-cursor');
    const next = await list(`limit=200&before=${cursor}`);
    expect([...first.body, ...next]).toEqual(all);
    // As with the account that it was of.
    await harness.dataSource.query('delete from failure where id = $1', [first.body[0]!.id]);
    expect(await list(`limit=200&before=${cursor}`)).toEqual(next);
    expect((await admin.get('/api/admin/failures?before=999999999')).status).toBe(400);
  });

  it.each([
    'userId=x',
    'connectionId=0',
    'connectionId=9999999999',
    'from=2026-13-01',
    'from=2026-02-02&to=2026-02-01',
    'code=internal&code=provider_busy',
  ])('refuses %s', async (query) => {
    expect((await admin.get(`/api/admin/failures?${query}`)).status).toBe(400);
    expect((await admin.get(`/api/admin/failures.csv?${query}`)).status).toBe(400);
  });

  it('is for admins alone', async () => {
    expect((await caller.client.get('/api/admin/failures')).status).toBe(403);
    expect((await caller.client.get('/api/admin/failures.csv')).status).toBe(403);
  });

  it('has its file, with the words as no formula', async () => {
    const id = await failedAnswer(refusal('=HYPERLINK("http://x")'));
    await failures(`id=${id}`);
    const { body, headers } = await admin.get<string>(`/api/admin/failures.csv?id=${id}`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=failures-.*\.csv$/);
    expect(body).toContain('id,time,code,status,provider_message');
    expect(body).toContain(`provider_refused,400,"'=HYPERLINK(""http://x"")"`);
    expect(body).toContain(id);
  });
});

it('goes with the account of its person', async () => {
  harness.upstream.script(refusal('No.'));
  const { page, client, user } = await harness.memberPage();
  const { generationId } = await page.start(QUESTION);
  await page.ended(generationId);
  await failures(`id=${generationId}`);
  expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
  await waitUntil('its deletion', async () => (await list(`id=${generationId}`)).length === 0);
  expect((await client.get('/api/user')).status).toBe(401);
});

it('is deleted after 30 days', async () => {
  const id = await failedAnswer();
  const newer = await failedAnswer();
  await failures(`id=${id}`);
  await failures(`id=${newer}`);
  const age = `update failure set created_at = now() - interval '31 days' where generation_id = $1`;
  await harness.dataSource.query(age, [id]);
  await harness.app.get(FailureLog).deleteOld();
  expect([(await list(`id=${id}`)).length, (await list(`id=${newer}`)).length]).toEqual([0, 1]);
});

it('of an account that is deleted meanwhile takes no other along', async () => {
  const log = harness.app.get(FailureLog);
  log.record({ code: 'internal', status: 500, requestId: 'req-of-nobody', userId: 2_000_000_000 });
  log.record({ code: 'internal', status: 500, requestId: 'req-of-guest' });
  expect(await failures('id=req-of-guest')).toHaveLength(1);
  expect(await list('id=req-of-nobody')).toEqual([]);
});

it('lists requests that fail on this side, once', async () => {
  await harness.dataSource.query('alter table message_feedback rename to away');
  try {
    const { status, headers, body } = await caller.client.put<{ requestId: string }>('/api/chat/messages/1/feedback', {
      rating: 'up',
    });
    expect([status, headers.get('x-request-id')]).toEqual([500, body.requestId]);
    const found = await failures(`id=${body.requestId}`);
    expect(found).toMatchObject([{ code: 'internal', status: 500, user: { id: caller.user.id }, generationId: null }]);
  } finally {
    await harness.dataSource.query('alter table away rename to message_feedback');
  }
});

it.each([
  ['of 10 MB', 'x'.repeat(10_000_000)],
  ['with control characters', '\u001b[31mNo\u0000\u0007\u202e'],
  ['with a lone surrogate', 'No\ud83d'],
  ['with markup and quotes', '<script>alert(1)</script>"\'`=cmd|x'],
])('SET-7: lists the words of a provider %s in a form that can be shown', async (_what, message) => {
  const id = await failedAnswer(refusal(message, { type: message, code: message, param: message }));
  const [failure] = await failures(`id=${id}`);
  for (const words of Object.values(failure!.provider ?? {})) {
    expect(words.length).toBeLessThanOrEqual(2_000);
    expect([words.isWellFormed(), /[\p{Cc}\p{Bidi_Control}]/u.test(words)]).toEqual([true, false]);
  }
});

it('lists a failure whose body is no text', async () => {
  const id = await failedAnswer({
    status: 400,
    base64Body: Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]).toString('base64'),
  });
  expect(await failures(`id=${id}`)).toMatchObject([{ code: 'provider_refused', status: 400 }]);
});
