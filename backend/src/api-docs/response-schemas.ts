import type {
  CompactedResponse,
  CountedResponse,
  DeletedResponse,
  ResponseCustomCallItem,
  ResponseFunctionCallItem,
  ResponseMessageItem,
  ResponseObject,
  ResponseText,
  ResponseToolSearchItem,
  ResponseUsage,
} from '@tanya/contract';
import { API_LIMITS, VERBOSITIES } from '@tanya/contract';
import { integer, listOf, nullable, oneOf, part, ref, type Schema, shape, text } from './schema-parts.js';

const object: Schema = { type: 'object' };
const ITEMS = ['ResponseMessageItem', 'ResponseCallItem', 'ResponseCustomCallItem', 'ResponseToolSearchItem'];
const ITEM_STATUS = oneOf('in_progress', 'completed', 'incomplete');

export const RESPONSE_SCHEMAS: Record<string, Schema> = {
  ResponseMessageItem: shape<ResponseMessageItem>({
    id: text,
    type: oneOf('message'),
    status: ITEM_STATUS,
    role: oneOf('assistant'),
    content: listOf(
      shape<ResponseText>({
        type: oneOf('output_text'),
        text,
        annotations: listOf(object),
        logprobs: listOf(object),
      }),
    ),
  }),
  ResponseCallItem: shape<ResponseFunctionCallItem>(
    {
      id: text,
      type: oneOf('function_call'),
      status: ITEM_STATUS,
      call_id: text,
      name: text,
      namespace: { ...text, description: 'The group of tools that the function belongs to' },
      arguments: { ...text, description: 'JSON as the model wrote it, which may be invalid' },
      encrypted_function_args: { ...listOf(text), description: 'Empty, for a function that expects encrypted ones' },
    },
    ['namespace', 'encrypted_function_args'],
  ),
  ResponseCustomCallItem: shape<ResponseCustomCallItem>(
    {
      id: text,
      type: oneOf('custom_tool_call'),
      status: ITEM_STATUS,
      call_id: text,
      name: text,
      namespace: text,
      input: { ...text, description: 'A text of any form' },
    },
    ['namespace'],
  ),
  ResponseToolSearchItem: shape<ResponseToolSearchItem>({
    id: text,
    type: oneOf('tool_search_call'),
    status: ITEM_STATUS,
    call_id: text,
    execution: oneOf('client'),
    arguments: object,
  }),
  ResponseUsage: shape<ResponseUsage>({
    input_tokens: integer,
    input_tokens_details: shape<ResponseUsage['input_tokens_details']>({ cached_tokens: integer }),
    output_tokens: integer,
    output_tokens_details: shape<ResponseUsage['output_tokens_details']>({ reasoning_tokens: integer }),
    total_tokens: integer,
  }),
  Response: shape<ResponseObject>({
    id: text,
    object: oneOf('response'),
    created_at: { type: 'integer', description: 'Epoch seconds' },
    completed_at: { type: 'integer', nullable: true, description: 'Epoch seconds' },
    status: oneOf('in_progress', 'completed', 'incomplete', 'failed'),
    output: listOf({ oneOf: ITEMS.map(ref) }),
    error: { type: 'object', nullable: true, properties: { code: text, message: text } },
    incomplete_details: {
      type: 'object',
      nullable: true,
      properties: { reason: oneOf('max_output_tokens', 'content_filter') },
    },
    usage: { nullable: true, allOf: [ref('ResponseUsage')] },
    model: text,
    instructions: nullable,
    max_output_tokens: { type: 'integer', nullable: true },
    max_tool_calls: { type: 'integer', nullable: true },
    frequency_penalty: { type: 'number' },
    presence_penalty: { type: 'number' },
    prompt_cache_key: nullable,
    safety_identifier: nullable,
    service_tier: text,
    top_logprobs: { type: 'integer' },
    parallel_tool_calls: { type: 'boolean' },
    previous_response_id: nullable,
    reasoning: { type: 'object', properties: { effort: nullable } },
    store: { type: 'boolean', description: 'Whether it is kept, for 30 days' },
    temperature: { type: 'number' },
    text: { type: 'object', properties: { format: object, verbosity: oneOf(...VERBOSITIES) } },
    tool_choice: { oneOf: [text, object] },
    tools: listOf(object),
    top_p: { type: 'number' },
    background: { type: 'boolean' },
    metadata: object,
    truncation: oneOf('disabled'),
  }),
  CompactedResponse: shape<CompactedResponse>({
    id: text,
    object: oneOf('response.compaction'),
    created_at: { type: 'integer', description: 'Epoch seconds' },
    output: {
      ...listOf(object),
      description: 'The messages of the user, then an item of the type compaction; the input of the next request',
    },
    usage: ref('ResponseUsage'),
  }),
  CountedResponse: shape<CountedResponse>({
    object: oneOf('response.input_tokens'),
    input_tokens: { type: 'integer' },
  }),
  DeletedResponse: shape<DeletedResponse>({ id: text, object: oneOf('response'), deleted: { type: 'boolean' } }),
  ResponseEvent: {
    type: 'object',
    description: "One of OpenAI's events, such as response.output_text.delta",
    properties: { type: text, sequence_number: { type: 'integer', description: 'From 0 on, without a gap' } },
    required: ['type', 'sequence_number'],
  },
};

const TOOL_CHOICE: Schema = { oneOf: [oneOf('none', 'auto', 'required'), part('function', 'name', text)] };

/** Fields of the request that have validators of their own. */
export const RESPONSE_FIELDS: Record<string, Record<string, Schema>> = {
  ResponseRequestDto: {
    input: {
      oneOf: [
        text,
        {
          ...listOf(object),
          minItems: 1,
          description: `Items of the types message, agent_message, function_call, custom_tool_call, tool_search_call, their outputs, additional_tools, item_reference and reasoning. At most ${API_LIMITS.messages}, without those of reasoning.`,
        },
      ],
    },
    tool_choice: TOOL_CHOICE,
  },
  ResponseOptionsDto: { tool_choice: TOOL_CHOICE },
  CountedResponseDto: { tool_choice: TOOL_CHOICE },
};
