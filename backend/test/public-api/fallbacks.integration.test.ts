import Anthropic from '@anthropic-ai/sdk';
import type { AdminModel } from '@tanya/contract';
import type { Script, Step } from '../harness/scripted-answers.js';
import { ask, type Caller, errorIn, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

const MAIN = 'fall/main';
const SECOND = 'fall/second';

const GONE: Script = { status: 404, body: JSON.stringify({ error: { message: 'no such model', code: 404 } }) };
const ANSWER: Step[] = [{ text: 'Hello' }, { finish: 'stop' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

/** Requests of the three APIs, and where their bodies have the model. */
const APIS: [name: string, path: string, body: object, inStream: RegExp][] = [
  [
    'chat completions',
    '/api/v1/chat/completions',
    { messages: [{ role: 'user', content: 'x' }] },
    /"model":"([^"]+)"/g,
  ],
  ['responses', '/api/v1/responses', { input: 'x' }, /"model":"([^"]+)"/g],
  [
    'messages',
    '/api/v1/messages',
    { max_tokens: 100, messages: [{ role: 'user', content: 'x' }] },
    /"model":"([^"]+)"/g,
  ],
];

interface Site {
  harness: PublicApiHarness;
  caller: Caller;
  main: AdminModel;
  second: AdminModel;
}

let site: Site;
/** The head of its streams waits no longer than a test can. */
let quick: Site;
let harness: PublicApiHarness;
let caller: Caller;
let main: AdminModel;
let second: AdminModel;

async function startSite(options: Parameters<typeof startPublicApiHarness>[0]): Promise<Site> {
  const started = await startPublicApiHarness(options);
  const admin = await started.admin();
  const fallback = (await admin.post<AdminModel>('/api/admin/models', { modelId: SECOND })).body;
  const model = (await admin.post<AdminModel>('/api/admin/models', { modelId: MAIN, fallbacks: [SECOND] })).body;
  return { harness: started, caller: await started.caller(), main: model, second: fallback };
}

beforeAll(async () => {
  [site, quick] = await Promise.all([
    startSite({ redis: false }),
    startSite({ redis: false, timings: { keepAlive: 60, modelHeader: 60 } }),
  ]);
  ({ harness, caller, main, second } = site);
});

beforeEach(() => void (harness.upstream.calls.length = 0));

afterEach(() => Promise.all([harness.settle(), quick.harness.settle()]));

afterAll(() => Promise.all([harness.close(), quick.harness.close()]));

const asked = (): unknown[] => harness.upstream.callsOf().map(({ body }) => body['model']);

async function call(
  path: string,
  body: object,
  headers: Record<string, string> = {},
  { harness: { url }, caller: { key } }: Site = site,
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const modelsIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1]!);

describe.each(APIS)('a fallback of %s', (name, path, request, pattern) => {
  it('answers, and is named', async () => {
    harness.upstream.script(GONE, { steps: ANSWER });
    const response = await call(path, { ...request, model: MAIN });
    const body = (await response.json()) as { model: string };
    expect([response.status, body.model, response.headers.get('x-model-used')]).toEqual([200, SECOND, SECOND]);
    expect(JSON.stringify(body)).toContain('Hello');
    expect(asked()).toEqual([MAIN, SECOND]);
  });

  it('is named from the head of a stream on', async () => {
    harness.upstream.script(GONE, { steps: ANSWER });
    const response = await call(path, { ...request, model: MAIN, stream: true });
    expect(response.headers.get('x-model-used')).toBe(SECOND);
    const models = modelsIn(await response.text(), pattern);
    expect(new Set(models)).toEqual(new Set([SECOND]));
  });

  it('is named after the first part where the head of the stream could not wait', async () => {
    let answer = (): void => undefined;
    const begun = new Promise<void>((resolve) => (answer = resolve));
    quick.harness.upstream.script(GONE, { after: begun, steps: ANSWER });
    const response = await call(path, { ...request, model: MAIN, stream: true }, {}, quick);
    expect(response.headers.get('x-model-used')).toBeNull();
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let silent = '';
    while (!/event|data/.test(silent)) silent += decoder.decode((await reader.read()).value);
    answer();
    let rest = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest += decoder.decode(read.value);
    expect(modelsIn(silent, pattern).every((model) => model === MAIN)).toBe(true);
    expect(rest).toContain('Hello');
    expect(modelsIn(rest, pattern).at(-1)).toBe(SECOND);
  });

  it('ends a stream with a status where all have failed before its first part, or with its own event', async () => {
    harness.upstream.script(GONE, { steps: [{ error: { type: 'overloaded_error', message: 'Overloaded' } }] });
    const response = await call(path, { ...request, model: MAIN, stream: true });
    const text = await response.text();
    if (name === 'responses') expect(text).toContain('event: response.failed');
    else {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('x-model-used')).toBeNull();
      expect(JSON.parse(text)).toHaveProperty('error');
    }
    expect(asked()).toEqual([MAIN, SECOND]);
  });

  it('is not asked where the request wants none, which names the asked model', async () => {
    harness.upstream.script(GONE);
    const failed = await call(path, { ...request, model: MAIN, fallback: false });
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(asked()).toEqual([MAIN]);
    for (const stream of [false, true]) {
      harness.upstream.script({ steps: ANSWER });
      const response = await call(path, { ...request, model: MAIN, fallback: false, stream });
      expect([response.status, response.headers.get('x-model-used')]).toEqual([200, MAIN]);
      expect(new Set(modelsIn(await response.text(), pattern))).toEqual(new Set([MAIN]));
    }
    const refused = await call(path, { ...request, model: MAIN, fallback: 'maybe' });
    expect(refused.status).toBe(400);
    await refused.text();
  });

  it('does not change what a repetition is compared with', async () => {
    const headers = { 'Idempotency-Key': `fall ${path}` };
    harness.upstream.script(GONE, { steps: ANSWER });
    const first = (await (await call(path, { ...request, model: MAIN }, headers)).json()) as object;
    const again = await call(path, { ...request, model: MAIN }, headers);
    expect(again.headers.get('x-model-used')).toBe(SECOND);
    expect(await again.json()).toMatchObject({ model: SECOND, ...('id' in first && { id: first.id }) });
    const other = await call(path, { ...request, model: SECOND }, headers);
    expect(other.status).toBe(409);
    await other.text();
    expect(asked()).toEqual([MAIN, SECOND]);
  });
});

describe('the fallbacks of a call of the public API', () => {
  it('are those that the key and the API switch allow', async () => {
    const admin = await harness.admin();
    await admin.patch(`/api/admin/models/${second.id}/api-status`, { isApiEnabled: false });
    harness.upstream.script(GONE);
    const closed = await harness.post(caller.key, ask('x', { model: MAIN }));
    expect(errorIn(closed.body)).toBeDefined();
    expect(asked()).toEqual([MAIN]);
    await admin.patch(`/api/admin/models/${second.id}/api-status`, { isApiEnabled: true });
    const { body: key } = await caller.client.post<{ key: string }>('/api/user/keys', { name: 'one', models: [MAIN] });
    harness.upstream.script(GONE);
    const limited = await harness.post(key.key, ask('x', { model: MAIN }));
    expect(limited.status).toBeGreaterThanOrEqual(400);
    expect(asked()).toEqual([MAIN, MAIN]);
  });

  it('are passed over for a request with tools or images that they do not take', async () => {
    const admin = await harness.admin();
    await admin.patch(`/api/admin/models/${second.id}`, { supportsTools: false });
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
    harness.upstream.script(GONE);
    expect((await harness.post(caller.key, ask('x', { model: MAIN, tools }))).status).toBeGreaterThanOrEqual(400);
    await admin.patch(`/api/admin/models/${second.id}`, { supportsTools: null, inputModalities: ['text'] });
    harness.upstream.script(GONE);
    const url =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ];
    expect((await harness.post(caller.key, { model: MAIN, messages })).status).toBeGreaterThanOrEqual(400);
    expect(asked()).toEqual([MAIN, MAIN]);
    await admin.patch(`/api/admin/models/${second.id}`, { inputModalities: null });
  });

  it('charge one message, and the failure of all is that of the asked model', async () => {
    const before = await harness.usedBy(caller);
    harness.upstream.script(GONE, { steps: ANSWER });
    await harness.post(caller.key, ask('x', { model: MAIN }));
    expect(await harness.usedBy(caller)).toBe(before + 1);
    harness.upstream.script(GONE, { status: 402, body: JSON.stringify({ error: { message: 'pay' } }) });
    const failed = await harness.post(caller.key, ask('x', { model: MAIN }));
    expect(errorIn(failed.body).message).toContain('does not offer this model');
    expect(await harness.usedBy(caller)).toBe(before + 1);
    expect(main.fallbacks).toEqual([SECOND]);
  });

  it('are not asked once anything was sent, be it likelihoods alone', async () => {
    const logprobs = { content: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }] };
    const silent = { choices: [{ index: 0, delta: { content: '' }, logprobs }] };
    harness.upstream.script({ steps: [{ chunk: silent }, { error: { code: 502, message: 'failed' } }] });
    const failed = await harness.post(caller.key, ask('x', { model: MAIN, logprobs: true }));
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(asked()).toEqual([MAIN]);
  });

  it('name their reasoning as they do, not as the model that failed', async () => {
    harness.upstream.script(
      { steps: [{ reasoning: '', field: 'reasoning_content' }, { error: { code: 502, message: 'failed' } }] },
      { steps: [{ reasoning: 'hm' }, ...ANSWER] },
    );
    const { body } = await harness.post(caller.key, ask('x', { model: MAIN }));
    const { choices } = body as { choices: { message: Record<string, unknown> }[] };
    expect(choices[0]!.message).toMatchObject({ content: 'Hello', reasoning: 'hm' });
    expect(choices[0]!.message).not.toHaveProperty('reasoning_content');
    expect(asked()).toEqual([MAIN, SECOND]);
  });

  it('write all answers to a request for several', async () => {
    const piece = (index: number, content: string, finish: string | null = null) => ({
      chunk: { choices: [{ index, delta: { content }, finish_reason: finish }] },
    });
    harness.upstream.script(
      { steps: [piece(1, ''), { error: { code: 502, message: 'failed' } }] },
      { steps: [piece(0, 'one', 'stop'), piece(1, 'two', 'stop'), { done: true }] },
    );
    const { body } = await harness.post(caller.key, ask('x', { model: MAIN, n: 2 }));
    const { choices } = body as { choices: { message: { content: string } }[] };
    expect(choices.map(({ message }) => message.content)).toEqual(['one', 'two']);
    expect(asked()).toEqual([MAIN, SECOND]);
  });

  it('reach the client of Anthropic, which takes a ping before the first event', async () => {
    let answer = (): void => undefined;
    const begun = new Promise<void>((resolve) => (answer = resolve));
    harness.upstream.script(GONE, { after: begun, steps: ANSWER });
    const client = new Anthropic({ apiKey: caller.key, baseURL: `${harness.url}/api`, maxRetries: 0 });
    const stream = client.messages.stream({
      model: MAIN,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'x' }],
    });
    setTimeout(answer, 300);
    const message = await stream.finalMessage();
    expect([message.model, message.content[0]]).toEqual([SECOND, expect.objectContaining({ text: 'Hello' })]);
  });

  it('are kept with a stored response', async () => {
    harness.upstream.script(GONE, { steps: ANSWER });
    const response = (await (await call('/api/v1/responses', { input: 'x', model: MAIN })).json()) as { id: string };
    const read = await fetch(`${harness.url}/api/v1/responses/${response.id}`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    expect(await read.json()).toMatchObject({ model: SECOND });
  });
});
