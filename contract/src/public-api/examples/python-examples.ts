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
import { pythonText as literal } from './example-literal.js';

const TOOLS = literal([{ type: 'function', function: WEATHER_EXAMPLE }]);

/** The code behind the client. */
const CALLS: Record<ExampleCall, (context: ExampleContext) => string> = {
  chat: ({ model }) => `completion = client.chat.completions.create(
    model=${literal(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)`,

  stream: ({ model }) => `stream = client.chat.completions.create(
    model=${literal(model)},
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,

  tools: ({ model }) => `model = ${literal(model)}
tools = ${TOOLS}
messages = [{"role": "user", "content": ${literal(WEATHER_QUESTION)}}]

asked = client.chat.completions.create(model=model, messages=messages, tools=tools)
message = asked.choices[0].message
messages.append(message)
for call in message.tool_calls or []:
    city = json.loads(call.function.arguments)["city"]
    messages.append({"role": "tool", "tool_call_id": call.id, "content": f"31 °C in {city}"})

answered = client.chat.completions.create(model=model, messages=messages, tools=tools)
print(answered.choices[0].message.content)`,

  structured: ({ model }) => `completion = client.chat.completions.create(
    model=${literal(model)},
    messages=[{"role": "user", "content": ${literal(CITY_QUESTION)}}],
    response_format=${literal({ type: 'json_schema', json_schema: CITY_EXAMPLE }, 1)},
)
city = json.loads(completion.choices[0].message.content)
print(city["name"], city["people"])`,

  responses: ({ model }) => `model = ${literal(model)}
first = client.responses.create(model=model, input="Hello")
print(first.output_text)

following = client.responses.create(
    model=model,
    input="And in Indonesian?",
    previous_response_id=first.id,
)
print(following.output_text)`,

  embeddings: (context) => `result = client.embeddings.create(
    model=${literal(embeddingExample(context).model)},
    input=${literal(embeddingExample(context).input)},
)
for item in result.data:
    print(len(item.embedding), item.embedding)`,

  images: (context) => `image = client.images.generate(
    model=${literal(imageExample(context).model)},
    prompt=${literal(imageExample(context).prompt)},
)
with open("image.png", "wb") as file:
    file.write(base64.b64decode(image.data[0].b64_json))
print("image.png")`,

  transcriptions: (context) => `with open(${literal(transcriptionExample(context).file)}, "rb") as file:
    transcription = client.audio.transcriptions.create(
        model=${literal(transcriptionExample(context).model)},
        file=file,
    )
print(transcription.text)`,

  models: () => `for model in client.models.list():
    print(model.id)`,
};

const IMPORTS: Partial<Record<ExampleCall, string>> = {
  tools: 'import json\n',
  structured: 'import json\n',
  images: 'import base64\n',
};

/** A call for Python 3 with the package `openai`. */
export const pythonExample = (call: ExampleCall, context: ExampleContext): string =>
  `# pip install openai
${IMPORTS[call] ?? ''}from openai import OpenAI

client = OpenAI(
    base_url="${context.origin}/api/v1",
    api_key="${context.key}",
)

${CALLS[call](context)}`;
