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
import { jsonText } from './example-literal.js';

const user = (content: string): object[] => [{ role: 'user', content }];

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A field of a form. curl reads `-F` with `@` as a file. */
const formField = (name: string, value: string): string =>
  /^[\w./:-]+$/.test(value) ? `-F ${name}=${value}` : `--form-string ${name}=${quoted(value)}`;

const post = (path: string, body: object, flags = '') => ({ path, body: jsonText(body, 1), flags });

const COMPLETIONS = '/chat/completions';

/** Path and JSON body of each call; `flags` go before the address. */
const CALLS: Record<
  Exclude<ExampleCall, 'transcriptions' | 'models'>,
  (context: ExampleContext) => { path: string; body: string; flags: string }
> = {
  chat: ({ model }) => post(COMPLETIONS, { model, messages: user('Hello'), temperature: 0.7, max_tokens: 1000 }),
  stream: ({ model }) => post(COMPLETIONS, { model, messages: user('Hello'), stream: true }, '-N '),
  tools: ({ model }) =>
    post(COMPLETIONS, {
      model,
      messages: user(WEATHER_QUESTION),
      tools: [{ type: 'function', function: WEATHER_EXAMPLE }],
    }),
  structured: ({ model }) =>
    post(COMPLETIONS, {
      model,
      messages: user(CITY_QUESTION),
      response_format: { type: 'json_schema', json_schema: CITY_EXAMPLE },
    }),
  responses: ({ model }) => post('/responses', { model, input: 'Hello' }),
  embeddings: (context) => post('/embeddings', embeddingExample(context)),
  images: (context) => post('/images/generations', imageExample(context)),
};

/** A call for `bash` and `curl`. */
export function curlExample(call: ExampleCall, context: ExampleContext): string {
  const { origin, key } = context;
  const base = `${origin}/api/v1`;
  const authorization = `-H "Authorization: Bearer ${key}"`;
  if (call === 'models') return `curl ${base}/models \\\n  ${authorization}`;
  if (call === 'transcriptions') {
    const { model, file } = transcriptionExample(context);
    const form = `${formField('model', model)} \\\n  -F file=@${file}`;
    return `curl ${base}/audio/transcriptions \\\n  ${authorization} \\\n  ${form}`;
  }
  const { path, body, flags } = CALLS[call](context);
  const lines = [
    `curl ${flags}${base}${path}`,
    authorization,
    '-H "Content-Type: application/json"',
    `-d ${quoted(body)}`,
  ];
  return lines.join(' \\\n  ');
}
