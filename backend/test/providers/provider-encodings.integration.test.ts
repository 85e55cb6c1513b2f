import { deflateRawSync, gzipSync } from 'node:zlib';
import { causeOf } from '../../src/providers/provider-cause.js';
import { ProviderError } from '../../src/providers/provider-error.js';
import type { Encoding } from '../harness/scripted-answers.js';
import { answerAfter, answerTo, expectFailure, TEXT, upstream, WHOLE } from './provider-harness.js';

const COMPLETION = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
});
const TOO_LONG = JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } });

describe.each<Encoding>(['gzip', 'br', 'deflate'])('an answer that a server compresses unasked by %s', (encoding) => {
  it('is read as it arrives', async () => {
    const answer = await answerAfter(TEXT, (arrival) => ({
      encoding,
      steps: [...WHOLE.slice(0, -2), { wait: arrival }, ...WHOLE.slice(-2)],
    }));
    expect(answer).toMatchObject({ text: TEXT, error: null });
    expect(upstream.calls[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('is read as one JSON body, and as an error', async () => {
    const [answer, failed] = [
      await answerTo({ body: COMPLETION, encoding }),
      await answerTo({ status: 400, body: TOO_LONG, encoding }),
    ];
    expect(answer).toMatchObject({ text: TEXT, error: null });
    expectFailure(failed, { code: 'provider_context', status: 400 });
  });

  it('fails with its text when its connection breaks', async () => {
    const answer = await answerAfter(TEXT, (arrival) => ({
      encoding,
      steps: [...WHOLE.slice(0, -2), { wait: arrival }, { cut: true }],
    }));
    expectFailure(answer, { code: 'provider_unreachable', interrupted: true });
    expect(answer.text).toBe(TEXT);
  });
});

it('fails by an encoding that cannot be read, and names it', async () => {
  const answer = await answerTo({ steps: WHOLE, headers: { 'content-encoding': 'x-dictionary' } });
  expectFailure(answer, { code: 'provider_error', fault: 'encoding' });
  expect(answer.error instanceof ProviderError && causeOf(answer.error)).toContain('x-dictionary');
});

it.each([
  ['named', { 'content-encoding': 'zstd' }],
  ['not named', {}],
])('fails by Zstandard, which Node 20 cannot decode: %s', async (_name, headers) => {
  const base64Body = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]).toString('base64');
  const answer = await answerTo({ base64Body, headers });
  expectFailure(answer, { code: 'provider_error', fault: 'encoding' });
  expect(answer.error instanceof ProviderError && causeOf(answer.error)).toContain('zstd');
});

it.each([
  ['plain, as gateways that decode a body keep its header', { steps: WHOLE, headers: { 'content-encoding': 'gzip' } }],
  ['plain by the name none', { steps: WHOLE, headers: { 'content-encoding': 'none' } }],
  ['plain by the name of a charset', { steps: WHOLE, headers: { 'content-encoding': 'UTF-8' } }],
  ['gzip that is not named', { base64Body: gzipSync(COMPLETION).toString('base64') }],
  [
    'gzip in a list',
    { base64Body: gzipSync(COMPLETION).toString('base64'), headers: { 'content-encoding': 'identity, gzip' } },
  ],
  [
    'deflate without the form of zlib',
    { base64Body: deflateRawSync(COMPLETION).toString('base64'), headers: { 'content-encoding': 'deflate' } },
  ],
])('is read: %s', async (_name, script) => {
  expect(await answerTo(script)).toMatchObject({ text: TEXT, error: null });
});

it('fails by bytes that are not compressed though they should be', async () => {
  const answer = await answerTo({ steps: WHOLE, headers: { 'content-encoding': 'br' } });
  expect(answer.error).toBeInstanceOf(ProviderError);
});

it('stops reading an answer that grows without a bound', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'x'));
  const headers = { 'content-encoding': 'gzip' };
  const answer = await answerTo({ status: 200, base64Body: bomb.toString('base64'), headers });
  expectFailure(answer, { code: 'provider_error', fault: 'too_large' });
});
