import type { ResponseObject } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { textAnswer } from './client-cases.js';
import { ask, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';
import { eventsOf, RESPONSE_TOOLS, RESPONSES } from './responses-harness.js';
import { WEATHER } from './tool-calls-harness.js';

/** An answer that a filter of the provider ends after a text. */
const filteredAfter = (text: string): Step[] => [
  ...(text === '' ? [] : [{ text }]),
  { finish: 'content_filter' },
  { usage: { prompt: 5, completion: 3 } },
  { done: true },
];

describe.each(ADAPTERS)('an answer that a filter of the provider ends, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it.each(['Once upon', ''])('after the text "%s" is a chat completion with it, free of quota', async (text) => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: filteredAfter(text) });
    const { status, body } = await harness.post(caller.key, ask('a story'));
    expect([status, body]).toMatchObject([
      200,
      {
        choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'content_filter' }],
        usage: { prompt_tokens: 5, completion_tokens: 3 },
      },
    ]);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('is streamed with its finish reason', async () => {
    const { openai } = await harness.caller();
    harness.upstream.script({ steps: filteredAfter('Once upon') });
    const stream = await openai.chat.completions.create({ ...ask('a story'), stream: true });
    const choices = [];
    for await (const chunk of stream) choices.push(...chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('Once upon');
    expect(choices.at(-1)?.finish_reason).toBe('content_filter');
  });

  it('is an incomplete response, also streamed and when read later', async () => {
    const caller = await harness.caller();
    const state = {
      status: 'incomplete',
      error: null,
      incomplete_details: { reason: 'content_filter' },
      output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Once upon' }] }],
    };
    harness.upstream.script({ steps: filteredAfter('Once upon') }, { steps: filteredAfter('Once upon') });
    const whole = await harness.post(caller.key, { model: MODEL, input: 'a story' }, {}, RESPONSES);
    expect([whole.status, whole.body]).toMatchObject([200, state]);
    const { text } = await harness.post(caller.key, { model: MODEL, input: 'a story', stream: true }, {}, RESPONSES);
    const last = eventsOf(text).at(-1) as unknown as { type: string; response: ResponseObject };
    expect(last).toMatchObject({ type: 'response.incomplete', response: state });
    const headers = { Authorization: `Bearer ${caller.key}` };
    const stored = await harness.client().get(`${RESPONSES}/${last.response.id}`, { headers });
    expect(stored.body).toEqual(last.response);
    expect(await harness.usedBy(caller)).toBe(0);
  });

  it('stays in its response after its Idempotency-Key asked again', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: filteredAfter('Once upon') }, { steps: textAnswer('Hello') });
    const post = () =>
      harness.post(caller.key, { model: MODEL, input: 'a story' }, { 'Idempotency-Key': 'once' }, RESPONSES);
    const first = (await post()).body as ResponseObject;
    // The node died before it stored the end.
    await harness.dataSource.query('update api_response set state = null where user_id = $1', [caller.user.id]);
    expect((await post()).body).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Hello' }] }] });
    const headers = { Authorization: `Bearer ${caller.key}` };
    const { body } = await harness.client().get(`${RESPONSES}/${first.id}`, { headers });
    expect(body).toMatchObject({ status: 'incomplete', output: [{ content: [{ text: 'Once upon' }] }] });
  });

  describe('within the second of two calls', () => {
    const steps: Step[] = [
      { call: { index: 0, id: 'call_a', name: 'get_weather', args: '{"city":"Bogor"}' } },
      { call: { index: 1, id: 'call_b', name: 'get_weather', args: '{"ci' } },
      ...filteredAfter(''),
    ];

    it('is a chat completion without calls', async () => {
      const { openai } = await harness.caller();
      harness.upstream.script({ steps }, { steps });
      const whole = await openai.chat.completions.create({ ...ask('weather?'), tools: [WEATHER] });
      const message = { role: 'assistant', content: '' };
      expect(whole.choices).toEqual([{ index: 0, message, finish_reason: 'content_filter' }]);
      const stream = await openai.chat.completions.create({ ...ask('weather?'), tools: [WEATHER], stream: true });
      const reasons = [];
      for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason);
      expect(reasons.filter(Boolean)).toEqual(['content_filter']);
    });

    it('is a response without calls, which the next one continues', async () => {
      const { key } = await harness.caller();
      harness.upstream.script({ steps }, { steps }, { steps: textAnswer('Hello') });
      const request = { model: MODEL, input: 'weather?', tools: RESPONSE_TOOLS };
      const { body } = await harness.post(key, request, {}, RESPONSES);
      const output = [{ type: 'message', status: 'incomplete', content: [{ text: '' }] }];
      expect(body).toMatchObject({ status: 'incomplete', output });
      const { text } = await harness.post(key, { ...request, stream: true }, {}, RESPONSES);
      const events = eventsOf(text);
      const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
      expect(done).toMatchObject(output);
      const last = events.at(-1) as unknown as { response: ResponseObject };
      expect(last.response).toMatchObject({ status: 'incomplete', output });
      const next = { model: MODEL, input: 'go on', previous_response_id: last.response.id };
      expect((await harness.post(key, next, {}, RESPONSES)).body).toMatchObject({ status: 'completed' });
    });
  });

  it('is a failed answer in a chat', async () => {
    const { client } = await harness.caller();
    harness.upstream.script({ steps: filteredAfter('Once upon') });
    const { body } = await client.post('/api/chat/message', { content: 'a story' });
    expect(body).toMatchObject({ statusCode: 500, code: 'provider_refused' });
  });
});
