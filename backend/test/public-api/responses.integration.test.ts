import { randomUUID } from 'node:crypto';
import type { ResponseObject } from '@tanya/contract';
import { ADAPTERS } from '../harness/chat-harness.js';
import { textAnswer, WEATHER_CALL, WEATHER_SCHEMA } from './client-cases.js';
import { errorIn, MODEL } from './public-api-harness.js';
import {
  eventsOf,
  RESPONSE_TOOLS,
  RESPONSES,
  type ResponsesHarness,
  startResponsesHarness,
} from './responses-harness.js';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

describe.each(ADAPTERS)('responses of the public API, %s', (_name, redis) => {
  let harness: ResponsesHarness;

  beforeAll(async () => {
    harness = await startResponsesHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('answers with a message and its usage, stores both, and charges one message', async () => {
    const member = await harness.caller();
    harness.upstream.script({ steps: textAnswer('Hello there') });
    const { body } = await harness.post(
      member.key,
      { model: MODEL, input: 'hi', instructions: 'Be short', temperature: 0.5, max_output_tokens: 9 },
      {},
      RESPONSES,
    );
    const response = body as ResponseObject;
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: MODEL,
      instructions: 'Be short',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello there' }] }],
      usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
    });
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: 'hi' },
      ],
      temperature: 0.5,
    });
    expect((await harness.read('GET', response.id, member.key)).body).toEqual(response);
    expect(await harness.usedBy(member)).toBe(1);
  });

  it('passes on images, forms of the text and results of calls', async () => {
    harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const image = { type: 'input_image', image_url: PIXEL, detail: 'auto' };
    const asked = await harness.respondTo({
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'weather?' }, image] }],
      tools: RESPONSE_TOOLS,
    });
    expect(asked.output).toEqual([
      expect.objectContaining({ type: 'function_call', call_id: 'call_weather', arguments: '{"city":"Jakarta"}' }),
    ]);
    expect(harness.sentMessages()).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'weather?' },
          { type: 'image_url', image_url: { url: PIXEL, detail: 'auto' } },
        ],
      },
    ]);
    const answer = await harness.respondTo({
      previous_response_id: asked.id,
      input: [{ type: 'function_call_output', call_id: 'call_weather', output: 'rain' }],
      tools: RESPONSE_TOOLS,
      text: { format: { type: 'json_schema', name: 'city', schema: WEATHER_SCHEMA, strict: true } },
    });
    expect(answer).toMatchObject({ previous_response_id: asked.id, text: { format: { type: 'json_schema' } } });
    expect(harness.sentMessages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_weather' }] },
      { role: 'tool', tool_call_id: 'call_weather', content: 'rain' },
    ]);
    const { response_format: format } = harness.upstream.callsOf().at(-1)!.body as { response_format?: object };
    expect(format).toMatchObject({ type: 'json_schema', json_schema: { name: 'city', strict: true } });
  });

  it('continues a conversation, without the instructions of earlier responses', async () => {
    harness.upstream.script(...['one', 'two', 'three'].map((text) => ({ steps: textAnswer(text) })));
    const first = await harness.respondTo({ input: 'a', instructions: 'Be short' });
    const second = await harness.respondTo({ input: 'b', previous_response_id: first.id });
    await harness.respondTo({ input: 'c', previous_response_id: second.id, store: false });
    expect(harness.sentMessages()).toMatchObject([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'one' },
      { role: 'user' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'c' },
    ]);
    await harness.read('DELETE', first.id);
    for (const id of ['resp_1', 'x', second.id.toUpperCase()]) {
      const unknown = await harness.respond({ input: 'd', previous_response_id: id });
      expect([unknown.status, errorIn(unknown.body).param]).toEqual([404, 'previous_response_id']);
    }
    const broken = await harness.respond({ input: 'd', previous_response_id: second.id });
    expect([broken.status, errorIn(broken.body).param]).toEqual([404, 'previous_response_id']);
  });

  it('refuses what it does not support, by name', async () => {
    const cases: [object, string, string][] = [
      [{ background: true }, 'background', 'background'],
      [{ conversation: 'conv_1' }, 'conversation', 'conversation'],
      [{ tools: [{ type: 'file_search', vector_store_ids: ['x'] }] }, 'tools.0.type', 'file_search'],
      [{ input: [{ type: 'input_file', file_id: 'x' }] }, 'input.0.type', 'type'],
      [{ tools: [[{ type: 'function', name: 'f' }]] }, 'tools', 'tools'],
      [{ input: [] }, 'input', 'input'],
      [{ input: [{ role: 'user', content: [{ type: { toString: 1, valueOf: 1 }, text: 'x' }] }] }, 'input.0', 'Parts'],
      [{ input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }, 'input', 'function_call'],
      [{ text: { format: 'json' } }, 'text.format', 'format'],
      [{ tool_choice: 'required' }, 'tool_choice', 'tools'],
    ];
    for (const [body, param, word] of cases) {
      const answer = await harness.respond({ input: 'x', ...body });
      const error = errorIn(answer.body);
      expect([answer.status, error.message]).toEqual([400, expect.stringContaining(word)]);
      expect(error.param).toMatch(new RegExp(`^${param}`));
    }
    const defaults = { background: false, conversation: null, user: 'u', metadata: { a: 'b' }, service_tier: 'auto' };
    expect((await harness.respond({ input: 'x', ...defaults })).status).toBe(200);
  });

  it('returns the first response for a repeated Idempotency-Key, and refuses the key for another request', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const calls = harness.upstream.callsOf().length;
    const [one, two] = await Promise.all([
      harness.respond({ input: 'once' }, key),
      harness.respond({ input: 'once' }, key),
    ]);
    expect((two.body as ResponseObject).id).toBe((one.body as ResponseObject).id);
    expect((two.body as ResponseObject).output).toEqual((one.body as ResponseObject).output);
    expect(harness.upstream.callsOf().length).toBe(calls + 1);
    const streamed = eventsOf((await harness.respond({ input: 'once', stream: true }, key)).text);
    expect(streamed.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id: (one.body as ResponseObject).id },
    });
    expect((await harness.respond({ input: 'twice' }, key)).status).toBe(409);
  });
});
