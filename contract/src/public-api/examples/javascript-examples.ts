import {
  CITY_EXAMPLE,
  CITY_QUESTION,
  embeddingExample,
  type ExampleCall,
  type ExampleContext,
  imageExample,
  transcriptionExample,
  WEATHER_EXAMPLE,
  WEATHER_QUESTION,
} from './example-call.js';
import { javascriptText as literal } from './example-literal.js';

const TOOLS = literal([{ type: 'function', function: WEATHER_EXAMPLE }]);

/** The code behind the client. */
const CALLS: Record<ExampleCall, (context: ExampleContext) => string> = {
  chat: ({ model }) => `const completion = await openai.chat.completions.create({
  model: ${literal(model)},
  messages: [{ role: "user", content: "Hello" }],
});
console.log(completion.choices[0].message.content);`,

  stream: ({ model }) => `const stream = await openai.chat.completions.create({
  model: ${literal(model)},
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta?.content ?? "");
}`,

  tools: ({ model }) => `const model = ${literal(model)};
const tools = ${TOOLS};
const messages = [{ role: "user", content: ${literal(WEATHER_QUESTION)} }];

const asked = await openai.chat.completions.create({ model, messages, tools });
const { message } = asked.choices[0];
messages.push(message);
for (const call of message.tool_calls ?? []) {
  const { city } = JSON.parse(call.function.arguments);
  messages.push({ role: "tool", tool_call_id: call.id, content: \`31 °C in ${'${city}'}\` });
}

const answered = await openai.chat.completions.create({ model, messages, tools });
console.log(answered.choices[0].message.content);`,

  structured: ({ model }) => `const completion = await openai.chat.completions.create({
  model: ${literal(model)},
  messages: [{ role: "user", content: ${literal(CITY_QUESTION)} }],
  response_format: ${literal({ type: 'json_schema', json_schema: CITY_EXAMPLE }, 1)},
});
const city = JSON.parse(completion.choices[0].message.content);
console.log(city.name, city.people);`,

  responses: ({ model }) => `const model = ${literal(model)};
const first = await openai.responses.create({ model, input: "Hello" });
console.log(first.output_text);

const next = await openai.responses.create({
  model,
  input: "And in Indonesian?",
  previous_response_id: first.id,
});
console.log(next.output_text);`,

  embeddings: (context) => `const { data } = await openai.embeddings.create(${literal(embeddingExample(context))});
for (const { embedding } of data) console.log(embedding.length, embedding);`,

  images: (context) => `const { data } = await openai.images.generate(${literal(imageExample(context))});
await writeFile("image.png", Buffer.from(data[0].b64_json, "base64"));
console.log("image.png");`,

  transcriptions: (context) => `const transcription = await openai.audio.transcriptions.create({
  model: ${literal(transcriptionExample(context).model)},
  file: createReadStream(${literal(transcriptionExample(context).file)}),
});
console.log(transcription.text);`,

  models: () => `for await (const model of openai.models.list()) console.log(model.id);`,
};

const IMPORTS: Partial<Record<ExampleCall, string>> = {
  images: 'import { writeFile } from "node:fs/promises";\n',
  transcriptions: 'import { createReadStream } from "node:fs";\n',
};

/** A call as a module for Node with the package `openai`. */
export const javascriptExample = (call: ExampleCall, context: ExampleContext): string =>
  `// npm install openai
${IMPORTS[call] ?? ''}import OpenAI from "openai";

const openai = new OpenAI({
  baseURL: "${context.origin}/api/v1",
  apiKey: "${context.key}",
});

${CALLS[call](context)}`;
