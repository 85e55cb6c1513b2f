import { AdaptationMemory } from '../adaptation-memory.js';
import { RequestAdapter } from '../request-adapter.js';
import { failureOfResponse } from '../upstream-failure.js';
import {
  answer,
  CALL,
  type Message,
  MODEL,
  refused,
  RESULT,
  says,
  sentAfter,
  user,
} from '../../../../test/providers/refused-requests.js';

/** Parameters of tools of which the names alone are known. */
const EMPTY = { type: 'object', properties: {} };

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
    expect(refused({ messages }, 400, says(message)).adapter.body).toEqual({
      messages,
      tools: [{ type: 'function', function: { name: 'add', parameters: EMPTY } }],
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

describe('a server that demands the tools of earlier calls and does not know how to forbid them', () => {
  const unknownChoice = failureOfResponse(
    400,
    {},
    JSON.stringify(says('Unknown parameter in toolConfig.toolChoice: "none", must be one of: auto, any, tool')),
  );
  const demanded = failureOfResponse(
    400,
    {},
    JSON.stringify(says('The toolConfig field must be defined when using toolUse and toolResult content blocks.')),
  );
  const messages = [user('Add'), answer(null, CALL), RESULT, user('So?')];
  const taken = { messages, tools: [{ type: 'function', function: { name: 'add', parameters: EMPTY } }] };

  it.each([
    ['offered ones', { tools: [{ type: 'function', function: { name: 'add' } }], tool_choice: 'none' }],
    ['none', {}],
  ])('gets their names and no choice: %s', (_name, fields) => {
    const memory = new AdaptationMemory();
    const body = { messages, ...fields };
    const adapter = new RequestAdapter(body, MODEL, memory);
    const refusals = 'tools' in body ? [unknownChoice, demanded] : [demanded, unknownChoice];
    for (const refusal of refusals) expect(adapter.adaptTo(refusal)).toBe(true);
    expect(adapter.body).toEqual(taken);
    adapter.remember();
    expect(new RequestAdapter(body, MODEL, memory).body).toEqual(taken);
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
    [
      400,
      "invalid JSON schema for tool find, tools[4].function.parameters: 'required' present but 'properties' is missing",
    ],
    [500, 'fireworks_chat: 400: JSON Schema not supported: could not understand the instance `True`'],
    [400, 'Failed to compile the JSON schema grammar'],
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
