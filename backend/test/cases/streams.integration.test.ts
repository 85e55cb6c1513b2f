import type { ChatCompletion, Message, ResponseObject, ToolPart } from '@tanya/contract';
import type { MemberPage } from '../harness/chat-harness.js';
import { type Encoding, PNG_BASE64, type Script } from '../harness/scripted-answers.js';
import {
  ask,
  type Caller,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from '../public-api/public-api-harness.js';
import { askByApi, askOnPage, bytes, DONE, inputOf, sse, STOP } from './cases-harness.js';

let harness: PublicApiHarness;
let caller: Caller;
let member: MemberPage;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
});

// Each test has an account of its own, since sends are limited.
beforeEach(async () => {
  caller = await harness.caller();
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const onPage = (script: Script, fields: object = {}) => askOnPage(harness, member, script, fields);
const byApi = (script: Script, fields: object = {}) => askByApi(harness, caller, script, fields);

const text = (content: string) => sse({ delta: { content }, finish_reason: null });

describe('C1: reasoning in the text', () => {
  interface Case {
    sse: string[];
  }
  const cases = inputOf<Record<'split' | 'noOpening' | 'control' | 'cut', Case>>('C1');

  it('is apart from it, also in the next request; a program gets the text as it came', async () => {
    const { message } = await onPage(bytes(cases.split.sse));
    expect(message).toMatchObject({ status: 'complete', content: 'Hello.', reasoning: 'plan a' });
    await onPage(bytes([text('ok'), ...STOP]), { threadId: message.threadId });
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)!.body)).not.toContain('plan a');
    expect((await byApi(bytes(cases.split.sse))).text).toBe('<think>\nplan a\n</think>\n\nHello.');
  });

  it.each<[string, string[], string, string | null]>([
    ['noOpening', cases.noOpening.sse, 'Hello.', 'plan a'],
    ['control', cases.control.sse, 'Use `<think>` here:\n```\n<think>\nx\n</think>\n```', null],
    ['cut', cases.cut.sse, '', 'plan a and'],
    ['another tag', [text('[THINK]first, '), text('then[/THINK]'), text('So.'), ...STOP], 'So.', 'first, then'],
    ['the tag of thinking', [text(' <thinking>why</thi'), text('nking> Because.'), ...STOP], 'Because.', 'why'],
    ['a tag in the middle', [text('It writes <think> first.'), ...STOP], 'It writes <think> first.', null],
  ])('%s', async (name, stream, content, reasoning) => {
    const { message } = await onPage(bytes(stream));
    expect([message.content.trim(), message.reasoning ?? null]).toEqual([content, reasoning]);
    if (name === 'cut') expect(message.notices).toEqual([{ code: 'answer_length' }]);
  });
});

describe('C2: an error in the stream', () => {
  const { lines, sse: stream, control } = inputOf<{ lines: object[]; sse: string[]; control: { sse: string[] } }>('C2');
  const others = [
    { error: 'overloaded' },
    { error: { message: 'gone' } },
    { errors: [{ message: 'gone' }] },
    { status: 500, title: 'Internal', detail: 'gone' },
    [{ error: { code: 500, message: 'gone', status: 'INTERNAL' } }],
  ];

  it.each([...lines, ...others].map((line) => [JSON.stringify(line)]))(
    'fails, with its text and free: %s',
    async (line) => {
      const failing = bytes([stream[0]!, `data: ${line}\n\n`, DONE]);
      const { message, charged } = await onPage(failing);
      expect(['error', 'interrupted']).toContain(message.status);
      expect([message.content, charged]).toEqual(['The result is', 0]);
      const answer = await byApi(failing);
      expect(answer).toMatchObject({ text: 'The result is', finish: null, charged: 0 });
      expect(answer.error).not.toBeNull();
    },
  );

  it('is none where its field is empty', async () => {
    const { message } = await onPage(bytes(control.sse));
    expect(message).toMatchObject({ status: 'complete', content: 'Fine ok' });
    expect(await byApi(bytes(control.sse))).toMatchObject({ text: 'Fine ok', finish: 'stop', error: null });
  });
});

describe('C3: a reason of the end', () => {
  const { sse: stream, ...reasons } = inputOf<{ sse: string[] } & Record<string, string[]>>('C3');
  const withReason = (reason: string, content = 'Half a sent') =>
    bytes(stream.map((event) => event.replace('"R"', JSON.stringify(reason)).replace('Half a sent', content)));

  it.each([...reasons['length']!, 'Length', 'max_output_tokens'])('%s is the length', async (reason) => {
    const { message, charged } = await onPage(withReason(reason));
    expect(message).toMatchObject({ status: 'complete', notices: [{ code: 'answer_length' }] });
    expect(charged).toBe(1);
    expect(await byApi(withReason(reason))).toMatchObject({ finish: 'length', error: null });
  });

  it.each([...reasons['failedFree']!, 'OTHER', 'error', 'some_new_reason'])('%s is a failure, free', async (reason) => {
    const { message, charged } = await onPage(withReason(reason));
    expect(['error', 'interrupted']).toContain(message.status);
    expect(charged).toBe(0);
    for (const content of ['Half a sent', '']) {
      const answer = await byApi(withReason(reason, content));
      expect([answer.finish, answer.charged]).toEqual([null, 0]);
      expect(answer.error).not.toBeNull();
    }
  });

  it.each([...reasons['filter']!, 'content_filter', 'PROHIBITED_CONTENT'])('%s is the filter, free', async (reason) => {
    const { message, charged } = await onPage(withReason(reason));
    expect(message).toMatchObject({ status: 'error', error: { code: 'provider_refused' } });
    expect(charged).toBe(0);
    expect(await byApi(withReason(reason))).toMatchObject({ finish: 'content_filter', charged: 0 });
  });

  it.each([...reasons['complete']!, 'EOS_TOKEN', 'Stop'])('%s is regular', async (reason) => {
    const { message } = await onPage(withReason(reason));
    expect(message).toMatchObject({ status: 'complete', content: 'Half a sent' });
    expect(await byApi(withReason(reason))).toMatchObject({ finish: 'stop', charged: 1 });
  });
});

describe('C4: pieces of the arguments of a call', () => {
  const { pieces, expect: right } = inputOf<
    Record<'pieces', Record<string, string[]>> & { expect: Record<string, string> }
  >('C4');
  const tools = [{ type: 'function', function: { name: 'calculate' } }];
  const call = (given: readonly string[]) =>
    bytes([
      ...given.map((args, at) => {
        const start = at === 0 ? { id: 'c1', type: 'function' } : {};
        const own = { ...(at === 0 && { name: 'calculate' }), arguments: args };
        return sse({ delta: { tool_calls: [{ index: 0, ...start, function: own }] }, finish_reason: null });
      }),
      sse({ delta: {}, finish_reason: 'tool_calls' }),
      DONE,
    ]);

  it.each(Object.entries(pieces))('are one object by each API: %s', async (name, given) => {
    expect(JSON.parse((await byApi(call(given), { tools })).args)).toEqual(JSON.parse(right[name]!));
    harness.upstream.script(call(given), call(given));
    const whole = (await harness.post(caller.key, ask('Hello', { tools }))).body as ChatCompletion;
    expect(whole.choices[0]!.message.tool_calls![0]!.function.arguments).toBe(right[name]);
    const request = { model: MODEL, input: 'Hello', tools: [{ type: 'function', name: 'calculate' }] };
    const { body } = await harness.post(caller.key, request, {}, '/api/v1/responses');
    expect((body as ResponseObject).output).toMatchObject([{ type: 'function_call', arguments: right[name] }]);
  });

  it.each<[string, string[]]>([
    ['empty braces before', ['{}', '{"expression":', '"6*7"}']],
    ['empty braces and a blank before', ['{} ', '{"expression":"6*7"}']],
    ['null before', ['null', '{"expression":"6*7"}']],
    ['the whole once more', ['{"expression":', '"6*7"}', '{"expression":"6*7"}']],
    ['in a piece for each character', [...'{"expression":"6*7"}']],
  ])('run a tool of the server with %s', async (_name, given) => {
    harness.upstream.script(call(given));
    const { message } = await onPage(bytes([text('42'), ...STOP]), { tools: ['calculate'] });
    const part = message.parts?.find((each): each is ToolPart => each.type === 'tool');
    expect(part).toMatchObject({ tool: 'calculate', args: { expression: '6*7' }, state: 'done', result: '42' });
  });

  it('are read in a text of JSON by each API, and in the text of an answer on the page', async () => {
    const args = '{"expression":"6*7"}';
    const json = JSON.stringify(args);
    expect((await byApi(call([json.slice(0, 9), json.slice(9)]), { tools })).args).toBe(args);
    harness.upstream.script(bytes([text(`<tool_call>{"name":"calculate","arguments":${args}}</tool_call>`), ...STOP]));
    const { message } = await onPage(bytes([text('42'), ...STOP]), { tools: ['calculate'] });
    expect(message.parts).toMatchObject([{ tool: 'calculate', state: 'done', result: '42' }, { text: '42' }]);
  });
});

describe('C6: usage', () => {
  const input = inputOf<Record<string, unknown>>('C6');
  const other = (usage: unknown) =>
    bytes([text('Answer.'), sse({ delta: {}, finish_reason: 'stop' }, { usage }), DONE]);

  it.each<[string, Script, number | null]>([
    ['in the choice', bytes(input['choice'] as string[]), 1_280],
    ['of Groq', bytes(input['groq'] as string[]), null],
    ['with cached tokens beside it', other(input['topCached']), 1_280],
    ['with the hits of a cache', other(input['hitCached']), 1_280],
  ])('%s is the same in the records of page and API, and in the answer', async (_name, script, cached) => {
    await onPage(script);
    const { usage } = await byApi(script);
    expect(usage).toMatchObject({ prompt_tokens: 1_336, completion_tokens: 31, total_tokens: 1_367 });
    expect(usage!.prompt_tokens_details?.cached_tokens ?? 0).toBe(cached ?? 0);
    const records = await harness.dataSource.query<object[]>(
      `select prompt_tokens as prompt, completion_tokens as completion, cached_tokens as cached
       from usage_record where user_id = any($1)`,
      [[member.user.id, caller.user.id]],
    );
    expect(records).toEqual([1, 2].map(() => ({ prompt: 1_336, completion: 31, cached })));
  });

  it('of the total alone is estimated', async () => {
    const { usage } = await byApi(other(input['ignored']));
    expect(usage!.prompt_tokens).toBeLessThan(1_000);
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
  });
});

describe('S1: pictures in an answer', () => {
  const REQUESTS = {
    '/api/v1/chat/completions': ask('Hello'),
    '/api/v1/responses': { model: MODEL, input: 'Hello' },
    '/api/v1/messages': { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  };
  const { withText, parts } = inputOf<Record<'withText' | 'parts', string[]>>('S1');

  it.each([
    ['withText', withText, 'Here:'],
    ['parts', parts, 'Pic'],
  ])('%s has a notice, and is an error for a program, free', async (_name, stream, content) => {
    const { message, charged } = await onPage(bytes(stream));
    expect(message).toMatchObject({ status: 'complete', content, notices: [{ code: 'pictures_left_out' }] });
    expect(charged).toBe(1);
    const answer = await byApi(bytes(stream));
    expect(answer).toMatchObject({ text: content, finish: null, charged: 0, error: { code: 'provider_refused' } });
    for (const [path, request] of Object.entries(REQUESTS)) {
      harness.upstream.script(bytes(stream));
      const { status, text: body } = await harness.post(caller.key, request, {}, path);
      expect([path, status, body]).toEqual([path, 400, expect.stringContaining('pictures')]);
    }
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it.each([
    ['alone', withText.map((event) => event.replace('"Here:"', '""'))],
    [
      'without text',
      [sse({ delta: { images: [{ image_url: { url: `data:image/png;base64,${PNG_BASE64}` } }] } }), ...STOP],
    ],
  ])('%s is never a charged blank', async (_name, stream) => {
    const { message, charged } = await onPage(bytes(stream));
    const isShown = (message.notices ?? []).some(({ code }) => code === 'pictures_left_out');
    expect([message.status !== 'complete' && charged === 0, isShown]).toContain(true);
    const answer = await byApi(bytes(stream));
    expect(answer.error !== null ? answer.charged : 'passed on').toBe(0);
  });
});

describe('S5: a compressed answer', () => {
  const { answers, sse: stream } = inputOf<{ answers: Record<string, string>[]; sse: string[] }>('S5');
  const encodings = answers.map((headers) => headers['content-encoding'] as Encoding);

  it.each(encodings)('in %s is read, also a refusal', async (encoding) => {
    expect((await onPage(bytes(stream, { encoding }))).message.content).toBe('Hello.');
    expect(await byApi(bytes(stream, { encoding }))).toMatchObject({ text: 'Hello.', finish: 'stop' });
    expect(harness.upstream.callsOf().at(-1)!.headers['accept-encoding']).toBeDefined();
    const body = JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } });
    const refused = await byApi({ status: 400, body, encoding });
    expect(refused.error).toMatchObject({ code: 'context_length_exceeded' });
  });
});

describe('S8: framing and choices', () => {
  const input = inputOf<Record<string, { sse: string[]; expect: string }>>('S8');
  const { twoLines, noBlank, lastMessage, twoChoices, onlyIndex1 } = input as Required<typeof input>;
  const oneLf = twoLines!.sse.map((event) => event.replaceAll(/\n+/g, '\n'));

  it.each<[string, string[], string]>([
    ['twoLines', twoLines!.sse, twoLines!.expect],
    ['lastMessage', lastMessage!.sse, lastMessage!.expect],
    ['twoChoices', twoChoices!.sse, twoChoices!.expect],
    ['onlyIndex1', onlyIndex1!.sse, 'Only one.'],
    ['with CR', twoLines!.sse.map((event) => event.replaceAll('\n', '\r')), twoLines!.expect],
    [
      'with comments between',
      twoLines!.sse.flatMap((event) => [': OPENROUTER PROCESSING\n\n', event]),
      twoLines!.expect,
    ],
    ['with names of events', twoLines!.sse.slice(1).map((event) => `event: message\nid: 7\n${event}`), ' three.'],
  ])('%s is the whole text', async (_name, stream, right) => {
    expect((await onPage(bytes(stream))).message).toMatchObject({ status: 'complete', content: right });
    expect(await byApi(bytes(stream))).toMatchObject({ text: right, finish: 'stop', error: null });
  });

  it('lines that end with one LF alone are the whole text, never a part of it that is complete', async () => {
    expect(noBlank).toBeDefined();
    const message: Message = (await onPage(bytes(oneLf))).message;
    if (message.status === 'complete') expect(message.content).toBe('One two three.');
    const answer = await byApi(bytes(oneLf));
    if (answer.error === null) expect(answer).toMatchObject({ text: 'One two three.', finish: 'stop' });
  });
});
