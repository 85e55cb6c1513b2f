import { AdaptationMemory } from './adaptation-memory.js';
import { failureOfResponse } from './upstream-failure.js';
import { RequestAdapter } from './request-adapter.js';

const MODEL = 'm';
const FIELDS = {
  model: MODEL,
  stream_options: { include_usage: true },
  parallel_tool_calls: false,
  max_tokens: 5,
  seed: 1,
};

type Message = Record<string, unknown>;

/** The adapter of a body after one refusal, and whether the request is repeated. */
function refused(body: object, status: number, error: unknown): { adapter: RequestAdapter; isRepeated: boolean } {
  const adapter = new RequestAdapter({ ...body }, MODEL, new AdaptationMemory());
  const failure = failureOfResponse(status, undefined, JSON.stringify(error));
  return { adapter, isRepeated: adapter.adaptTo(failure) };
}

const says = (message: string, param?: string): object => ({ error: { message, param } });
const without = (...names: string[]): object =>
  Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !names.includes(name)));

describe('a field that a server refuses by name', () => {
  const renamed = { ...without('max_tokens'), max_completion_tokens: 5 };
  it.each([
    [400, { detail: "Extra parameters ['stream_options'] are not allowed" }, without('stream_options')],
    [422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs' }] }, without('stream_options')],
    [400, says('No.', 'parallel_tool_calls'), without('parallel_tool_calls')],
    [500, { error: "got an unexpected keyword argument 'stream_options'" }, without('stream_options')],
    [400, { message: 'stream_options, parallel_tool_calls' }, without('stream_options', 'parallel_tool_calls')],
    [400, says("'max_tokens' is not supported. Use 'max_completion_tokens' instead.", 'max_tokens'), renamed],
  ])('%i %j is left out or renamed', (status, error, body) => {
    const { adapter, isRepeated } = refused(FIELDS, status, error);
    expect([isRepeated, adapter.body]).toEqual([true, body]);
  });

  it.each([
    ['whose value is refused', 400, says('max_tokens is too large: 5', 'max_tokens')],
    ['that the asker set', 400, says('No seeds.', 'seed')],
    ['by a busy server', 429, says('stream_options')],
  ])('%s stays', (_name, status, error) => {
    const { adapter, isRepeated } = refused(FIELDS, status, error);
    expect([isRepeated, adapter.body]).toEqual([false, FIELDS]);
  });

  it('does not get its first name back', () => {
    const { adapter } = refused(FIELDS, 400, says('max_tokens is not supported'));
    const again = failureOfResponse(400, undefined, JSON.stringify(says('max_completion_tokens is unknown')));
    expect(adapter.adaptTo(again)).toBe(false);
  });
});

it('leaves out how closely pictures are looked at, which servers have in some of its values', () => {
  const picture = (more: object): object => ({ type: 'image_url', image_url: { url: 'data:', ...more } });
  const text = { type: 'text', text: 'detail' };
  const body = (more: object): object => ({
    messages: [{ role: 'user', content: [text, picture(more), picture({})] }],
  });
  for (const error of [
    says(
      "Invalid value: 'original'. Supported values are: 'low', 'high', and 'auto'.",
      'messages[1].content[1].image_url.detail',
    ),
    {
      detail: [
        {
          loc: ['body', 'messages', 1, 'content', 1, 'image_url', 'detail'],
          msg: "Input should be 'auto', 'low' or 'high'",
        },
      ],
    },
  ]) {
    const { adapter, isRepeated } = refused(body({ detail: 'original' }), 400, error);
    expect([isRepeated, adapter.body]).toEqual([true, body({})]);
    expect(refused(body({}), 400, error).isRepeated).toBe(false);
  }
});

const system = (content: unknown): Message => ({ role: 'system', content });
const user = (content: unknown): Message => ({ role: 'user', content });
const answer = (content: unknown, more: Message = {}): Message => ({ role: 'assistant', content, ...more });
const CALL = { tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } }] };
const RESULT = { role: 'tool', tool_call_id: 'c', content: '2' };
const picture = { type: 'image_url', image_url: { url: 'data:,' } };

const sentAfter = (messages: Message[], message: string, status = 400): unknown =>
  refused({ messages }, status, says(message)).adapter.body['messages'];

describe('a server without the role of the system', () => {
  const messages = [system('Be brief.'), user('Hi')];

  it.each([
    [400, 'System role not supported'],
    [500, 'Jinja Exception: System role not supported'],
    [400, 'Only user and assistant roles are supported!'],
    [400, 'Only user, assistant and tool roles are supported, got system.'],
    [400, 'Developer instruction is not enabled for models/gemma-3-27b-it'],
    [400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."],
    [400, 'System message must be at the beginning.'],
    [422, "Unexpected role 'system' after role 'user'"],
  ])('%i "%s" gets it in the first message of the user', (status, message) => {
    expect(sentAfter(messages, message, status)).toEqual([user('Be brief.\n\nHi')]);
  });

  it('keeps pictures and further system messages in their place', () => {
    const parts = [picture, { type: 'text', text: 'Hi' }];
    const all = [system('A'), system('B'), user(parts), answer('Yes'), system('C'), user('Go'), system('D')];
    expect(sentAfter(all, 'System role not supported')).toEqual([
      user([{ type: 'text', text: 'A\n\nB' }, ...parts]),
      answer('Yes'),
      user('C\n\nGo'),
      user('D'),
    ]);
  });

  it('is not asked again without a system message', () => {
    expect(refused({ messages: [user('Hi')] }, 400, says('System role not supported')).isRepeated).toBe(false);
  });
});

describe('a server that demands that roles alternate', () => {
  it.each([
    'Conversation roles must alternate user/assistant/user/assistant/...',
    'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
    'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
    'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    "Unexpected role 'user' after role 'user'",
    'Something else',
  ])('"%s" gets questions without an answer as one', (message) => {
    expect(sentAfter([system('S'), user('One'), user('Two'), answer('Yes'), user('Three')], message)).toEqual([
      system('S'),
      user('One\n\nTwo'),
      answer('Yes'),
      user('Three'),
    ]);
  });

  it.each(['First message must use the "user" role', 'Conversation must start with a user message'])(
    '"%s" gets one of the user before an answer',
    (message) => {
      expect(sentAfter([system('S'), answer('Yes'), user('Go')], message)).toEqual([
        system('S'),
        user('…'),
        answer('Yes'),
        user('Go'),
      ]);
    },
  );

  it('gets an answer after the results of calls, and parts of different kinds together', () => {
    const messages = [user('Add'), answer(null, CALL), RESULT, user([picture]), user('Again')];
    expect(sentAfter(messages, "Unexpected role 'user' after role 'tool'")).toEqual([
      user('Add'),
      answer(null, CALL),
      RESULT,
      answer('…'),
      user([picture, { type: 'text', text: 'Again' }]),
    ]);
    expect(sentAfter([user('A'), answer('B'), answer('', CALL), RESULT], 'roles must alternate')).toEqual([
      user('A'),
      answer('B', CALL),
      RESULT,
    ]);
  });

  it('is not asked again when they do', () => {
    const messages = [system('S'), user('One'), answer('Yes'), user('Two')];
    expect(refused({ messages }, 400, says('roles must alternate')).isRepeated).toBe(false);
  });
});

describe('a server that demands a text beside calls', () => {
  const messages = [user('Add'), answer(null, CALL), RESULT];

  it.each([
    [400, says('invalid message content type: <nil>')],
    [400, says("Invalid 'content': 'content' field must be a string or an array of objects.")],
    [400, says("Invalid value for 'content': expected a string, got null.", 'messages.[1].content')],
    [422, { detail: [{ loc: ['body', 'messages', 1, 'content'], msg: 'Input should be a valid string' }] }],
  ])('%i %j gets an empty one', (status, error) => {
    const { adapter, isRepeated } = refused({ messages }, status, error);
    expect([isRepeated, adapter.body['messages']]).toEqual([true, [user('Add'), answer('', CALL), RESULT]]);
  });

  it('is not asked again when each message has its text', () => {
    const all = [user('Add'), answer('', CALL), RESULT];
    expect(refused({ messages: all }, 400, says('invalid message content type: <nil>')).isRepeated).toBe(false);
  });
});

describe('a server that demands the reasoning of each answer', () => {
  const messages = [user('Add'), answer(null, CALL), RESULT, answer('Two.', { reasoning_content: 'Hm.' }), user('So?')];

  it.each([
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  ])('"%s" gets a blank where there is none', (message) => {
    const [call, two] = [messages[1]!, messages[3]!];
    expect(sentAfter(messages, message)).toEqual([
      user('Add'),
      { ...call, reasoning_content: ' ' },
      RESULT,
      two,
      user('So?'),
    ]);
  });

  it('is another one than a server that refuses it', () => {
    const refusal = 'Extra inputs are not permitted: reasoning_content is missing in the schema';
    const [, call] = messages;
    expect(sentAfter(messages, refusal)).toEqual([user('Add'), call, RESULT, answer('Two.'), user('So?')]);
  });
});

describe('a server that demands ids of its own form', () => {
  const callOf = (id: string): Message => ({ tool_calls: [{ ...CALL.tool_calls[0], id }] });
  const messages = (id: string): Message[] => [user('Add'), answer(null, callOf(id)), { ...RESULT, tool_call_id: id }];

  it.each([
    'Tool call id was chatcmpl-tool-1 but must be a-z, A-Z, 0-9, with a length of 9.',
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ])('"%s" gets one that it takes, in the call and its result', (message) => {
    const sent = sentAfter(messages('chatcmpl-tool-1'), message) as Message[];
    const id = sent[2]!['tool_call_id'] as string;
    expect(id).toMatch(/^[a-z0-9]{9}$/);
    expect(sent).toEqual(messages(id));
  });

  it('is not asked again with the same ids', () => {
    const message = 'Tool call id was abcdefgh1 but must have a length of 9.';
    expect(refused({ messages: messages('abcdefgh1') }, 400, says(message)).isRepeated).toBe(false);
  });
});

describe('a server that demands the signature of each call', () => {
  const SIGNED = { google: { thought_signature: 'A1' } };
  const signedCall = (extra_content: object): Message => ({ tool_calls: [{ ...CALL.tool_calls[0], extra_content }] });

  it('gets the one for calls of other models where there is none', () => {
    const message = 'Function call is missing a thought_signature in functionCall parts.';
    const messages = [user('Add'), answer(null, CALL), RESULT, answer(null, signedCall(SIGNED)), RESULT];
    const error = [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }];
    expect(refused({ messages }, 400, error).adapter.body['messages']).toEqual([
      user('Add'),
      answer(null, signedCall({ google: { thought_signature: 'skip_thought_signature_validator' } })),
      RESULT,
      answer(null, signedCall(SIGNED)),
      RESULT,
    ]);
  });

  it('is another one than a server that refuses signatures', () => {
    const messages = [user('Add'), answer(null, signedCall(SIGNED)), RESULT];
    expect(sentAfter(messages, 'Extra inputs are not permitted')).toEqual([user('Add'), answer(null, CALL), RESULT]);
  });
});

describe('a server that takes no tools beside reasoning', () => {
  const tools = [{ type: 'function', function: { name: 'add' } }];
  const messages = [user('Add')];

  it.each([
    [{ reasoning_effort: 'high' }, 'Please use /v1/responses instead.'],
    [{}, "To use function tools, use /v1/responses or set reasoning_effort to 'none'."],
  ])('answers without reasoning then: %j', (more, advice) => {
    const error = says(
      `Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. ${advice}`,
      'reasoning_effort',
    );
    const { adapter, isRepeated } = refused({ messages, tools, ...more }, 400, error);
    expect([isRepeated, adapter.body]).toEqual([true, { messages, tools, reasoning_effort: 'none' }]);
    expect(refused({ messages, tools, reasoning_effort: 'none' }, 400, error).isRepeated).toBe(false);
    const memory = new AdaptationMemory();
    memory.replace({ [MODEL]: ['reasoning_effort'] });
    expect(new RequestAdapter({ messages, ...more }, MODEL, memory).body).toEqual({ messages, ...more });
  });

  it('is another one than a server that does not have the effort', () => {
    const error = says("Unsupported value: 'minimal' is not supported with this model.", 'reasoning_effort');
    expect(refused({ messages, tools, reasoning_effort: 'minimal' }, 400, error).isRepeated).toBe(false);
  });
});

describe('a server that demands the tools of earlier calls', () => {
  const messages = [user('Add'), answer(null, CALL), RESULT, answer('Two.', CALL), RESULT, answer('Two.'), user('So?')];

  it.each([
    'litellm.UnsupportedParamsError: Anthropic expects the `tools=` param to be passed in.',
    "litellm.UnsupportedParamsError: Anthropic doesn't support tool calling without `tools=` param specified",
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    'Requests which include `tool_use` or `tool_result` blocks must define tools',
  ])('"%s" gets their names, and no call', (message) => {
    const parameters = { type: 'object', properties: {} };
    expect(refused({ messages }, 400, says(message)).adapter.body).toEqual({
      messages,
      tools: [{ type: 'function', function: { name: 'add', parameters } }],
      tool_choice: 'none',
    });
    const tools = [{ type: 'function', function: { name: 'other' } }];
    for (const body of [{ messages, tools }, { messages: [user('Add')] }])
      expect(refused(body, 400, says(message)).isRepeated).toBe(false);
    const memory = new AdaptationMemory();
    memory.replace({ [MODEL]: ['tools'] });
    for (const body of [{ messages, tools }, { messages: [user('Add')] }])
      expect(new RequestAdapter(body, MODEL, memory).body).toEqual(body);
  });
});

describe('a server that reads schemas of tools of few words', () => {
  const listed = { type: 'object', properties: { tags: { type: 'array' } }, additionalProperties: false };
  const plain = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } };
  const tool = (parameters: object, more: object = {}): object => ({
    type: 'function',
    function: { name: 'find', parameters, ...more },
  });

  it.each([
    [400, "Invalid schema for function 'find': In context=('properties', 'tags'), array schema missing items."],
    [400, 'GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[tags].items: missing field.'],
    [400, `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`],
    [400, 'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12'],
    [400, 'tools.function.parameters is not a valid moonshot flavored json schema, details: <type is not defined>'],
    [400, 'Failed to initialize samplers: failed to parse grammar'],
    [500, 'JSON schema conversion failed: Unrecognized schema: {"not":{}}'],
  ])('%i "%s" gets them so, except for exact ones', (status, message) => {
    const exact = tool(listed, { strict: true });
    const { adapter } = refused({ messages: [user('Hi')], tools: [tool(listed), exact] }, status, says(message));
    expect(adapter.body['tools']).toEqual([tool(plain), exact]);
  });

  it('is not asked again when they are plain, or exact', () => {
    const message = "Invalid schema for function 'find': No.";
    for (const tools of [[tool(plain)], [tool(listed, { strict: true })], undefined])
      expect(refused({ messages: [user('Hi')], tools }, 400, says(message)).isRepeated).toBe(false);
  });
});

describe('what a server demands', () => {
  const twice = [user('One'), user('Two')];

  function learnt(message: string): [changes: string[], told: unknown[]] {
    const told: unknown[] = [];
    const memory = new AdaptationMemory((model, changes) => told.push([model, [...changes]]));
    const body = { ...FIELDS, messages: [system('S'), ...twice] };
    const adapter = new RequestAdapter(body, MODEL, memory);
    adapter.adaptTo(failureOfResponse(400, undefined, JSON.stringify(says(message))));
    adapter.remember();
    adapter.remember();
    return [[...memory.of(MODEL)], told];
  }

  it('by name is remembered, and told once', () => {
    expect(learnt('System role not supported')).toEqual([['system'], [[MODEL, ['system']]]]);
    expect(learnt('roles must alternate')[0]).toEqual(['alternation']);
  });

  it('in other words is not', () => {
    expect(learnt('Invalid request')).toEqual([[], []]);
  });

  it('holds from the first request on, for its model alone; names of later versions change nothing', () => {
    const memory = new AdaptationMemory();
    memory.replace({ [MODEL]: ['stream_options', 'of_the_future'] });
    expect(new RequestAdapter(FIELDS, MODEL, memory).body).toEqual(without('stream_options'));
    expect(new RequestAdapter(FIELDS, 'other', memory).body).toEqual(FIELDS);
  });

  it('is remembered for a bounded number of models', () => {
    const memory = new AdaptationMemory();
    for (let model = 0; model < 10_000; model += 1) memory.add(String(model), ['system']);
    memory.add('x'.repeat(100_000), ['system']);
    expect([memory.of('0').size, memory.of('9999').size, memory.of('x'.repeat(100_000)).size]).toEqual([1, 0, 0]);
  });
});
