import { randomUUID } from 'node:crypto';
import type { ChatCompletionChunk } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { errorIn } from './public-api-harness.js';
import {
  CALLS,
  choiceOf,
  startToolCallsHarness,
  type ToolCallsHarness,
  TWO_CALLS,
  withTools,
} from './tool-calls-harness.js';

describe.each(ADAPTERS)('the reasoning of calls that a program runs, %s', (_name, redis) => {
  let harness: ToolCallsHarness;

  beforeAll(async () => {
    harness = await startToolCallsHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('comes with the calls, with which a client returns it as a thinking model requires', async () => {
    const caller = await harness.caller();
    const headers = { 'Idempotency-Key': randomUUID() };
    const details = [{ type: 'reasoning.encrypted', data: 'a\0b', id: 'r', constructor: 'c', 'k\0': '\ud800' }];
    const steps: Step[] = [
      { reasoning: 'Hm, ', field: 'reasoning_content' },
      { reasoning: 'the weather.', field: 'reasoning_content' },
      { chunk: { choices: [{ index: 0, delta: { reasoning_details: details } }] } },
      ...TWO_CALLS,
    ];
    harness.upstream.script({ steps }, { steps });
    const first = choiceOf((await harness.post(caller.key, withTools(), headers)).body).message;
    expect(first).toMatchObject({ content: null, tool_calls: CALLS, reasoning_content: 'Hm, the weather.' });
    const stored = { type: 'reasoning.encrypted', data: 'ab', id: 'r', constructor: 'c', k: '\ufffd' };
    expect(first.reasoning_details).toEqual([stored]);
    for (const more of [{}, headers]) {
      const { chunks, calls } = await harness.streamed(caller, {}, more);
      const deltas = chunks.map(({ choices }) => choices[0]!.delta as ChatCompletionChunk['choices'][0]['delta']);
      expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('Hm, the weather.');
      expect(deltas.filter((delta) => delta.reasoning_details !== undefined)).toHaveLength(1);
      expect(calls).toEqual(CALLS);
    }
    const results = CALLS.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'rain' }));
    await harness.post(caller.key, withTools({ messages: [{ role: 'user', content: 'weather?' }, first, ...results] }));
    const sent = harness.upstream.callsOf().at(-1)!.body['messages'] as object[];
    expect(sent[1]).toEqual(first);
  });

  it('may be a signature of a call, which the client returns with it', async () => {
    const caller = await harness.caller();
    const headers = { 'Idempotency-Key': randomUUID() };
    const extra = { google: { thought_signature: 'A1+/=\0', constructor: 'c' } };
    const steps: Step[] = [
      { call: { index: 0, id: 'call_a', name: 'get_weather', args: '{"city":"Jakarta"}', extra } },
      { call: { index: 1, id: 'call_b', name: 'get_weather', args: '{"city":"Bogor"}' } },
      { finish: 'stop' },
      { done: true },
    ];
    harness.upstream.script({ steps }, { steps });
    const extra_content = { google: { thought_signature: 'A1+/=', constructor: 'c' } };
    const calls = [{ ...CALLS[0], extra_content }, CALLS[1]];
    const answer = choiceOf((await harness.post(caller.key, withTools(), headers)).body).message;
    expect(answer).toMatchObject({ content: null, tool_calls: calls });
    for (const more of [{}, headers]) {
      const { chunks } = await harness.streamed(caller, {}, more);
      const begun = chunks.flatMap(({ choices }) => choices[0]!.delta.tool_calls ?? []).filter(({ id }) => id);
      expect(begun).toMatchObject([
        { id: 'call_a', extra_content },
        { id: 'call_b', function: { name: 'get_weather', arguments: '' } },
      ]);
      expect(begun[1]).not.toHaveProperty('extra_content');
    }
    const question = { role: 'user', content: 'weather?' };
    const results = CALLS.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'rain' }));
    await harness.post(caller.key, withTools({ messages: [question, answer, ...results] }));
    const sent = harness.upstream.callsOf().at(-1)!.body['messages'] as object[];
    expect(sent[1]).toEqual(answer);
    const wrong = { ...answer, tool_calls: [{ ...calls[0], extra_content: 'x' }, calls[1]] };
    const { status, body } = await harness.post(caller.key, withTools({ messages: [question, wrong, ...results] }));
    expect([status, errorIn(body).param]).toEqual([400, 'messages.1.tool_calls.0.extra_content']);
  });

  it('stays in the text where the model wrote it there', async () => {
    const caller = await harness.caller();
    for (const content of ['<think>\nplan a\n</think>\n\nHello.', 'plan a\n</think>\n\nHello.']) {
      const steps: Step[] = [...[...content].map((text) => ({ text })), { finish: 'stop' }, { done: true }];
      harness.upstream.script({ steps }, { steps });
      expect(choiceOf((await harness.post(caller.key, withTools())).body).message).toMatchObject({ content });
      const { chunks } = await harness.streamed(caller);
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(content);
    }
  });

  it('is left out of a request that is repeated, once, for an upstream that refuses it', async () => {
    const caller = await harness.caller();
    const results = CALLS.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'rain' }));
    const answer = { role: 'assistant', content: null, tool_calls: CALLS };
    const reasoning = { reasoning_content: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] };
    const question = { role: 'user', content: 'weather?' };
    const request = withTools({ messages: [question, { ...answer, ...reasoning }, ...results] });
    const refusal = { status: 400, body: `{"error":{"message":"property 'reasoning_content' is unsupported"}}` };
    const sentBy = async (): Promise<unknown[]> => {
      const before = harness.upstream.callsOf().length;
      const { status } = await harness.post(caller.key, request);
      const calls = harness.upstream.callsOf().slice(before);
      return [status, ...calls.map(({ body }) => (body['messages'] as object[])[1])];
    };
    harness.upstream.script(refusal, { steps: [{ text: 'Rain.' }, { finish: 'stop' }, { done: true }] });
    expect(await sentBy()).toEqual([200, { ...answer, ...reasoning }, answer]);
    expect(await harness.usedBy(caller)).toBe(1);
    harness.upstream.script(refusal, refusal);
    expect(await sentBy()).toEqual([400, { ...answer, ...reasoning }, answer]);
    expect(await harness.usedBy(caller)).toBe(1);
  });

  it('has the name that the upstream gives it', async () => {
    const caller = await harness.caller();
    harness.upstream.script({ steps: [{ reasoning: 'Hm', field: 'reasoning' }, ...TWO_CALLS] });
    const { message } = choiceOf((await harness.post(caller.key, withTools())).body);
    expect([message.reasoning, message.reasoning_content, message.reasoning_details]).toEqual([
      'Hm',
      undefined,
      undefined,
    ]);
  });
});
