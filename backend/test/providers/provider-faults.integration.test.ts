import { createServer, type Server } from 'node:net';
import { LIMITS } from '@tanya/contract';
import { OpenAiCompatibleProvider } from '../../src/providers/upstream/openai-compatible.provider.js';
import type { ProviderTimings } from '../../src/providers/provider.js';
import { ProviderError } from '../../src/providers/provider-error.js';
import { collectAnswer, requestOf, TEST_TIMINGS, type CollectedAnswer } from '../harness/collect-answer.js';
import { echoText, type Script, type Step } from '../harness/scripted-answers.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

const TEXT = 'Añjali 🙏 dan 日本語 — déjà vu 👩‍👩‍👧';
const WHOLE: Step[] = [...[...TEXT].map((text) => ({ text })), { finish: 'stop' }, { done: true }];
const tokens = (count: number): Step[] => Array.from({ length: count }, (_, index) => ({ text: `${index} ` }));

let upstream: ScriptedUpstream;
let provider: OpenAiCompatibleProvider;
beforeEach(async () => {
  upstream = await startUpstream();
  provider = connect(upstream.url);
});
afterEach(async () => {
  await upstream.close();
  await provider.close();
});

function connect(baseUrl: string, shortened: Partial<ProviderTimings> = {}): OpenAiCompatibleProvider {
  const timings = { ...TEST_TIMINGS, ...shortened };
  return new OpenAiCompatibleProvider({
    name: 'openai',
    baseUrl,
    mayBePrivate: true,
    apiKey: 'sk-secret-key',
    timings,
  });
}

function answerTo(...scripts: Script[]): Promise<CollectedAnswer> {
  upstream.script(...scripts);
  return collectAnswer(provider, requestOf('Hi'));
}

/** Replaces the provider of the test by one with shorter timeouts. */
async function shorten(timings: Partial<ProviderTimings>): Promise<void> {
  await provider.close();
  provider = connect(upstream.url, timings);
}

/** Reads an answer whose next step waits until `text` has arrived. */
async function answerAfter(text: string, scriptOf: (arrival: Promise<void>) => Script): Promise<CollectedAnswer> {
  let arrive = (): void => {};
  upstream.script(scriptOf(new Promise((resolve) => (arrive = resolve))));
  let read = '';
  return collectAnswer(provider, requestOf('Hi'), undefined, (batch) => {
    for (const event of batch) if (event.type === 'text-delta') read += event.text;
    if (read === text) arrive();
  });
}

/** Expects a ProviderError that holds no text, address or key of the upstream. */
function expectFailure(answer: CollectedAnswer, expected: Partial<ProviderError>): void {
  expect(answer.error).toBeInstanceOf(ProviderError);
  expect(answer.error).toMatchObject(expected);
  expect(`${JSON.stringify(answer.error)} ${String(answer.error)}`).not.toMatch(
    /sk-secret|127\.0\.0\.1|scripted|<html/,
  );
  expect(answer.events.some(({ type }) => type === 'finish')).toBe(false);
}

describe('before the first byte', () => {
  it.each([
    ['F9: a bad key', { status: 401 }, 'provider_auth', 1],
    ['F9: a forbidden key', { status: 403 }, 'provider_auth', 1],
    ['F10: no credit', { status: 402 }, 'provider_credit', 1],
    ['an unknown model', { status: 404 }, 'provider_error', 1],
    ['a bad request', { status: 400 }, 'provider_refused', 1],
    ['F12: a broken upstream', { status: 500 }, 'provider_error', 3],
    ['F12: an overloaded upstream', { status: 529 }, 'provider_error', 3],
    ['SSRF-6: a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/steal' } }, 'provider_error', 1],
  ] as const)('reports %s as a typed error and retries only server errors', async (_name, script, code, calls) => {
    expectFailure(await answerTo(script, script, script), { code, interrupted: false, status: script.status });
    expect(upstream.callsOf()).toHaveLength(calls);
  });

  it('reports a too long context by error code or by error message', async () => {
    const byCode = { status: 400, body: JSON.stringify({ error: { code: 'context_length_exceeded', message: 'x' } }) };
    const byWords = {
      status: 400,
      body: JSON.stringify({ error: { message: "This model's maximum context length is 8" } }),
    };
    expectFailure(await answerTo(byCode), { code: 'provider_context' });
    expectFailure(await answerTo(byWords), { code: 'provider_context' });
  });

  it('reports an exhausted account as provider_credit though the status is 429', async () => {
    const body = JSON.stringify({ error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } });
    expectFailure(await answerTo({ status: 429, body }), { code: 'provider_credit' });
    expect(upstream.callsOf()).toHaveLength(1);
  });

  it('F11: retries after a short Retry-After', async () => {
    const answer = await answerTo({ status: 429, headers: { 'retry-after': '1' } });
    expect(answer).toMatchObject({ error: null, text: echoText('Hi', 40) });
    expect(upstream.callsOf()).toHaveLength(2);
  });

  it('F11: reports a long Retry-After and does not retry', async () => {
    const answer = await answerTo({ status: 429, headers: { 'retry-after': '600' } });
    expectFailure(answer, { code: 'provider_busy', retryAfter: 600 });
    expect((answer.error as Error).message).toContain('600 s');
    expect(upstream.callsOf()).toHaveLength(1);
  });

  it('F12: answers after two failed attempts', async () => {
    const answer = await answerTo({ status: 503 }, { status: 502 });
    expect(answer).toMatchObject({ error: null, text: echoText('Hi', 40) });
    expect(upstream.callsOf()).toHaveLength(3);
  });

  it('F13: reports a closed port and an unknown host name as unreachable', async () => {
    for (const address of ['http://127.0.0.1:1/v1', 'http://nowhere.invalid/v1']) {
      const nowhere = connect(address);
      expectFailure(await collectAnswer(nowhere, requestOf('Hi')), {
        code: 'provider_unreachable',
        interrupted: false,
      });
      await nowhere.close();
    }
  });

  it('F14: times out without a first token and closes the connection', async () => {
    await shorten({ firstToken: 200 });
    for (const script of [
      { delay: 60_000 },
      { steps: [{ stall: true }] },
      { steps: [{ raw: ': working\n\n' }], pace: 20, endless: true },
    ] satisfies Script[]) {
      expectFailure(await answerTo(script), { code: 'timeout_first_token', interrupted: false });
      await upstream.calls.at(-1)?.closed;
    }
  });

  it('F14: can be stopped before the first token', async () => {
    const stop = new AbortController();
    upstream.script({ delay: 60_000 });
    const answer = collectAnswer(provider, requestOf('Hi'), stop.signal);
    while (upstream.calls.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('stopped'));
    expect((await answer).error).toEqual(new Error('stopped'));
    await upstream.calls[0]?.closed;
  });
});

describe('F16: a malformed or unusual stream', () => {
  // Some upstreams never close the connection after the end of an answer.
  beforeEach(() => shorten({ closing: 100 }));

  it.each<[string, Script]>([
    ['one byte at a time', { steps: WHOLE, bytesPerWrite: 1 }],
    ['three bytes at a time', { steps: WHOLE, bytesPerWrite: 3 }],
    ['with CRLF', { steps: WHOLE, lineEnd: '\r\n' }],
    ['with CRLF, one byte at a time', { steps: WHOLE, lineEnd: '\r\n', bytesPerWrite: 1 }],
    ['with CR', { steps: WHOLE, lineEnd: '\r' }],
    ['with a byte order mark', { steps: [{ base64: '77u/' }, ...WHOLE] }],
    ['with comments and unknown fields', { steps: [{ raw: ': hi\n\nfoo: bar\nretry: soon\nid: 1\n\n' }, ...WHOLE] }],
    ['with events that are not JSON', { steps: [{ raw: 'data: {"choices":[{"delta"\n\ndata: ping\n\n' }, ...WHOLE] }],
    [
      'with JSON of other shapes',
      {
        steps: [
          { chunk: 7 },
          { chunk: null },
          { chunk: { choices: 'x' } },
          { chunk: { choices: [null] } },
          { chunk: { choices: [{ delta: { content: 5, tool_calls: [{}] } }] } },
          ...WHOLE,
        ],
      },
    ],
    ['without [DONE]', { steps: WHOLE.slice(0, -1) }],
    ['without a finish reason', { steps: [{ text: TEXT }, { done: true }] }],
    ['with [DONE] and no line after it', { steps: [{ text: TEXT }, { finish: 'stop' }, { raw: 'data: [DONE]' }] }],
    ['left open after its finish', { steps: [{ text: TEXT }, { finish: 'stop' }, { stall: true }] }],
    ['left open after [DONE]', { steps: [...WHOLE, { stall: true }] }],
    [
      'with a surrogate pair in two events',
      {
        steps: [
          { raw: `data: {"choices":[{"delta":{"content":"${TEXT}\\ud83d"}}]}\n\n` },
          { wait: 20 },
          { raw: 'data: {"choices":[{"delta":{"content":"\\ude4f"}}]}\n\n' },
          { done: true },
        ],
      },
    ],
  ])('is read exactly: %s', async (_name, script) => {
    const answer = await answerTo(script);
    expect(answer.error).toBeNull();
    expect(answer.text.startsWith(TEXT)).toBe(true);
    expect(answer.text).not.toContain('\ufffd');
    expect(answer.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('is read exactly: cut off after its finish', async () => {
    const answer = await answerAfter(TEXT, (arrival) => ({
      steps: [{ text: TEXT }, { finish: 'stop' }, { wait: arrival }, { cut: true }],
    }));
    expect(answer).toMatchObject({ error: null, text: TEXT });
    expect(answer.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it.each<[string, Script]>([
    ['an HTML page', { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } }],
    ['an HTML page that claims to be a stream', { steps: [{ raw: '<html>\n\n<body>hi\n\n</html>' }] }],
    ['nothing', { steps: [] }],
    ['[DONE] and nothing else', { steps: [{ done: true }] }],
    ['JSON of another kind', { body: '{"hello":"world"}' }],
    ['broken JSON', { body: '{"choices":[' }],
    ['an error with status 200', { body: '{"error":{"message":"scripted","code":500}}' }],
  ])('is an error if it holds no answer: %s', async (_name, script) => {
    const answer = await answerTo(script);
    expectFailure(answer, { code: 'provider_error', interrupted: false });
    expect(answer.text).toBe('');
  });

  it('is delivered without NUL characters and lone surrogates', async () => {
    const answer = await answerTo({
      steps: [{ text: 'a\0b' }, { chunk: { choices: [{ delta: { content: 'c\ud800d' } }] } }, { done: true }],
    });
    expect(answer.text).toBe('abc\ufffdd');
  });
});

describe('in mid-answer', () => {
  it('F15: interrupts an answer after a silence, with or without keep-alives', async () => {
    await shorten({ idle: 200 });
    for (const silence of [
      [{ stall: true }],
      Array.from({ length: 3_000 }, () => [{ raw: ': ping\n\n' }, { wait: 20 }]).flat(),
    ] as Step[][]) {
      const answer = await answerTo({ steps: [{ text: '0 1 2 3 4 ' }, ...silence] });
      expectFailure(answer, { code: 'timeout_idle', interrupted: true });
      expect(answer.text).toBe('0 1 2 3 4 ');
      await upstream.calls.at(-1)?.closed;
    }
  });

  it('F15: does not count the time of a blocked event loop as silence', async () => {
    const idle = 100;
    await shorten({ idle });
    let goOn = (): void => {};
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    upstream.script({
      steps: [{ text: 'one ' }, { wait }, { text: 'two' }, { finish: 'stop' }, { done: true }],
    });
    const block = (): void => {
      for (const end = performance.now() + 5 * idle; performance.now() < end;);
      goOn();
    };
    let text = '';
    await provider.stream(requestOf('Hi'), new AbortController().signal, (events) => {
      if (text === '') setImmediate(block);
      for (const event of events) if (event.type === 'text-delta') text += event.text;
    });
    expect(text).toBe('one two');
  });

  it.each([0, 50])('F17: keeps the text before an error event after %i tokens', async (count) => {
    const answer = await answerTo({
      steps: [...tokens(count), { error: { code: 502, message: 'scripted secret' } }, { text: 'never' }],
    });
    expectFailure(answer, { code: 'provider_error', interrupted: false });
    expect(answer.text).toBe(
      tokens(count)
        .map((step) => ('text' in step ? step.text : ''))
        .join(''),
    );
    expect(upstream.callsOf()).toHaveLength(1);
  });

  it.each([
    [{ code: 429, message: 'slow down' }, 'provider_busy'],
    [{ code: 'rate_limit_exceeded' }, 'provider_busy'],
    [{ code: 402 }, 'provider_credit'],
    [{ type: 'invalid_request_error', message: 'maximum context length' }, 'provider_context'],
    ['just a text', 'provider_error'],
  ] as const)('F17: reports the error event %j as a typed error', async (error, code) => {
    expectFailure(await answerTo({ steps: [{ error }] }), { code });
  });

  it('F18: interrupts an answer whose connection is lost, keeps its text and does not retry', async () => {
    for (const end of [[{ cut: true }], []] as Step[][]) {
      upstream.calls.length = 0;
      const answer = await answerAfter('0 1 2 3 4 ', (arrival) => ({
        steps: [...tokens(5), { wait: arrival }, ...end],
      }));
      expectFailure(answer, { code: 'provider_unreachable', interrupted: true });
      expect(answer.text).toBe('0 1 2 3 4 ');
      expect(upstream.callsOf()).toHaveLength(1);
    }
  });

  it('reports a filtered answer as a refusal', async () => {
    expectFailure(await answerTo({ steps: [...tokens(2), { finish: 'content_filter' }, { done: true }] }), {
      code: 'provider_refused',
    });
  });

  it('F19: cuts an event of 5 MB after the longest answer and fails on an endless event', async () => {
    const large = 'x'.repeat(5 * 1024 * 1024);
    const { text, error } = await answerTo({ steps: [{ text: large }, { finish: 'stop' }, { done: true }] });
    expect([error, large.startsWith(text)]).toEqual([null, true]);
    expect(text.length).toBeGreaterThan(LIMITS.answerCharacters);
    const endless = await answerTo({
      steps: [
        { raw: 'data: {"choices":[{"delta":{"content":"' },
        ...tokens(0),
        ...Array.from({ length: 12 }, () => ({ raw: 'y'.repeat(1024 * 1024) })),
      ],
    });
    expectFailure(endless, { code: 'provider_error' });
    await upstream.calls.at(-1)?.closed;
  });

  it('F19: closes an endless answer when its reader leaves', async () => {
    upstream.script({ steps: tokens(100), endless: true });
    let length = 0;
    const answer = await collectAnswer(provider, requestOf('Hi'), undefined, (batch) => {
      for (const event of batch) if (event.type === 'text-delta') length += event.text.length;
      return length < 200_000;
    });
    expect(answer.error).toBeNull();
    await upstream.calls.at(-1)?.closed;
  });

  it('F29: closes the connection to the upstream on a stop', async () => {
    const stop = new AbortController();
    upstream.script({ steps: tokens(1), pace: 5, endless: true });
    const answer = await collectAnswer(provider, requestOf('Hi'), stop.signal, () => stop.abort());
    expect(answer.error).toBe(stop.signal.reason);
    await upstream.calls.at(-1)?.closed;
  });
});

describe('an upstream that does not speak HTTP', () => {
  let server: Server;
  afterEach(() => server.close());

  it.each([
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x-bomb: 1\r\n'.repeat(20_000)}\r\n`, 'provider_error'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'provider_error'],
    ['a connection closed at once', '', 'provider_unreachable'],
  ])('SSRF-6: is a typed error: %s', async (_name, greeting, code) => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(greeting));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const odd = connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`);
    expectFailure(await collectAnswer(odd, requestOf('Hi')), { code: code as ProviderError['code'] });
    await odd.close();
  });
});
