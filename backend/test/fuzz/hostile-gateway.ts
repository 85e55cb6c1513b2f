import fc from 'fast-check';
import { HOSTILE_IDS } from './hostile-ids.js';
import { binaryText, hostileValue } from './hostile-values.js';

/** Mostly the first value, sometimes a hostile one. */
const mostly = (...values: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: hostileValue });

/** An object with nearly valid fields, of which some may be missing. */
const nearly = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> => {
  const present = Object.entries(fields).map(([name, value]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) }),
  ]);
  return fc.record(Object.fromEntries(present));
};

/** A list, sometimes within another list. */
const listOf = (entry: fc.Arbitrary<unknown>, bounds: { minLength?: number; maxLength: number }) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.array(entry, bounds) },
    { weight: 1, arbitrary: fc.array(entry, bounds).map((list) => [list]) },
  );

const callId = mostly('call_1', 'call_1', 'call_2', '', 'x'.repeat(300));
const functionName = mostly('get_weather', 'calculate', 'a b', '');
const callArguments = mostly('{"city":"Jakarta"}', '{', '', '{"a":"\u0000"}', '[1e999]');
const content = fc.oneof(
  mostly('Hello', '', null, [{ type: 'text', text: 'Hello' }], [{ type: 'image_url', image_url: {} }]),
  listOf(nearly({ type: mostly('text', 'input_text'), text: mostly('Hello') }), { maxLength: 2 }),
);

const schema = mostly(
  { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  { type: 'array' },
  { $ref: '#' },
  JSON.parse('{"type":"object","__proto__":{"x":1}}'),
);

const call = nearly({
  id: callId,
  type: mostly('function', 'custom'),
  function: nearly({ name: functionName, arguments: callArguments }),
});

const message = fc.oneof(
  nearly({ role: mostly('user', 'system', 'developer'), content }),
  nearly({ role: mostly('assistant'), content, tool_calls: listOf(call, { maxLength: 3 }) }),
  nearly({ role: mostly('tool'), tool_call_id: callId, content }),
  hostileValue,
);

const tool = nearly({
  type: mostly('function', 'web_search'),
  function: nearly({ name: functionName, description: mostly('The weather'), parameters: schema }),
});

const toolChoice = mostly('auto', 'none', 'required', { type: 'function', function: { name: 'get_weather' } });

/** Nearly valid chat completions with tools of the program. */
export const hostileCompletion = nearly({
  model: mostly('openai/gpt-4o-mini'),
  messages: listOf(message, { minLength: 1, maxLength: 5 }),
  tools: fc.oneof(fc.constant(undefined), listOf(tool, { maxLength: 4 })),
  tool_choice: fc.oneof(fc.constant(undefined), toolChoice),
  parallel_tool_calls: mostly(undefined, true),
  response_format: mostly(undefined, { type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'a' } }),
  stream: mostly(undefined, true),
  stream_options: mostly(undefined, { include_usage: true }),
});

const item = fc.oneof(
  nearly({ type: mostly('message', undefined), role: mostly('user', 'developer'), content }),
  nearly({
    type: mostly('function_call'),
    call_id: callId,
    name: functionName,
    namespace: fc.oneof(fc.constant(undefined), functionName),
    arguments: callArguments,
  }),
  nearly({ type: mostly('function_call_output'), call_id: callId, output: content }),
  nearly({ type: mostly('reasoning', 'item_reference', 'computer_call'), id: callId, summary: mostly([]) }),
  hostileValue,
);

const responseTool = nearly({ type: mostly('function', 'file_search'), name: functionName, parameters: schema });

const namespace = nearly({
  type: mostly('namespace'),
  name: functionName,
  tools: listOf(responseTool, { maxLength: 3 }),
});

/** Nearly valid requests of the Responses API. */
export const hostileResponse = nearly({
  model: mostly('openai/gpt-4o-mini'),
  input: fc.oneof(mostly('Hello'), listOf(item, { maxLength: 5 })),
  tools: fc.oneof(fc.constant(undefined), listOf(fc.oneof(responseTool, namespace), { maxLength: 3 })),
  tool_choice: fc.oneof(fc.constant(undefined), toolChoice),
  text: mostly(undefined, { format: { type: 'json_object' } }),
  previous_response_id: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_IDS, `resp_${'0'.repeat(32)}`) },
  ),
  store: mostly(undefined, true, false),
  stream: mostly(undefined, true),
});

/** Nearly valid requests for embeddings. */
export const hostileEmbedding = nearly({
  model: mostly('text-embedding-3-small'),
  input: fc.oneof(mostly('Hello', ['a', 'b'], [1, 2], [[1], [2]]), fc.array(hostileValue, { maxLength: 4 })),
  encoding_format: mostly(undefined, 'float', 'base64'),
  dimensions: mostly(undefined, 3),
});

/** Nearly valid requests for images. */
export const hostileImage = nearly({
  model: mostly(undefined, 'gpt-image-1'),
  prompt: mostly('a cat'),
  n: mostly(undefined, 1, 2),
  response_format: mostly(undefined, 'b64_json', 'url'),
  size: mostly(undefined, '1024x1024'),
  output_compression: mostly(undefined, 80),
});

const WAV = Buffer.from('UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA', 'base64');

const part = (boundary: string, [disposition, value]: readonly [string, Buffer]): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    value,
    Buffer.from('\r\n'),
  ]);

const formField = fc
  .tuple(
    fc.constantFrom('language', 'prompt', 'response_format', 'temperature', 'timestamp_granularities[]', 'stream', ''),
    fc.oneof(fc.constantFrom('id', 'srt', 'verbose_json', '0.5', 'word', 'true', ''), binaryText),
  )
  .map(([name, value]) => [`name="${name}"`, Buffer.from(value)] as const);

const formFile = fc
  .tuple(
    fc.constantFrom('speech.wav', 'blob', 'a.mp3', 'note.txt', '../../a.wav', '"><.wav'),
    fc.oneof(fc.constant(WAV), fc.uint8Array({ maxLength: 100 })),
  )
  .map(([name, content]) => [`name="file"; filename="${name}"`, Buffer.from(content)] as const);

/** Nearly valid forms of a transcription. */
export const hostileTranscription = (boundary: string): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.array(formField, { maxLength: 4 }),
      fc.array(formFile, { minLength: 1, maxLength: 1 }),
      fc.constantFrom<[string, Buffer][]>([['name="model"', Buffer.from('whisper-1')]], []),
      fc.boolean(),
    )
    .map(([fields, files, model, isFileFirst]) => {
      const parts = isFileFirst ? [...files, ...model, ...fields] : [...model, ...fields, ...files];
      return Buffer.concat([...parts.map((each) => part(boundary, each)), Buffer.from(`--${boundary}--\r\n`)]);
    });

/** Nearly valid bodies of the calls of programs, by path. */
export const GATEWAY_BODIES: Readonly<Record<string, fc.Arbitrary<object>>> = {
  '/api/v1/chat': hostileCompletion,
  '/api/v1/chat/completions': hostileCompletion,
  '/api/v1/responses': hostileResponse,
  '/api/v1/embeddings': hostileEmbedding,
  '/api/v1/images/generations': hostileImage,
};
