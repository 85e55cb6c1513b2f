import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { embedMany, generateImage, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import {
  CITY,
  CITY_ANSWER,
  CITY_SCHEMA,
  EMBEDDING_MODEL,
  textAnswer,
  WEATHER_CALL,
  WEATHER_SCHEMA,
} from './client-cases.js';
import { MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

describe('the npm packages ai and @ai-sdk/openai-compatible', () => {
  let harness: PublicApiHarness;
  let tanya: OpenAICompatibleProvider;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis: false });
    const { key: apiKey } = await harness.caller();
    tanya = createOpenAICompatible({
      name: 'tanya',
      apiKey,
      baseURL: `${harness.url}/api/v1`,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const getWeather = () =>
    tool({
      description: 'The weather of a city',
      inputSchema: jsonSchema<{ city: string }>(WEATHER_SCHEMA),
      execute: async ({ city }) => `rain in ${city}`,
    });

  it('completes and streams text', async () => {
    harness.upstream.script({ steps: textAnswer('Hello there') }, { steps: textAnswer('Hello there') });
    const answer = await generateText({ model: tanya(MODEL), prompt: 'hi', maxRetries: 0 });
    expect([answer.text, answer.finishReason, answer.usage.totalTokens]).toEqual(['Hello there', 'stop', 8]);
    const stream = streamText({ model: tanya(MODEL), prompt: 'hi', maxRetries: 0 });
    let text = '';
    for await (const delta of stream.textStream) text += delta;
    expect([text, (await stream.usage).totalTokens]).toEqual(['Hello there', 8]);
  });

  it('runs a tool and answers with its result', async () => {
    harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const answer = await generateText({
      model: tanya(MODEL),
      prompt: 'weather in Jakarta?',
      tools: { get_weather: getWeather() },
      stopWhen: stepCountIs(2),
      maxRetries: 0,
    });
    expect([answer.text, answer.steps[0]!.toolCalls[0]!.input]).toEqual(['It rains.', { city: 'Jakarta' }]);
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)!.body)).toContain('rain in Jakarta');
  });

  it('runs a tool of a stream', async () => {
    harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const stream = streamText({
      model: tanya(MODEL),
      prompt: 'weather in Jakarta?',
      tools: { get_weather: getWeather() },
      toolChoice: 'auto',
      stopWhen: stepCountIs(2),
      maxRetries: 0,
    });
    const types = new Set<string>();
    for await (const part of stream.fullStream) types.add(part.type);
    expect([...types]).toEqual(
      expect.arrayContaining(['tool-input-start', 'tool-input-delta', 'tool-call', 'tool-result']),
    );
    expect(await stream.text).toBe('It rains.');
  });

  it('returns the signature of a call with it, as Gemini demands', async () => {
    const extra = { google: { thought_signature: 'A1+/=' } };
    const signed = {
      steps: [
        { call: { index: 0, id: 'c1', name: 'get_weather', args: { city: 'Jakarta' }, extra } },
        { finish: 'stop' },
        { done: true as const },
      ],
    };
    const { key: apiKey } = await harness.caller();
    const model = createOpenAICompatible({ name: 'google', apiKey, baseURL: `${harness.url}/api/v1` })(MODEL);
    const request = {
      model,
      prompt: 'weather in Jakarta?',
      tools: { get_weather: getWeather() },
      stopWhen: stepCountIs(2),
      maxRetries: 0,
    };
    for (const ask of [() => generateText(request), () => streamText(request)]) {
      harness.upstream.script(signed, { steps: textAnswer('It rains.') });
      const answer = await ask();
      expect(await answer.text).toBe('It rains.');
      const [, called] = harness.upstream.callsOf().at(-1)!.body['messages'] as { tool_calls: object[] }[];
      expect(called!.tool_calls).toMatchObject([{ id: 'c1', extra_content: extra }]);
    }
  });

  it('gives structured output', async () => {
    harness.upstream.script({ steps: CITY_ANSWER });
    const { output } = await generateText({
      model: tanya(MODEL),
      prompt: 'Jakarta?',
      output: Output.object({ schema: jsonSchema<typeof CITY>(CITY_SCHEMA) }),
      maxRetries: 0,
    });
    expect(output).toEqual(CITY);
    expect(harness.upstream.callsOf().at(-1)!.body).toMatchObject({ response_format: { type: 'json_schema' } });
  });

  it('embeds texts and draws an image', async () => {
    const model = tanya.embeddingModel(EMBEDDING_MODEL);
    const { embeddings } = await embedMany({ model, values: ['a', 'b'], maxRetries: 0 });
    expect(embeddings).toEqual([
      [0.25, -0.5, 0],
      [0.25, -0.5, 1],
    ]);
    const { image } = await generateImage({ model: tanya.imageModel('gpt-image-1'), prompt: 'a cat', maxRetries: 0 });
    expect(image.base64).toMatch(/^iVBOR/);
  });
});
