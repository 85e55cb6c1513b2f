import { CITY, CITY_ANSWER, CITY_SCHEMA, textAnswer, WEATHER_CALL, WEATHER_SCHEMA } from './client-cases.js';
import { failureOf, MODEL, useOneCaller } from './public-api-harness.js';

describe('responses of the npm package openai', () => {
  const suite = useOneCaller();

  it('creates, retrieves, continues and deletes responses', async () => {
    const { responses } = suite.caller.openai;
    suite.harness.upstream.script({ steps: textAnswer('Hello there') }, { steps: textAnswer('Again') });
    const first = await responses.create({ model: MODEL, input: 'hi' });
    expect(first.output_text).toBe('Hello there');
    expect((await responses.retrieve(first.id)).output_text).toBe('Hello there');
    const next = await responses.create({ model: MODEL, input: 'again', previous_response_id: first.id });
    expect([next.output_text, next.previous_response_id]).toEqual(['Again', first.id]);
    await responses.delete(first.id);
    expect(await failureOf(responses.retrieve(first.id))).toMatchObject({ status: 404 });
  });

  it('streams text, and reads the stream again from an event', async () => {
    suite.harness.upstream.script({ steps: textAnswer('Hello there you') });
    const stream = suite.caller.openai.responses.stream({ model: MODEL, input: 'hi' });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => (text += delta));
    const response = await stream.finalResponse();
    expect([response.output_text, text]).toEqual(['Hello there you', 'Hello there you']);
    const resumed = suite.caller.openai.responses.stream({ response_id: response.id, starting_after: 4 });
    const numbers: number[] = [];
    for await (const event of resumed) numbers.push(event.sequence_number);
    expect(numbers[0]).toBe(5);
    expect((await resumed.finalResponse()).output_text).toBe('Hello there you');
  });

  it('parses an answer of a JSON Schema', async () => {
    suite.harness.upstream.script({ steps: CITY_ANSWER });
    const response = await suite.caller.openai.responses.parse({
      model: MODEL,
      input: 'Jakarta?',
      text: { format: { type: 'json_schema', name: 'city', strict: true, schema: CITY_SCHEMA } },
    });
    expect(response.output_parsed).toEqual(CITY);
  });

  it('counts the tokens of a request and of the responses before it, without a call', async () => {
    const { harness, caller } = suite;
    const { responses } = caller.openai;
    harness.upstream.script({ steps: textAnswer('Hello there, how are you?') });
    const first = await responses.create({ model: MODEL, input: 'hi' });
    const [used, calls] = [await harness.usedBy(caller), harness.upstream.calls.length];
    const count = async (more: object): Promise<number> => {
      const asked = responses.inputTokens.count({ model: MODEL, ...more });
      const { data: counted, response } = await asked.withResponse();
      expect(Number(response.headers.get('x-ratelimit-remaining-requests'))).toBeGreaterThan(0);
      expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
      return counted.input_tokens;
    };
    const input = 'How many tokens are these?';
    const few = await count({ input });
    expect(few).toBeGreaterThan(5);
    const tool = { type: 'function', name: 'get_weather', parameters: WEATHER_SCHEMA, strict: true };
    for (const more of [{ instructions: 'Be kind.' }, { previous_response_id: first.id }, { tools: [tool] }])
      expect([more, (await count({ input, ...more })) > few]).toEqual([more, true]);
    expect(await count({ previous_response_id: first.id })).toBeGreaterThan(5);
    expect([await harness.usedBy(caller), harness.upstream.calls.length]).toEqual([used, calls]);
  });

  it('counts no tokens of a request that would be refused', async () => {
    const { inputTokens } = suite.caller.openai.responses;
    const refused: [object, number, string | null][] = [
      [{}, 400, 'input'],
      [{ input: 7 }, 400, 'input'],
      [{ input: [{ type: 'function_call_output', call_id: 'a', output: '' }] }, 400, 'input'],
      [{ input: 'hi', conversation: 'conv_1' }, 400, 'conversation'],
      [{ input: 'hi', tools: [{ type: 'file_search' }] }, 400, 'tools.0.type'],
      [{ input: 'hi', previous_response_id: 'resp_1' }, 404, 'previous_response_id'],
      [{ input: 'hi', model: 'no/such' }, 404, 'model'],
    ];
    for (const [body, status, param] of refused)
      expect([body, await failureOf(inputTokens.count({ model: MODEL, ...body } as never))]).toMatchObject([
        body,
        { status, param },
      ]);
  });

  it('runs a function, streamed, and answers with its result', async () => {
    suite.harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const tools = [
      { type: 'function' as const, name: 'get_weather', parameters: WEATHER_SCHEMA, strict: true, description: null },
    ];
    const asked = await suite.caller.openai.responses
      .stream({ model: MODEL, input: 'weather in Jakarta?', tools })
      .finalResponse();
    const [call] = asked.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'get_weather', parsed_arguments: { city: 'Jakarta' } });
    const answer = await suite.caller.openai.responses.create({
      model: MODEL,
      tools,
      input: [
        { role: 'user', content: 'weather in Jakarta?' },
        ...asked.output.map(({ id: _id, ...item }) => item as never),
        { type: 'function_call_output', call_id: 'call_weather', output: 'rain' },
      ],
    });
    expect(answer.output_text).toBe('It rains.');
  });
});
