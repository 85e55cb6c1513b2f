import { AdaptationMemory } from './adaptation-memory.js';
import { failureOfResponse } from './upstream-failure.js';
import { RequestAdapter } from './request-adapter.js';
import {
  answer,
  CALL,
  MODEL,
  picture,
  refused,
  RESULT,
  says,
  sentAfter,
  system,
  user,
} from '../../../test/providers/refused-requests.js';

const FIELDS = {
  model: MODEL,
  stream_options: { include_usage: true },
  parallel_tool_calls: false,
  max_tokens: 5,
  seed: 1,
};

const without = (...names: string[]): object =>
  Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !names.includes(name)));

describe('a field that a server refuses by name', () => {
  const renamed = { ...without('max_tokens'), max_completion_tokens: 5 };
  it.each([
    [400, { detail: "Extra parameters ['stream_options'] are not allowed" }, without('stream_options')],
    [422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs' }] }, without('stream_options')],
    [422, { detail: [{ loc: ['body', 'stream_options', 'include_usage'], msg: 'x' }] }, without('stream_options')],
    [400, says('Unknown name "streamOptions": Cannot find field.'), without('stream_options')],
    [400, says('disable_parallel_tool_use: extraneous key'), without('parallel_tool_calls')],
    [400, says('Stream options are not supported.'), without('stream_options')],
    [400, says('This server does not support stream options'), without('stream_options')],
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
    const again = failureOfResponse(400, {}, JSON.stringify(says('max_completion_tokens is unknown')));
    expect(adapter.adaptTo(again)).toBe(false);
  });
});

describe('what a server repeats of a request', () => {
  const body = {
    messages: [
      system('Be brief.'),
      user('Hi'),
      user([{ type: 'image_url', image_url: { url: 'system role not supported' } }]),
    ],
    stream: true,
    stream_options: { include_usage: true },
    tools: [
      {
        type: 'function',
        function: {
          name: 'parallel_tool_calls',
          parameters: {
            type: 'object',
            properties: {
              stream_options: { type: 'array' },
              'does not support streaming': { type: 'array' },
              temperature: { enum: ['system role is not supported'] },
            },
          },
        },
      },
    ],
    parallel_tool_calls: true,
    temperature: 0.2,
  };
  const inSchema = (name: string): string =>
    `Invalid schema for function 'parallel_tool_calls': In context=('properties', '${name}'), array schema missing items.`;

  const learnt = (error: unknown): string[] => {
    const memory = new AdaptationMemory();
    const adapter = new RequestAdapter(body, MODEL, memory, ['temperature']);
    adapter.adaptTo(failureOfResponse(400, {}, JSON.stringify(error)));
    adapter.remember();
    return [...memory.learntFor(MODEL)];
  };

  it.each([
    ...['stream_options', 'does not support streaming', 'system role is not supported', 'temperature'].flatMap(
      (name) => [says(inSchema(name), 'tools[0].function.parameters'), says(inSchema(name))],
    ),
    says('Bad picture: system role not supported', 'messages[2].content[0].image_url.url'),
    { detail: [{ loc: ['body', 'tools', 0, 'parameters', 'stream_options'], msg: 'schema: no' }] },
  ])('teaches nothing for other requests: %j', (error) => {
    expect(learnt(error).filter((name) => name !== 'schemas')).toEqual([]);
  });

  it.each([
    [says("Unknown parameter: 'parallel_tool_calls' and stream.", 'parallel_tool_calls'), []],
    [says('Stream options are not supported.'), ['stream_options']],
    [says("'messages[0].role' does not support 'system' with this model.", 'messages[0].role'), ['system']],
  ])('and its own words do: %j', (error, changes) => expect(learnt(error)).toEqual(changes));

  it('is not looked for in a request with very many values, whose refusal teaches nothing', () => {
    const nested = (levels: number): object =>
      levels === 0 ? Array<string>(200_000).fill('words') : [nested(levels - 1)];
    const large = { ...body, messages: [{ role: 'user', content: nested(60) }] };
    const memory = new AdaptationMemory();
    const adapter = new RequestAdapter(large, MODEL, memory);
    const error = says('Stream options and parallel_tool_calls are not supported.');
    expect(adapter.adaptTo(failureOfResponse(400, {}, JSON.stringify(error)))).toBe(true);
    adapter.remember();
    expect([...memory.learntFor(MODEL)]).toEqual([]);
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

it.each([
  [
    422,
    { detail: [{ loc: ['body', 'messages', 0, 'user', 'content', 'str'], msg: 'Input should be a valid string' }] },
  ],
  [400, says('messages[0].content: invalid type: sequence, expected a string')],
  [400, says('json: cannot unmarshal array into Go struct field Message.messages.content of type string')],
  [400, says("'messages.0.content' must be a string")],
])('a server that takes no lists of parts gets the texts of one joined: %i %j', (status, error) => {
  const parts = [
    { type: 'text', text: 'One' },
    { type: 'text', text: 'two' },
  ];
  const { adapter, isRepeated } = refused({ messages: [user(parts), answer('Yes'), user([picture])] }, status, error);
  expect([isRepeated, adapter.body]).toEqual([
    true,
    { messages: [user('One\n\ntwo'), answer('Yes'), user([picture])] },
  ]);
  const others = [user('Hi'), answer('Yes'), user([picture])];
  expect(refused({ messages: others }, status, error).isRepeated).toBe(false);
});

it('leaves out the default choice of tools, and no other one', () => {
  const refusal = says('Thinking mode does not support this tool_choice');
  const tools = [{ type: 'function', function: { name: 'add' } }];
  const { adapter, isRepeated } = refused({ tools, tool_choice: 'auto' }, 400, refusal);
  expect([isRepeated, adapter.body]).toEqual([true, { tools }]);
  for (const tool_choice of ['required', { type: 'function', function: { name: 'add' } }])
    expect(refused({ tools, tool_choice }, 400, refusal).isRepeated).toBe(false);
});

it.each([
  [
    400,
    says("tool_choice: Input tag 'none' found using 'type' does not match any of the expected tags: 'auto', 'any'"),
  ],
  [500, says("Incompatible tool choice param submitted - {'type': 'none'}")],
  [400, says('Tool choice is none, but model called a tool')],
  [400, says('Unknown parameter in toolConfig.toolChoice: "none", must be one of: auto, any, tool')],
])('leaves out tools that may not be called after the %i %j', (status, refusal) => {
  const tools = [{ type: 'function', function: { name: 'add' } }];
  const body = { messages: [user('Hi')], tools, tool_choice: 'none', parallel_tool_calls: false };
  const { adapter, isRepeated, memory } = refused(body, status, refusal);
  expect([isRepeated, adapter.body]).toEqual([true, { messages: [user('Hi')] }]);
  adapter.remember();
  const next = { messages: [user('Hi')], tools, tool_choice: 'required' };
  expect(new RequestAdapter(next, MODEL, memory).body).toEqual(next);
});

describe('the names of who wrote the messages', () => {
  const messages = [{ ...user('Hi'), name: 'Ada' }, { ...answer('Yes'), name: 'Bot' }, user('So?')];
  const nameless = [user('Hi'), answer('Yes'), user('So?')];

  it.each([
    [400, says("'messages.0' : for 'role:user' the following must be satisfied: property 'name' is unsupported")],
    [422, { detail: [{ loc: ['body', 'messages', 0, 'user', 'name'], msg: 'Extra inputs are not permitted' }] }],
    [400, says('Unknown name.', 'messages[0].name')],
    [400, says('messages.2.tool.name: Extra inputs are not permitted')],
  ])('are left out for a server without them: %i %j', (status, error) => {
    const { adapter, isRepeated, memory } = refused({ messages }, status, error);
    expect([isRepeated, adapter.body]).toEqual([true, { messages: nameless }]);
    adapter.remember();
    expect([...memory.learntFor(MODEL)]).toEqual(['names']);
    expect(refused({ messages: nameless }, status, error).isRepeated).toBe(false);
  });

  it('are left out once where one of them is refused', () => {
    const error = says("Invalid 'messages[0].name': string does not match pattern.", 'messages[0].name');
    const { adapter, isRepeated, memory } = refused({ messages }, 400, error);
    expect([isRepeated, adapter.body]).toEqual([true, { messages: nameless }]);
    adapter.remember();
    expect([...memory.learntFor(MODEL)]).toEqual([]);
  });

  it('stay where another name is refused', () => {
    const error = says("Invalid 'messages[1].tool_calls[0].function.name': does not match pattern.");
    expect(refused({ messages }, 400, error).isRepeated).toBe(false);
  });

  it('stand with joined messages if they are one', () => {
    const ada = { ...user('Hi'), name: 'Ada' };
    const joinedBy = (name: string): unknown => {
      const body = { messages: [ada, { ...user('there'), name }] };
      return refused(body, 400, says('Conversation roles must alternate user/assistant')).adapter.body;
    };
    expect(joinedBy('Ada')).toEqual({ messages: [{ ...user('Hi\n\nthere'), name: 'Ada' }] });
    expect(joinedBy('Bob')).toEqual({ messages: [user('Hi\n\nthere')] });
  });
});

it.each([
  'tools[0].function.parameters.required: invalid type: sequence, expected a string',
  "Invalid type for 'stop': expected a string, but got a list of strings",
  'enum: a list must have string values',
])('a refusal of a list elsewhere says nothing about the messages: %s', (message) => {
  const parts = [
    { type: 'text', text: 'One' },
    { type: 'text', text: 'two' },
  ];
  expect(refused({ messages: [user(parts)] }, 400, says(message)).isRepeated).toBe(false);
});

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

it.each([
  'messages: text content blocks must be non-empty',
  'messages: text content blocks must contain non-whitespace text',
  'messages.2: all messages must have non-empty content except for the optional final assistant message',
  'chat content is empty (2013)',
  '未正常接收到prompt参数。',
])('gives a text to messages without a letter: %s', (message) => {
  const result = { ...RESULT, content: '' };
  expect(sentAfter([user('A'), answer(null, CALL), result], message)).toEqual([
    user('A'),
    answer(null, CALL),
    { ...result, content: '…' },
  ]);
  const parts = [{ type: 'text', text: ' ' }, picture];
  expect(sentAfter([{ role: 'user', content: parts }], message)).toEqual([{ role: 'user', content: [picture] }]);
  const { isRepeated } = refused({ messages: [user('A'), answer(null, CALL), RESULT] }, 400, says(message));
  expect(isRepeated).toBe(false);
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

describe('what a server demands', () => {
  const twice = [user('One'), user('Two')];

  function learnt(message: string): [changes: string[], told: unknown[]] {
    const told: unknown[] = [];
    const memory = new AdaptationMemory((model, changes) => told.push([model, [...changes]]));
    const body = { ...FIELDS, messages: [system('S'), ...twice] };
    const adapter = new RequestAdapter(body, MODEL, memory);
    adapter.adaptTo(failureOfResponse(400, {}, JSON.stringify(says(message))));
    adapter.remember();
    adapter.remember();
    return [[...memory.learntFor(MODEL)], told];
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
    expect([
      memory.learntFor('0').size,
      memory.learntFor('9999').size,
      memory.learntFor('x'.repeat(100_000)).size,
    ]).toEqual([1, 0, 0]);
  });
});
