import { type OpenAI, toFile } from 'openai';
import { WAV } from '../harness/uploads.js';
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

describe('the npm package openai', () => {
  const suite = useOneCaller();

  const messages = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];

  it('completes and streams text', async () => {
    suite.harness.upstream.script({ steps: textAnswer('Hello there') }, { steps: textAnswer('Hello there') });
    const answer = await suite.caller.openai.chat.completions.create({ model: MODEL, messages: messages('hi') });
    expect(answer.choices[0]!.message.content).toBe('Hello there');
    const stream = suite.caller.openai.chat.completions.stream({ model: MODEL, messages: messages('hi') });
    let text = '';
    stream.on('content', (delta) => (text += delta));
    expect([(await stream.finalMessage()).content, text]).toEqual(['Hello there', 'Hello there']);
  });

  it('runs a function and answers with its result, streamed', async () => {
    suite.harness.upstream.script({ steps: WEATHER_CALL }, { steps: textAnswer('It rains.') });
    const asked: unknown[] = [];
    const runner = suite.caller.openai.chat.completions.runTools({
      model: MODEL,
      stream: true,
      messages: messages('weather in Jakarta?'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'The weather of a city',
            parameters: WEATHER_SCHEMA,
            parse: JSON.parse as (json: string) => { city: string },
            function: ({ city }: { city: string }) => {
              asked.push(city);
              return 'rain';
            },
          },
        },
      ],
    });
    expect([await runner.finalContent(), asked]).toEqual(['It rains.', ['Jakarta']]);
  });

  it('parses an answer of a JSON Schema', async () => {
    suite.harness.upstream.script({ steps: CITY_ANSWER });
    const answer = await suite.caller.openai.chat.completions.parse({
      model: MODEL,
      messages: messages('Jakarta?'),
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: CITY_SCHEMA } },
    });
    expect(JSON.parse(answer.choices[0]!.message.content!)).toEqual(CITY);
    expect(suite.harness.upstream.callsOf().at(-1)!.body).toMatchObject({ response_format: { type: 'json_schema' } });
  });

  it('embeds texts and draws an image', async () => {
    const { data } = await suite.caller.openai.embeddings.create({ model: EMBEDDING_MODEL, input: ['a', 'b'] });
    expect(data.map(({ embedding }) => Array.from(embedding))).toEqual([
      [0.25, -0.5, 0],
      [0.25, -0.5, 1],
    ]);
    const image = await suite.caller.openai.images.generate({ model: 'gpt-image-1', prompt: 'a cat' });
    expect(image.data![0]!.b64_json).toMatch(/^iVBOR/);
  });

  it('transcribes an audio file', async () => {
    const { text } = await suite.caller.openai.audio.transcriptions.create({
      file: await toFile(WAV, 'speech.wav'),
      model: 'whisper-1',
    });
    expect(text).toBe('Selamat pagi.');
  });
});
