import type { ChatCompletion, ResponseObject } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { ask, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';
import { eventsOf, RESPONSES } from './responses-harness.js';

/** An answer whose tokens went into reasoning. */
const withoutText = (finish: string): Step[] => [
  { reasoning: 'Hm, let me think' },
  { finish },
  { usage: { prompt: 5, completion: 16, reasoning: 16 } },
  { done: true },
];

describe.each(ADAPTERS)('an answer without text, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it.each(['stop', 'length'])('by %s is a charged chat completion with an empty text', async (finish) => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: withoutText(finish) });
    const { status, body } = await harness.post(caller.key, ask('think'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      choices: [{ message: { role: 'assistant', content: '' }, finish_reason: finish }],
      usage: { prompt_tokens: 5, completion_tokens: 16 },
    } satisfies Partial<Record<keyof ChatCompletion, unknown>>);
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it.each(['stop', 'length'])('by %s is streamed', async (finish) => {
    const { openai } = await harness.caller();
    harness.upstream.script({ steps: withoutText(finish) });
    const stream = await openai.chat.completions.create({ ...ask('think'), stream: true });
    const choices = [];
    for await (const chunk of stream) choices.push(...chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('');
    expect(choices.at(-1)?.finish_reason).toBe(finish);
  });

  it.each([
    ['stop', { status: 'completed', incomplete_details: null }],
    ['length', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
  ])('by %s is a response with an empty message, also streamed', async (finish, state) => {
    const { key } = await harness.caller();
    const message = { type: 'message', role: 'assistant', status: state.status, content: [{ text: '' }] };
    harness.upstream.script({ steps: withoutText(finish) }, { steps: withoutText(finish) });
    const whole = await harness.post(key, { model: MODEL, input: 'think' }, {}, RESPONSES);
    expect([whole.status, whole.body]).toMatchObject([200, { ...state, output: [message] }]);
    const { text } = await harness.post(key, { model: MODEL, input: 'think', stream: true }, {}, RESPONSES);
    const last = eventsOf(text).at(-1) as unknown as { type: string; response: ResponseObject };
    expect(last).toMatchObject({ type: `response.${state.status}`, response: { ...state, output: [message] } });
  });

  it('without a finish reason is an error that costs nothing', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: [{ done: true }] });
    const answer = await harness.post(caller.key, ask('think'));
    expect([answer.status, errorIn(answer.body).code]).toEqual([502, 'provider_error']);
    expect(await harness.usedBy(caller)).toBe(0);
  });
});
