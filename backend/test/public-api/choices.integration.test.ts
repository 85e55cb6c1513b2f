import type { ChatCompletion, ChatCompletionChunk } from '@tanya/contract';
import type { Step } from '../harness/scripted-answers.js';
import { ask, type Caller, errorIn, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

let harness: PublicApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
});

beforeEach(async () => {
  caller = await harness.caller();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const of = (index: number, delta: object, more: object = {}): Step => ({
  chunk: { choices: [{ index, delta, finish_reason: null, ...more }] },
});

const end = (index: number, reason: string | null = 'stop'): Step => of(index, {}, { finish_reason: reason });

const LAST: Step[] = [{ usage: { prompt: 10, completion: 6 } }, { done: true }];

const THREE: Step[] = [
  of(0, { role: 'assistant', content: '' }),
  of(1, { content: 'Uno' }),
  of(0, { content: 'One' }),
  of(2, { content: 'Satu' }),
  of(1, { content: ' due' }),
  of(0, { content: ' two' }),
  end(1),
  of(2, { content: ' dua' }),
  end(0),
  end(2, 'length'),
];

const choicesOf = (body: unknown): unknown[] =>
  (body as ChatCompletion).choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason]);

const askFor = (n: number, more: object = {}) => harness.post(caller.key, ask('Count', { n, ...more }));

const chunksOf = (text: string): ChatCompletionChunk[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as ChatCompletionChunk);

/** What a stream says of each choice. */
function readStream(text: string): [text: string, finish: string | null][] {
  const read = new Map<number, [string, string | null]>();
  for (const { index, delta, finish_reason } of chunksOf(text).flatMap(({ choices }) => choices)) {
    const [before, finish] = read.get(index) ?? ['', null];
    read.set(index, [before + (delta.content ?? ''), finish_reason ?? finish]);
  }
  return [...read].sort(([one], [other]) => one - other).map(([, choice]) => choice);
}

describe('several answers to one request', () => {
  it('are asked for once, and each of them costs a message', async () => {
    harness.upstream.script({ steps: [...THREE, ...LAST] });
    const { status, body } = await askFor(3);
    expect([status, choicesOf(body)]).toEqual([
      200,
      [
        [0, 'One two', 'stop'],
        [1, 'Uno due', 'stop'],
        [2, 'Satu dua', 'length'],
      ],
    ]);
    expect((body as ChatCompletion).usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 6 });
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({ n: 3 });
    await harness.settle();
    expect(await harness.usedBy(caller)).toBe(3);
  });

  it('arrive in a stream as they are written', async () => {
    harness.upstream.script({ steps: [...THREE, ...LAST] });
    const { text } = await askFor(3, { stream: true });
    expect(readStream(text)).toEqual([
      ['One two', 'stop'],
      ['Uno due', 'stop'],
      ['Satu dua', 'length'],
    ]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    await harness.settle();
    expect(await harness.usedBy(caller)).toBe(3);
  });

  it.each([
    [
      'the second is filtered',
      [of(0, { content: 'a' }), of(1, { content: 'b' }), end(0), end(1, 'content_filter')],
      1,
      [
        [0, 'a', 'stop'],
        [1, 'b', 'content_filter'],
      ],
    ],
    [
      'the first is filtered',
      [of(0, { content: 'a' }), of(1, { content: 'b' }), end(0, 'content_filter'), end(1)],
      1,
      [
        [0, 'a', 'content_filter'],
        [1, 'b', 'stop'],
      ],
    ],
    [
      'the first fails',
      [of(0, { content: 'a' }), of(1, { content: 'b' }), end(0, 'error'), end(1)],
      1,
      [[1, 'b', 'stop']],
    ],
    [
      'the second fails',
      [of(0, { content: 'a' }), of(1, { content: 'b' }), end(0), end(1, 'abort')],
      1,
      [[0, 'a', 'stop']],
    ],
    ['the second has no end', [of(0, { content: 'a' }), of(1, { content: '' }), end(0)], 1, [[0, 'a', 'stop']]],
    [
      'the server numbers answers between two others',
      [of(0, { content: 'a' }), of(0.5, { content: 'b' }), of(1.5, { content: 'c' }), end(0), end(0.5), end(1.5)],
      1,
      [[0, 'a', 'stop']],
    ],
    ['the server knows one alone', [of(0, { content: 'a' }), end(0)], 1, [[0, 'a', 'stop']]],
  ] as [string, Step[], number, unknown[]][])(
    'are charged as far as they ended regularly: %s',
    async (_what, steps, charged, choices) => {
      harness.upstream.script({ steps: [...steps, ...LAST] }, { steps: [...steps, ...LAST] });
      const { status, body } = await askFor(2);
      expect([status, choicesOf(body)]).toEqual([200, choices]);
      await harness.settle();
      expect(await harness.usedBy(caller)).toBe(charged);
      const { text } = await askFor(2, { stream: true });
      const finished = readStream(text).flatMap(([, finish]) => (finish === null ? [] : [finish]));
      expect(finished).toEqual(choices.map((choice) => (choice as unknown[])[2]));
    },
  );

  it('are free when none ended regularly, and when the stream breaks off', async () => {
    harness.upstream.script({
      steps: [of(0, { content: 'a' }), of(1, { content: 'b' }), end(0, 'error'), end(1, 'error'), ...LAST],
    });
    const failed = await askFor(2);
    expect([failed.status, errorIn(failed.body).type]).toEqual([502, 'provider_error']);
    harness.upstream.script({
      steps: [of(0, { content: 'a' }), end(0), of(1, { content: 'b' }), { error: { code: 500 } }],
    });
    expect((await askFor(2)).status).toBe(502);
    await harness.settle();
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('end together when one of them has no end', async () => {
    const endless = 'x'.repeat(20_000);
    harness.upstream.script({ steps: [of(0, { content: 'One ' }), of(1, { content: endless })], endless: true });
    const { status, body } = await askFor(2);
    const [first, second] = (body as ChatCompletion).choices;
    expect([status, first!.finish_reason, second!.finish_reason]).toEqual([200, 'length', 'length']);
    expect(first!.message.content).toMatch(/^(One )+$/);
    expect(second!.message.content).toHaveLength(200_000);
    await harness.upstream.callsOf().at(-1)!.closed;
  });

  it('have calls of tools of their own', async () => {
    const call = (index: number, city: string): Step =>
      of(index, {
        tool_calls: [
          {
            index: 0,
            id: `call_${city}`,
            type: 'function',
            function: { name: 'weather', arguments: `{"city":"${city}"}` },
          },
        ],
      });
    harness.upstream.script({
      steps: [call(0, 'Bogor'), call(1, 'Depok'), end(1, 'tool_calls'), end(0, 'tool_calls'), ...LAST],
    });
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];
    const { body } = await askFor(2, { tools });
    const { choices } = body as ChatCompletion;
    expect(
      choices.map(({ message, finish_reason }) => [message.tool_calls?.[0]?.function.arguments, finish_reason]),
    ).toEqual([
      ['{"city":"Bogor"}', 'tool_calls'],
      ['{"city":"Depok"}', 'tool_calls'],
    ]);
  });

  it('of an unstreamed server arrive too, and repeat with their Idempotency-Key', async () => {
    const choices = [0, 1].map((index) => ({
      index,
      message: { role: 'assistant', content: `text ${index}` },
      finish_reason: 'stop',
    }));
    harness.upstream.script({ body: JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 2 } }) });
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await harness.post(caller.key, ask('Count', { n: 2 }), headers);
    expect(choicesOf(first.body)).toEqual([
      [0, 'text 0', 'stop'],
      [1, 'text 1', 'stop'],
    ]);
    expect((await harness.post(caller.key, ask('Count', { n: 2 }), headers)).body).toEqual(first.body);
    await harness.settle();
    expect(await harness.usedBy(caller)).toBe(2);
  });

  it('are refused beyond the messages that are left', async () => {
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 2 });
    const refused = await askFor(3);
    harness.upstream.script({ steps: [of(0, { content: 'a' }), of(1, { content: 'b' }), end(0), end(1), ...LAST] });
    const allowed = await askFor(2);
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100 });
    expect([refused.status, errorIn(refused.body).code, allowed.status]).toEqual([403, 'quota_exceeded', 200]);
  });
});

describe('likelihoods of tokens', () => {
  const token = (text: string) => ({
    token: text,
    logprob: -0.1,
    bytes: null,
    top_logprobs: [{ token: text, logprob: -0.1, bytes: null }],
  });
  const STEPS: Step[] = [
    of(0, { content: 'He' }, { logprobs: { content: [token('He')], refusal: null } }),
    of(0, { content: 'llo' }, { logprobs: { content: [token('llo')], refusal: null } }),
    end(0),
    ...LAST,
  ];

  it('are passed on to a request that asks for them', async () => {
    harness.upstream.script({ steps: STEPS }, { steps: STEPS });
    const asked = ask('Hi', { logprobs: true, top_logprobs: 1 });
    const whole = (await harness.post(caller.key, asked)).body as ChatCompletion;
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({ logprobs: true, top_logprobs: 1 });
    expect(whole.choices[0]).toMatchObject({
      message: { content: 'Hello' },
      logprobs: { content: [token('He'), token('llo')], refusal: null },
    });
    const { text } = await harness.post(caller.key, { ...asked, stream: true });
    const choices = chunksOf(text).flatMap((chunk) => chunk.choices);
    const tokens = choices.flatMap(({ logprobs }) => logprobs?.content ?? []);
    expect(tokens).toEqual([token('He'), token('llo')]);
  });

  it('are left out of other answers', async () => {
    harness.upstream.script({ steps: STEPS });
    const { body, text } = await harness.post(caller.key, ask('Hi'));
    expect([(body as ChatCompletion).choices[0]!.message.content, text.includes('logprobs')]).toEqual(['Hello', false]);
  });
});
