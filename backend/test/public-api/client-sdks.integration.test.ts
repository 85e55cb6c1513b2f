import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool as agentTool } from '@openai/agents';
import {
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai';
import { PNG_BASE64, type Step } from '../harness/scripted-answers.js';
import { CITY, CITY_ANSWER, CITY_SCHEMA, textAnswer, WEATHER_CALL, WEATHER_SCHEMA } from './client-cases.js';
import { MODEL, useOneCaller } from './public-api-harness.js';

const suite = useOneCaller();

const HELLO = 'Hello there';

const script = (...texts: string[]) =>
  suite.harness.upstream.script(...texts.map((text) => ({ steps: textAnswer(text) })));

const scriptTool = () => suite.harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });

const lastSent = () => JSON.stringify(suite.harness.upstream.callsOf().at(-1)!.body);

describe.each(['@ai-sdk/openai by chat', '@ai-sdk/openai by responses', '@ai-sdk/anthropic'])('%s', (name) => {
  const model = (): LanguageModel => {
    if (name === '@ai-sdk/anthropic')
      return createAnthropic({ apiKey: suite.caller.key, baseURL: `${suite.harness.url}/api/v1` })(MODEL);
    const openai = createOpenAI({ apiKey: suite.caller.key, baseURL: `${suite.harness.url}/api/v1` });
    return name.endsWith('chat') ? openai.chat(MODEL) : openai.responses(MODEL);
  };

  const tools = () => ({
    get_weather: tool({
      description: 'The weather of a city',
      inputSchema: jsonSchema<{ city: string }>(WEATHER_SCHEMA),
      execute: async ({ city }) => `rain in ${city}`,
    }),
  });

  it('completes and streams text', async () => {
    script(HELLO, HELLO);
    const answer = await generateText({ model: model(), prompt: 'hi', maxOutputTokens: 100, maxRetries: 0 });
    expect([answer.text, answer.finishReason]).toEqual([HELLO, 'stop']);
    const stream = streamText({ model: model(), prompt: 'hi', maxOutputTokens: 100, maxRetries: 0 });
    let text = '';
    for await (const delta of stream.textStream) text += delta;
    expect([text, (await stream.usage).outputTokens]).toEqual([HELLO, 5]);
  });

  it('runs a tool of an answer and of a stream', async () => {
    const request = { prompt: 'weather in Jakarta?', maxOutputTokens: 100, stopWhen: stepCountIs(2), maxRetries: 0 };
    scriptTool();
    const answer = await generateText({ model: model(), tools: tools(), ...request });
    expect([answer.text, answer.steps[0]!.toolCalls[0]!.input]).toEqual(['It rains.', { city: 'Jakarta' }]);
    expect(lastSent()).toContain('rain in Jakarta');
    scriptTool();
    const stream = streamText({ model: model(), tools: tools(), ...request });
    expect([await stream.text, (await stream.steps)[0]!.toolCalls[0]!.input]).toEqual([
      'It rains.',
      { city: 'Jakarta' },
    ]);
  });

  it('gives an object, whole and as it grows, for a picture', async () => {
    // Anthropic's provider asks for the object as a call.
    const call: Step[] = [{ call: { id: 'c1', name: 'json', args: CITY } }, { finish: 'tool_calls' }, { done: true }];
    const steps = name === '@ai-sdk/anthropic' ? call : CITY_ANSWER;
    suite.harness.upstream.script({ steps }, { steps });
    const request = {
      model: model(),
      schema: jsonSchema<typeof CITY>(CITY_SCHEMA),
      maxRetries: 0,
      messages: [
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: 'Which city?' },
            { type: 'image' as const, image: `data:image/png;base64,${PNG_BASE64}` },
          ],
        },
      ],
    };
    expect((await generateObject(request)).object).toEqual(CITY);
    expect(lastSent()).toContain(`data:image/png;base64,${PNG_BASE64}`);
    const stream = streamObject(request);
    let last: unknown;
    for await (const partial of stream.partialObjectStream) last = partial;
    expect([last, await stream.object]).toEqual([CITY, CITY]);
  });

  it('reads the provider’s words of a refusal', async () => {
    suite.harness.upstream.script({ status: 400, body: '{"error":{"message":"top_k is not supported"}}' });
    await expect(
      generateText({ model: model(), prompt: 'hi', maxOutputTokens: 100, maxRetries: 0 }),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: 'top_k is not supported',
      isRetryable: false,
    });
  });
});

describe('@langchain/anthropic', () => {
  const chat = () =>
    new ChatAnthropic({
      model: MODEL,
      apiKey: suite.caller.key,
      anthropicApiUrl: `${suite.harness.url}/api`,
      maxRetries: 0,
    });

  const getWeather = new DynamicStructuredTool({
    name: 'get_weather',
    description: 'The weather of a city',
    schema: WEATHER_SCHEMA,
    func: async (input) => `rain in ${(input as { city: string }).city}`,
  });

  it('completes and streams text', async () => {
    script(HELLO, HELLO);
    const answer = await chat().invoke('hi');
    expect([answer.text, answer.usage_metadata?.output_tokens]).toEqual([HELLO, 5]);
    let text = '';
    for await (const chunk of await chat().stream('hi')) text += chunk.text;
    expect(text).toBe(HELLO);
  });

  it('calls a tool and reads its result', async () => {
    scriptTool();
    const model = chat().bindTools([getWeather]);
    const question = new HumanMessage('weather in Jakarta?');
    const asked = await model.invoke([question]);
    expect(asked.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Jakarta' } }]);
    const result = await getWeather.invoke<ToolCall, ToolMessage>({ ...asked.tool_calls![0]!, type: 'tool_call' });
    expect((await model.invoke([question, asked, result])).text).toBe('It rains.');
    expect(lastSent()).toContain('rain in Jakarta');
  });
});

describe.each([
  ['responses', true],
  ['chat completions', false],
])('@openai/agents by %s', (_name, useResponses) => {
  const agent = () =>
    new Agent({
      name: 'Forecaster',
      model: MODEL,
      instructions: 'Say how the weather is.',
      tools: [
        agentTool({
          name: 'get_weather',
          description: 'The weather of a city',
          parameters: { ...WEATHER_SCHEMA, additionalProperties: false as const },
          execute: async (input) => `rain in ${(input as { city: string }).city}`,
        }),
      ],
    });

  const runner = () => {
    setTracingDisabled(true);
    const provider = new OpenAIProvider({
      apiKey: suite.caller.key,
      baseURL: `${suite.harness.url}/api/v1`,
      useResponses,
    });
    return new Runner({ modelProvider: provider, tracingDisabled: true });
  };

  it('runs a tool and answers with its result', async () => {
    scriptTool();
    const { finalOutput } = await runner().run(agent(), 'weather in Jakarta?');
    expect(finalOutput).toBe('It rains.');
    expect(lastSent()).toContain('rain in Jakarta');
  });

  it('streams its answer', async () => {
    scriptTool();
    const result = await runner().run(agent(), 'weather in Jakarta?', { stream: true });
    let text = '';
    for await (const delta of result.toTextStream()) text += String(delta);
    await result.completed;
    expect([text, result.finalOutput]).toEqual(['It rains.', 'It rains.']);
  });

  it('hands a question over to another agent', async () => {
    const geographer = new Agent({ name: 'Geographer', model: MODEL, instructions: 'Answer about cities.' });
    const triage = Agent.create({ name: 'Triage', model: MODEL, handoffs: [geographer] });
    const handoff: Step[] = [
      { call: { id: 'c1', name: 'transfer_to_Geographer', args: '{}' } },
      { finish: 'tool_calls' },
      { done: true },
    ];
    suite.harness.upstream.script({ steps: handoff }, { steps: textAnswer('Eleven million.') });
    const { finalOutput, lastAgent } = await runner().run(triage, 'How many live in Jakarta?');
    expect([finalOutput, lastAgent?.name]).toEqual(['Eleven million.', 'Geographer']);
    expect(lastSent()).toContain('Answer about cities.');
  });
});
