import { LIMITS } from '@tanya/contract';
import { collectAnswer, requestOf } from '../harness/collect-answer.js';
import { type Script, type Step } from '../harness/scripted-answers.js';
import {
  answerAfter,
  answerTo,
  expectFailure,
  provider,
  shorten,
  TEXT,
  tokens,
  upstream,
  WHOLE,
} from './provider-harness.js';

const PRETTY = JSON.stringify({ choices: [{ message: { content: TEXT }, finish_reason: 'stop' }] }, null, 2);

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
          { chunk: { choices: [{ delta: { content: true, tool_calls: [{}] } }] } },
          ...WHOLE,
        ],
      },
    ],
    [
      'with an empty finish reason in the chunks before its text',
      {
        steps: [{ chunk: { choices: [{ delta: { role: 'assistant' }, finish_reason: '' }] } }, { wait: 300 }, ...WHOLE],
      },
    ],
    ['that claims to be JSON', { steps: WHOLE, headers: { 'content-type': 'application/json' } }],
    [
      'as a sequence of JSON',
      {
        steps: [
          { raw: `\x1e{"choices":[{"delta":{"content":${JSON.stringify(TEXT)}}}]}\n` },
          { wait: 20 },
          { raw: '\x1e{"choices":[{"delta":{},"finish_reason":"stop"}]}\n' },
        ],
        headers: { 'content-type': 'application/json-seq' },
      },
    ],
    ['that claims to be HTML', { steps: WHOLE, headers: { 'content-type': 'text/html; charset=UTF-8' } }],
    [
      'as JSON on several lines that claims to be a stream',
      { body: PRETTY, headers: { 'content-type': 'text/event-stream' } },
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

  it('keeps the text that was held as a call when the answer breaks off, and not when its reader has gone', async () => {
    const request = requestOf('Hi', { tools: [{ name: 'now' }] });
    const text = '<tool_call>{"name": "now", "argu';
    upstream.script({ steps: [{ text }, { wait: 50 }, { cut: true }] }, { steps: [{ text }, { stall: true }] });
    const broken = await collectAnswer(provider, request);
    expectFailure(broken, { code: 'provider_unreachable', interrupted: true });
    expect([broken.batches[0], broken.text]).toEqual([[], text]);
    const stop = new AbortController();
    const stopped = await collectAnswer(provider, request, stop.signal, () => stop.abort(new Error('stopped')));
    expect([stopped.error, stopped.events]).toEqual([new Error('stopped'), []]);
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
