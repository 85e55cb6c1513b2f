import { createServer, type Server } from 'node:net';
import type { ProviderError } from '../../src/providers/provider-error.js';
import { collectAnswer, requestOf } from '../harness/collect-answer.js';
import { echoText, type Script } from '../harness/scripted-answers.js';
import { withUnknownHosts } from '../harness/unknown-hosts.js';
import { answerTo, connect, expectFailure, provider, shorten, upstream } from './provider-harness.js';

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

  it('F12: waits as long as a 503 asks, and does not retry when that is too long', async () => {
    const answer = await answerTo({ status: 503, headers: { 'retry-after': '1' } });
    expect(answer).toMatchObject({ error: null, text: echoText('Hi', 40) });
    const [first, second] = upstream.callsOf();
    expect(second!.startedAt - first!.startedAt).toBeGreaterThan(900);
    expectFailure(await answerTo({ status: 503, headers: { 'retry-after': '600' } }), { retryAfter: 600 });
    expect(upstream.callsOf()).toHaveLength(3);
  });

  it('F12: answers after two failed attempts', async () => {
    const answer = await answerTo({ status: 503 }, { status: 502 });
    expect(answer).toMatchObject({ error: null, text: echoText('Hi', 40) });
    expect(upstream.callsOf()).toHaveLength(3);
  });

  it('F13: reports a closed port and an unknown host name as unreachable', async () => {
    for (const address of ['http://127.0.0.1:1/v1', 'http://nowhere.invalid/v1']) {
      const nowhere = connect(address);
      expectFailure(await withUnknownHosts(() => collectAnswer(nowhere, requestOf('Hi'))), {
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
