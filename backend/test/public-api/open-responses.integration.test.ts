import type { ResponseObject } from '@tanya/contract';
import { PNG_BASE64, type Step } from '../harness/scripted-answers.js';
import { textAnswer, WEATHER_CALL, WEATHER_SCHEMA } from './client-cases.js';
import { MODEL, useOneCaller } from './public-api-harness.js';

/** What is wrong with a value, as paths; nothing for one of the shape. */
type Shape = (value: unknown, path: string) => string[];

const is =
  (name: string, test: (value: unknown) => boolean): Shape =>
  (value, path) =>
    test(value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${name}`];
const text = is('text', (value) => typeof value === 'string');
const integer = is('integer', Number.isInteger);
const number = is('number', (value) => typeof value === 'number');
const bool = is('boolean', (value) => typeof value === 'boolean');
const anything: Shape = () => [];
const oneOf = (...values: unknown[]): Shape => is(`one of ${values.join()}`, (value) => values.includes(value));
const orNull =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path);
const list =
  (shape: Shape): Shape =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((each, at) => shape(each, `${path}.${at}`)) : [`${path} is no list`];
const object =
  (fields: Record<string, Shape>): Shape =>
  (value, path) =>
    Object.entries(fields).flatMap(([name, shape]) =>
      shape((value as Record<string, unknown> | null)?.[name], `${path}.${name}`),
    );
const byType =
  (shapes: Record<string, Record<string, Shape>>): Shape =>
  (value, path) => {
    const { type } = value as { type: string };
    return shapes[type] === undefined ? [`${path}: unknown type ${type}`] : object(shapes[type])(value, path);
  };

const status = oneOf('in_progress', 'completed', 'incomplete');
const part = byType({ output_text: { text, annotations: list(anything), logprobs: list(anything) } });
const item = byType({
  message: { id: text, status, role: oneOf('assistant'), content: list(part) },
  function_call: { id: text, call_id: text, name: text, arguments: text, status },
});

const usage = object({
  input_tokens: integer,
  output_tokens: integer,
  total_tokens: integer,
  input_tokens_details: object({ cached_tokens: integer }),
  output_tokens_details: object({ reasoning_tokens: integer }),
});

/** The fields that Open Responses' schema of 2026-04-24 requires of a response, with their types. */
const response = object({
  id: text,
  object: oneOf('response'),
  created_at: integer,
  completed_at: orNull(integer),
  status: text,
  incomplete_details: orNull(object({ reason: text })),
  model: text,
  previous_response_id: orNull(text),
  instructions: orNull(text),
  output: list(item),
  error: orNull(object({ code: text, message: text })),
  tools: list(
    byType({
      function: { name: text, description: orNull(text), parameters: orNull(anything), strict: orNull(bool) },
    }),
  ),
  tool_choice: anything,
  truncation: oneOf('auto', 'disabled'),
  parallel_tool_calls: bool,
  text: object({ format: object({ type: oneOf('text', 'json_object', 'json_schema') }) }),
  top_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  top_logprobs: integer,
  temperature: number,
  reasoning: orNull(object({ effort: orNull(text), summary: orNull(text) })),
  usage: orNull(usage),
  max_output_tokens: orNull(integer),
  max_tool_calls: orNull(integer),
  store: bool,
  background: bool,
  service_tier: text,
  metadata: object({}),
  safety_identifier: orNull(text),
  prompt_cache_key: orNull(text),
});

/** The fields that the same schema requires of a compacted conversation. */
const compacted = object({
  id: text,
  object: oneOf('response.compaction'),
  created_at: integer,
  output: list(
    byType({
      message: { id: text, status, role: oneOf('user'), content: list(byType({ input_text: { text } })) },
      compaction: { id: text, encrypted_content: text },
    }),
  ),
  usage,
});

const whole = { sequence_number: integer, response };
const ofItem = { sequence_number: integer, output_index: integer };
const inItem = { ...ofItem, item_id: text };
const inPart = { ...inItem, content_index: integer };
const event = byType({
  'response.created': whole,
  'response.in_progress': whole,
  'response.completed': whole,
  'response.incomplete': whole,
  'response.failed': whole,
  'response.output_item.added': { ...ofItem, item },
  'response.output_item.done': { ...ofItem, item },
  'response.content_part.added': { ...inPart, part },
  'response.content_part.done': { ...inPart, part },
  'response.output_text.delta': { ...inPart, delta: text, logprobs: list(anything) },
  'response.output_text.done': { ...inPart, text, logprobs: list(anything) },
  'response.function_call_arguments.delta': { ...inItem, delta: text },
  'response.function_call_arguments.done': { ...inItem, arguments: text },
  error: {
    sequence_number: integer,
    error: object({ type: text, code: orNull(text), message: text, param: orNull(text) }),
  },
});

const message = (role: string, content: unknown, more: object = {}) => ({ type: 'message', role, content, ...more });

const weather = { type: 'function', name: 'get_weather', description: 'Weather', parameters: WEATHER_SCHEMA };

const REQUESTS: [string, object, Step[]][] = [
  ['a text', { input: [message('user', 'Say hello.')] }, textAnswer('Hello to you.')],
  [
    'phases of an answer',
    {
      input: [
        message('assistant', 'I look it up.', { phase: 'commentary' }),
        message('assistant', 'Four.', { phase: 'final_answer' }),
        message('user', 'Again.'),
      ],
    },
    textAnswer('Four.'),
  ],
  ['instructions', { input: [message('system', 'Be a pirate.'), message('user', 'Hi')] }, textAnswer('Arr.')],
  ['a function', { input: [message('user', 'Weather?')], tools: [weather] }, WEATHER_CALL],
  [
    'a picture',
    {
      input: [
        message('user', [
          { type: 'input_text', text: 'What is it?' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG_BASE64}` },
        ]),
      ],
    },
    textAnswer('A dot.'),
  ],
  [
    'several turns',
    {
      input: [message('user', 'I am Alice.'), message('assistant', 'Hello Alice.'), message('user', 'Who am I?')],
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_object' } },
      max_output_tokens: 100,
      truncation: 'auto',
      service_tier: 'flex',
      metadata: { a: 'b' },
      include: ['reasoning.encrypted_content'],
      stream_options: { include_obfuscation: false },
      safety_identifier: 'someone',
      prompt_cache_key: 'one',
    },
    textAnswer('Alice.'),
  ],
  ['a cut answer', { input: 'Count.', max_output_tokens: 16 }, [{ text: 'One' }, { finish: 'length' }, { done: true }]],
];

const parsedEvents = (stream: string) =>
  stream
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [name, data] = block.split('\n');
      const json = JSON.parse(data!.slice('data: '.length)) as { type: string; response?: ResponseObject };
      expect(name).toBe(`event: ${json.type}`);
      return json;
    });

describe('Open Responses', () => {
  const suite = useOneCaller();

  const respond = (body: object) =>
    suite.harness.post(suite.caller.key, { model: MODEL, ...body }, {}, '/api/v1/responses');

  it.each(REQUESTS)('schema of 2026-04-24 is met, whole, streamed and read again: %s', async (_name, body, steps) => {
    suite.harness.upstream.script({ steps }, { steps });
    const answer = (await respond(body)).body as ResponseObject;
    expect(response(answer, 'response')).toEqual([]);
    expect(answer.output).not.toEqual([]);
    expect(answer.completed_at !== null).toBe(answer.status === 'completed');
    const { text: stream } = await respond({ ...body, stream: true });
    const parsed = parsedEvents(stream);
    expect(parsed.flatMap((each, at) => event(each, `event ${at}`))).toEqual([]);
    const last = parsed.at(-1)!.response!;
    const plain = ({ output }: ResponseObject) => JSON.stringify(output).replaceAll(/[0-9a-f]{32}/g, '');
    expect([last.status, plain(last)]).toEqual([answer.status, plain(answer)]);
    const read = await suite.harness.client().get<ResponseObject>(`/api/v1/responses/${last.id}`, {
      headers: { Authorization: `Bearer ${suite.caller.key}` },
    });
    expect(read.body).toEqual(last);
  });

  it('schema of 2026-04-24 is met by a stream that fails', async () => {
    suite.harness.upstream.script({ steps: [{ text: 'One' }, { error: { code: 500, message: 'x' } }] });
    const parsed = parsedEvents((await respond({ input: 'Count.', stream: true })).text);
    expect(parsed.flatMap((each, at) => event(each, `event ${at}`))).toEqual([]);
    expect(parsed.map(({ type }) => type).slice(-2)).toEqual(['error', 'response.failed']);
  });

  it('schema of 2026-04-24 is met by a compacted conversation', async () => {
    const input = [message('user', 'My name is Alice.'), message('assistant', 'Hello.'), message('user', 'Who am I?')];
    suite.harness.upstream.script({ steps: textAnswer('Alice asked who she is.') });
    const { body } = await suite.harness.post(
      suite.caller.key,
      { model: MODEL, input },
      {},
      '/api/v1/responses/compact',
    );
    expect(compacted(body, 'compacted')).toEqual([]);
    expect((body as { output: { type: string }[] }).output.map(({ type }) => type)).toEqual([
      'message',
      'message',
      'compaction',
    ]);
  });

  it('has the sampling that was asked for, and OpenAI’s defaults without', async () => {
    const sampling = { temperature: 0, top_p: 0.25, presence_penalty: 1, frequency_penalty: -1 };
    expect((await respond({ input: 'x', ...sampling })).body).toMatchObject(sampling);
    expect(suite.harness.upstream.callsOf().at(-1)!.body).toMatchObject(sampling);
    const defaults = { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 };
    expect((await respond({ input: 'x' })).body).toMatchObject(defaults);
    expect(suite.harness.upstream.callsOf().at(-1)!.body).not.toHaveProperty('temperature');
  });
});
