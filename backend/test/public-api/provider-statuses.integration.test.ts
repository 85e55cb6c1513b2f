import { toFile } from 'openai';
import { WAV } from '../harness/uploads.js';
import { EMBEDDING_MODEL } from './client-cases.js';
import {
  ask,
  type Caller,
  failureOf,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from './public-api-harness.js';

const QUESTION = 'My doctor says that the test was bad. What do I tell my wife and the children?';

let harness: PublicApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  const admin = await harness.admin();
  await admin.post('/api/admin/models', { modelId: EMBEDDING_MODEL, name: 'Vectors', kind: 'embedding' });
  await admin.post('/api/admin/models', { modelId: 'openai/whisper-1' });
  await admin.post('/api/admin/models', { modelId: 'dall-e-3', name: 'Pictures', kind: 'image' });
  caller = await harness.caller();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

interface Failure {
  status: number;
  headers: Headers;
  error: { message: string; type: string; code?: string; param?: string | null };
}

const CALLS = {
  chat: ['/api/v1/chat', ask(QUESTION)],
  completions: ['/api/v1/chat/completions', ask(QUESTION)],
  stream: ['/api/v1/chat/completions', ask(QUESTION, { stream: true })],
  responses: ['/api/v1/responses', { model: MODEL, input: QUESTION }],
  messages: ['/api/v1/messages', { ...ask(QUESTION), max_tokens: 9 }],
  'stream of messages': ['/api/v1/messages', { ...ask(QUESTION), max_tokens: 9, stream: true }],
  embeddings: ['/api/v1/embeddings', { model: EMBEDDING_MODEL, input: QUESTION }],
  images: ['/api/v1/images/generations', { model: 'dall-e-3', prompt: QUESTION }],
} as const satisfies Record<string, [string, object]>;

type CallName = keyof typeof CALLS;

const NEW_CALLS = (Object.keys(CALLS) as CallName[]).filter((name) => name !== 'chat');

const ROUTES: Partial<Record<CallName, 'embeddings' | 'images'>> = { embeddings: 'embeddings', images: 'images' };

/** Makes a call that the provider answers with a failure. */
async function failed(name: CallName, script: { status: number; body?: string; headers?: Record<string, string> }) {
  // A failure of its own is tried three times.
  const times = script.status >= 500 ? 3 : 1;
  harness.upstream.script(...Array.from({ length: times }, () => ({ on: ROUTES[name], ...script })));
  const [path, body] = CALLS[name];
  const answer = await harness.post(caller.key, body, {}, path);
  return { status: answer.status, headers: answer.headers, ...(answer.body as object) } as Failure;
}

const saying = (message: string, more: object = {}): string => JSON.stringify({ error: { message, ...more } });

describe.each(NEW_CALLS)('a failure of the provider, by %s', (name) => {
  const isMessage = name.includes('messages');

  it('that is busy is 429 with its Retry-After', async () => {
    const { status, headers, error } = await failed(name, { status: 429, headers: { 'retry-after': '17' } });
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([429, '17', null]);
    expect(error).toMatchObject(isMessage ? { type: 'rate_limit_error' } : { code: 'rate_limit_exceeded' });
    expect(error.message).toContain('17 s');
  });

  it('that refuses the request is 400 in its words, without keys and quotations', async () => {
    const message = `Bad value '${QUESTION}' of top_p, key sk-abcdef0123456789`;
    const body = saying(message, { type: 'invalid_request_error', code: 'bad_value', param: 'top_p' });
    const { status, headers, error } = await failed(name, { status: 400, body });
    expect([status, headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(error.message).toBe("Bad value '…' of top_p, key …");
    expect(error).toMatchObject(
      isMessage ? { type: 'invalid_request_error' } : { type: 'provider_error', code: 'bad_value', param: 'top_p' },
    );
  });

  it.each<[string, number, number, string?]>([
    ['its own failure', 500, 502],
    ['a wrong key', 401, 502],
    ['a wrong key, as Gemini says it', 400, 502, 'API key not valid. Please pass a valid API key.'],
    ['no credit', 402, 502],
    ['an unknown model', 404, 502],
    ['a time-out of its own', 504, 504],
  ])('for %s has the status of a gateway', async (_what, upstream, expected, words = 'internal words') => {
    const { status, error } = await failed(name, { status: upstream, body: saying(`${words} sk-secret0123456789`) });
    expect(status).toBe(expected);
    expect(error.message).not.toContain(words);
  });
});

it.each([
  [429, 429, 'rate_limit_exceeded', '17'],
  [400, 400, 'bad_value', null],
  [401, 502, 'provider_auth', null],
  [500, 502, 'provider_error', null],
  [504, 504, 'provider_error', null],
])('a %i of the provider of a transcription is %i', async (upstream, status, code, retryAfter) => {
  const body = saying('The file is no sound.', { code: 'bad_value' });
  const script = { on: 'transcriptions' as const, status: upstream, body, headers: { 'retry-after': '17' } };
  harness.upstream.script(...Array.from({ length: upstream >= 500 ? 3 : 1 }, () => script));
  const file = await toFile(WAV, 'speech.wav', { type: 'audio/wav' });
  const failure = await failureOf(caller.openai.audio.transcriptions.create({ file, model: 'openai/whisper-1' }));
  expect([failure.status, failure.code]).toEqual([status, code]);
  expect(failure.headers?.get('retry-after') ?? null).toBe(retryAfter);
  if (status === 400) expect(failure.message).toContain('The file is no sound.');
});

it('of a prompt that is too long keeps its code and has the words of the provider', async () => {
  const body = saying("This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.");
  const { status, error } = await failed('completions', { status: 400, body });
  expect([status, error.code]).toEqual([400, 'context_length_exceeded']);
  expect(error.message).toContain('4096 tokens');
});

it('of one whose connection is lost is 502, of one that does not answer in time 504', async () => {
  harness.upstream.script({ steps: [{ cut: true }] });
  const lost = await harness.post(caller.key, ask('x'));
  expect([lost.status, lost.body]).toMatchObject([502, { error: { type: 'provider_error' } }]);
  const impatient = await startPublicApiHarness({ redis: false, timings: { firstToken: 300 } });
  impatient.upstream.script({ steps: [{ stall: true }] });
  const late = await impatient.post((await impatient.caller()).key, ask('x'));
  expect([late.status, late.body]).toMatchObject([504, { error: { code: 'timeout_first_token' } }]);
  await impatient.settle();
  await impatient.close();
});

it.each([
  [429, 'provider_busy'],
  [400, 'provider_refused'],
  [401, 'provider_auth'],
])('is 500 for POST /chat, without the words of the provider: %i', async (upstream, code) => {
  const { status, error } = await failed('chat', {
    status: upstream,
    headers: { 'retry-after': '600' },
    body: saying('top_p is bad', { param: 'top_p' }),
  });
  expect([status, error.code, error.param]).toEqual([500, code, null]);
  expect(error.message).not.toContain('top_p');
});

describe('a failure within a stream is an event', () => {
  const broken = [{ text: 'so far' }, { error: { code: 400, message: 'The pictures are too many.', type: 'invalid' } }];

  it.each([
    ['completions', 'data: {"error":{"message":"The pictures are too many."'],
    ['messages', '"error":{"type":"invalid_request_error","message":"The pictures are too many."}'],
    ['responses', '"error":{"code":"invalid_prompt","message":"The pictures are too many."}'],
  ] as const)('of %s', async (name, event) => {
    harness.upstream.script({ steps: broken });
    const [path, body] = CALLS[name];
    const { status, text } = await harness.post(caller.key, { ...body, stream: true }, {}, path);
    expect([status, text.includes('so far'), text.includes(event)]).toEqual([200, true, true]);
  });
});

it('shows members the fixed sentence alone, on the page and of pictures', async () => {
  const body = saying('The prompt is against our rules.', { code: 'content_policy_violation' });
  harness.upstream.script({ status: 400, body });
  const { page } = await harness.memberPage();
  const shown = await page.ended((await page.start(QUESTION)).generationId);
  const error = { code: 'provider_refused', message: 'The model provider refused this request.' };
  expect(shown.message).toMatchObject({ status: 'error', error });
  expect(JSON.stringify(shown)).not.toMatch(/rules|policy/);
  harness.upstream.script({ on: 'images', status: 400, body });
  const picture = await caller.client.post('/api/generate-image', { prompt: QUESTION });
  expect([picture.status, picture.body]).toMatchObject([500, error]);
  expect(picture.text).not.toMatch(/rules|policy/);
});
