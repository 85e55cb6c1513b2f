import { HumanMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { ChatOpenAI, DallEAPIWrapper, OpenAIEmbeddings } from '@langchain/openai';
import {
  CITY,
  CITY_ANSWER,
  CITY_SCHEMA,
  EMBEDDING_MODEL,
  textAnswer,
  WEATHER_CALL,
  WEATHER_SCHEMA,
} from './client-cases.js';
import { MODEL, useOneCaller } from './public-api-harness.js';

type Api = 'chat completions' | 'responses';

const APIS: Api[] = ['chat completions', 'responses'];

describe('the npm package @langchain/openai', () => {
  const suite = useOneCaller();

  const options = () => ({
    apiKey: suite.caller.key,
    maxRetries: 0,
    configuration: { baseURL: `${suite.harness.url}/api/v1` },
  });

  const chat = (api: Api = 'chat completions'): ChatOpenAI =>
    new ChatOpenAI({ model: MODEL, temperature: 0, useResponsesApi: api === 'responses', ...options() });

  const getWeather = new DynamicStructuredTool({
    name: 'get_weather',
    description: 'The weather of a city',
    schema: WEATHER_SCHEMA,
    func: async (input) => `rain in ${(input as { city: string }).city}`,
  });

  it.each(APIS)('completes and streams text by %s', async (api) => {
    suite.harness.upstream.script({ steps: textAnswer('Hello there') }, { steps: textAnswer('Hello there') });
    const answer = await chat(api).invoke('hi');
    expect([answer.text, answer.usage_metadata?.total_tokens]).toEqual(['Hello there', 8]);
    let joined = null;
    for await (const chunk of await chat(api).stream('hi')) joined = joined === null ? chunk : joined.concat(chunk);
    expect([joined?.text, joined?.usage_metadata]).toMatchObject([
      'Hello there',
      { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
    ]);
  });

  it.each(APIS)('calls a tool and reads its result by %s', async (api) => {
    suite.harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const model = chat(api).bindTools([getWeather]);
    const question = new HumanMessage('weather in Jakarta?');
    const asked = await model.invoke([question]);
    expect(asked.tool_calls).toMatchObject([{ id: 'call_weather', name: 'get_weather', args: { city: 'Jakarta' } }]);
    const result = await getWeather.invoke<ToolCall, ToolMessage>({ ...asked.tool_calls![0]!, type: 'tool_call' });
    const answer = await model.invoke([question, asked, result]);
    expect(answer.text).toBe('It rains.');
    expect(JSON.stringify(suite.harness.upstream.callsOf().at(-1)!.body)).toContain('rain in Jakarta');
  });

  it.each(APIS)('joins the pieces of a streamed call by %s', async (api) => {
    suite.harness.upstream.script({ steps: WEATHER_CALL });
    const stream = await chat(api).bindTools([getWeather]).stream('weather in Jakarta?');
    let joined = null;
    for await (const chunk of stream) joined = joined === null ? chunk : joined.concat(chunk);
    expect(joined?.tool_calls).toMatchObject([{ id: 'call_weather', name: 'get_weather', args: { city: 'Jakarta' } }]);
  });

  it('gives structured output by responses', async () => {
    suite.harness.upstream.script({ steps: CITY_ANSWER });
    const model = chat('responses').withStructuredOutput(CITY_SCHEMA, { name: 'city', method: 'jsonSchema' });
    expect(await model.invoke('Jakarta?')).toEqual(CITY);
  });

  it.each(['jsonSchema', 'functionCalling'] as const)('gives structured output by %s', async (method) => {
    const call = [
      { call: { index: 0, id: 'call_city', name: 'city', args: CITY } },
      { finish: 'tool_calls' },
      { done: true as const },
    ];
    suite.harness.upstream.script({ steps: method === 'jsonSchema' ? CITY_ANSWER : call });
    const model = chat().withStructuredOutput(CITY_SCHEMA, { name: 'city', method });
    expect(await model.invoke('Jakarta?')).toEqual(CITY);
  });

  it('embeds texts', async () => {
    const embeddings = new OpenAIEmbeddings({ model: EMBEDDING_MODEL, ...options() });
    expect(await embeddings.embedDocuments(['a', 'b'])).toEqual([
      [0.25, -0.5, 0],
      [0.25, -0.5, 1],
    ]);
  });

  it('draws an image', async () => {
    const baseUrl = `${suite.harness.url}/api/v1`;
    const images = new DallEAPIWrapper({ model: 'gpt-image-1', responseFormat: 'b64_json', baseUrl, ...options() });
    expect(await images.invoke('a cat')).toMatch(/iVBOR/);
  });
});
