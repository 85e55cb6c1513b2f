import { setImmediate as turn } from 'node:timers/promises';
import { DemoProvider } from '../../src/providers/demo/demo.provider.js';
import { OpenAiCompatibleProvider } from '../../src/providers/upstream/openai-compatible.provider.js';
import type { Provider } from '../../src/providers/provider.js';
import { collectAnswer, requestOf, TEST_TIMINGS } from '../harness/collect-answer.js';
import { echoText } from '../harness/scripted-answers.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

let upstream: ScriptedUpstream;
let remote: OpenAiCompatibleProvider;
beforeAll(async () => {
  upstream = await startUpstream({ pace: 2 });
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.calls.length = 0;
  remote = connect();
});
afterEach(() => remote.close());

function connect(apiKey: string | null = 'sk-test-key', timings = TEST_TIMINGS): OpenAiCompatibleProvider {
  return new OpenAiCompatibleProvider({
    name: 'openai',
    baseUrl: upstream.url,
    mayBePrivate: true,
    apiKey,
    timings,
  });
}

const PROVIDERS: [string, () => Provider][] = [
  ['openai-compatible', () => remote],
  ['demo', () => new DemoProvider({ pace: 400 })],
];

describe.each(PROVIDERS)('provider contract: %s', (_name, provider) => {
  it('streams an answer to the question in several batches and ends with one finish event', async () => {
    const answer = await collectAnswer(provider(), requestOf('How do rainbows form?'));
    expect(answer.error).toBeNull();
    expect(answer.text).toContain('How do rainbows form?');
    expect(answer.batches.length).toBeGreaterThan(3);
    expect(answer.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(answer.events.filter(({ type }) => type === 'finish')).toHaveLength(1);
  });

  it('reports usage once, before the finish event', async () => {
    const { events } = await collectAnswer(provider(), requestOf('Hello there'));
    const usage = events.filter((event) => event.type === 'usage');
    expect(usage).toHaveLength(1);
    expect(usage[0]?.completionTokens).toBeGreaterThan(0);
    expect(events.at(-2)).toBe(usage[0]);
  });

  it('never yields an empty delta', async () => {
    const { events } = await collectAnswer(provider(), requestOf('Hello there'));
    expect(events.filter((event) => 'text' in event && event.text === '')).toEqual([]);
  });

  it('throws the abort reason of the signal in mid-answer and keeps the text before it', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped by the user');
    const answer = await collectAnswer(provider(), requestOf('Tell me more'), stop.signal, () => stop.abort(reason));
    expect(answer.error).toBe(reason);
    expect(answer.text).not.toBe('');
    expect(answer.events.filter(({ type }) => type === 'finish')).toEqual([]);
  });

  it('makes no call if the signal is already aborted', async () => {
    const answer = await collectAnswer(provider(), requestOf('Hi'), AbortSignal.abort(new Error('too late')));
    expect(answer.error).toEqual(new Error('too late'));
    expect(answer.events).toEqual([]);
    expect(upstream.calls).toEqual([]);
  });

  it('allows the reader to leave the iteration early', async () => {
    const answer = await collectAnswer(provider(), requestOf('Hi'), undefined, () => false);
    expect(answer.error).toBeNull();
    expect(answer.batches).toHaveLength(1);
  });

  it('streams 20 answers at once without mixing them', async () => {
    const questions = Array.from({ length: 20 }, (_, index) => `question number ${index} of the batch`);
    const answers = await Promise.all(questions.map((question) => collectAnswer(provider(), requestOf(question))));
    answers.forEach((answer, index) => expect(answer.text).toContain(`${questions[index]}`));
  });

  it('generates a picture whose bytes match its type', async () => {
    const image = await provider().generateImage(
      { model: 'gpt-image-1', prompt: 'a cat' },
      new AbortController().signal,
    );
    expect(image.type).toBe('image/png');
    expect(image.bytes.subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('openai-compatible', () => {
  it('makes one call per answer and delivers the exact text of the upstream', async () => {
    const answer = await collectAnswer(remote, requestOf('Halo'));
    expect(answer.text).toBe(echoText('Halo', 40));
    expect(upstream.callsOf()).toHaveLength(1);
  });

  it('sends the fields of the request and no other', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'Hi' },
          { type: 'image' as const, dataUrl: 'data:image/png;base64,AAAA' },
        ],
      },
    ];
    await collectAnswer(remote, { model: 'm', messages, sampling: { temperature: 0.5 }, maxTokens: 64 });
    expect(upstream.callsOf()[0]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      max_tokens: 64,
    });
  });

  it('SSRF-5: sends the configured key and required headers only, ignoring OPENAI_* variables', async () => {
    process.env['OPENAI_CUSTOM_HEADERS'] = 'x-leak: 1';
    process.env['OPENAI_ORG_ID'] = 'org-leak';
    const provider = connect();
    delete process.env['OPENAI_CUSTOM_HEADERS'];
    delete process.env['OPENAI_ORG_ID'];
    await collectAnswer(provider, requestOf('Hi'));
    await provider.close();
    const { host, connection, 'content-length': length, ...headers } = upstream.callsOf()[0]?.headers ?? {};
    expect([host, connection, length].every(Boolean)).toBe(true);
    expect(headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer sk-test-key',
      'content-type': 'application/json',
      'user-agent': 'tanya',
    });
  });

  it('sends no Authorization header without a key', async () => {
    const provider = connect(null);
    await collectAnswer(provider, requestOf('Hi'));
    await provider.close();
    expect(upstream.callsOf()[0]?.headers.authorization).toBeUndefined();
  });

  it('reuses the connection after a complete answer', async () => {
    for (const text of ['one', 'two', 'three']) {
      await collectAnswer(remote, requestOf(text));
      await upstream.calls.at(-1)?.closed;
      // The upstream has sent the end; the client reads it in one of the next turns of the event loop.
      for (let count = 0; count < 20; count += 1) await turn();
    }
    expect(upstream.openSockets()).toBeLessThan(3);
  });

  it('streams reasoning apart from the text, under either field name', async () => {
    upstream.script({
      steps: [
        { reasoning: 'Let me ', field: 'reasoning' },
        { reasoning: 'think.', field: 'reasoning_content' },
        { text: 'Done.' },
        { finish: 'length' },
        { done: true },
      ],
    });
    const answer = await collectAnswer(remote, requestOf('Hi'));
    expect(answer).toMatchObject({ reasoning: 'Let me think.', text: 'Done.', error: null });
    expect(answer.events.at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  it('reads a JSON completion from a server that ignores `stream`', async () => {
    const body = {
      choices: [{ message: { content: 'All at once.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    };
    upstream.script({ body: JSON.stringify(body) });
    const answer = await collectAnswer(remote, requestOf('Hi'));
    expect(answer.events).toEqual([
      { type: 'text-delta', text: 'All at once.' },
      { type: 'usage', promptTokens: 3, completionTokens: 4 },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('reads a JSON completion with a byte order mark and another case of its type', async () => {
    const body = `\ufeff${JSON.stringify({ choices: [{ message: { content: 'All at once.' } }] })}`;
    upstream.script({ body, headers: { 'content-type': 'Application/JSON; charset=utf-8' } });
    expect(await collectAnswer(remote, requestOf('Hi'))).toMatchObject({ text: 'All at once.', error: null });
    upstream.script({ body: '<html></html>', headers: { 'content-type': 'Text/HTML' } });
    expect((await collectAnswer(remote, requestOf('Hi'))).error).toMatchObject({ fault: 'html' });
  });

  it.each(['text/plain', 'application/octet-stream', 'application/vnd.api'])(
    'reads a JSON completion on several lines that is called %s',
    async (type) => {
      const body = JSON.stringify({ choices: [{ message: { content: 'All at once.' } }] }, null, 2);
      upstream.script({ body, headers: { 'content-type': type } });
      expect(await collectAnswer(remote, requestOf('Hi'))).toMatchObject({ text: 'All at once.', error: null });
    },
  );

  it('waits for an answer that follows its finish reason', async () => {
    const provider = connect('sk-test-key', { ...TEST_TIMINGS, closing: 20 });
    const late = { wait: 200 };
    upstream.script({
      steps: [
        { finish: 'stop' },
        late,
        { reasoning: 'Hm.' },
        late,
        { text: 'Done.' },
        { finish: 'stop' },
        { done: true },
      ],
    });
    const answer = await collectAnswer(provider, requestOf('Hi'));
    await provider.close();
    expect(answer).toMatchObject({ reasoning: 'Hm.', text: 'Done.', error: null });
  });

  it('reads all pages of a list of models, each model once, and ends where a page adds none', async () => {
    const page = (ids: string[], has_more: boolean): void =>
      upstream.script({
        on: 'models',
        body: JSON.stringify({ data: ids.map((id) => ({ id })), has_more, last_id: ids.at(-1) }),
      });
    const idsOf = async (): Promise<string[]> =>
      (await remote.listModels(new AbortController().signal)).map(({ id }) => id);
    page(['a', 'b'], true);
    page(['b', 'c&d'], true);
    page(['e'], false);
    expect(await idsOf()).toEqual(['a', 'b', 'c&d', 'e']);
    page(['a'], true);
    page(['a'], true);
    expect(await idsOf()).toEqual(['a']);
    expect(upstream.callsOf('models').map(({ path }) => path.split('?')[1])).toEqual([
      ...[undefined, 'after_id=b', 'after_id=c%26d'],
      ...[undefined, 'after_id=a'],
    ]);
  });

  it.each<[string, object]>([
    ['the type of PHP', { headers: { 'content-type': 'text/html; charset=UTF-8' } }],
    ['the type of a text', { headers: { 'content-type': 'text/plain' } }],
  ])('lists models with a byte order mark and %s', async (_name, script) => {
    upstream.script({ on: 'models', body: `\ufeff${JSON.stringify({ data: [{ id: 'a' }] })}`, ...script });
    expect((await remote.listModels(new AbortController().signal)).map(({ id }) => id)).toEqual(['a']);
  });

  it('lists models with name and context length where the server sends them', async () => {
    upstream.script({
      on: 'models',
      body: JSON.stringify({ data: [{ id: 'a', context_length: 4096 }, { id: 'b', name: 'Bee' }, { id: 7 }, null] }),
    });
    expect(await remote.listModels(new AbortController().signal)).toEqual([
      { id: 'a', name: null, description: null, contextLength: 4096, capabilities: expect.any(Object) },
      { id: 'b', name: 'Bee', description: null, contextLength: null, capabilities: expect.any(Object) },
    ]);
  });
});
