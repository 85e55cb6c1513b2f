import type { OpenAPIObject } from '@nestjs/swagger';
import {
  API_LIMITS,
  type ChatCompletion,
  type ChatCompletionChunk,
  type CompletionFinishReason,
  type CompletionLogprobs,
  type CompletionUsage,
  ERROR_CODES,
  type ErrorBody,
  type ErrorParams,
  type FieldError,
  type FunctionCall,
  type FunctionCallDelta,
  IMAGE_DETAILS,
  LIMITS,
  type ModelList,
  type ModelListEntry,
  type Preferences,
  type PublicApiError,
} from '@tanya/contract';
import { ACCOUNT_SCHEMAS } from './account-schemas.js';
import { RESPONSE_FIELDS, RESPONSE_SCHEMAS } from './response-schemas.js';
import { integer, listOf, nullable, oneOf, part, ref, type Schema, type Schemas, shape, text } from './schema-parts.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = NonNullable<Operation['responses']>;

const ERROR_PARAMS: Schema = { type: 'object', additionalProperties: true };

/** For a call of a function. */
const ARGUMENTS = 'JSON as the model wrote it, which may be invalid';

const EXTRA_CONTENT: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'What the provider adds, for the client to return with the call',
};

/** Reasoning in an answer, under the names that the provider uses. */
const REASONING = {
  reasoning_content: { ...text, description: 'For the client to return with the calls, as reasoning_details' },
  reasoning: text,
  reasoning_details: listOf({ type: 'object' }),
};
const REASONING_NAMES = Object.keys(REASONING) as (keyof typeof REASONING)[];

const FINISH_REASONS: CompletionFinishReason[] = ['stop', 'length', 'tool_calls', 'content_filter'];

type Choice = ChatCompletion['choices'][number];
type ChunkChoice = ChatCompletionChunk['choices'][number];

export const ANSWER_SCHEMAS: Schemas = {
  ErrorBody: shape<ErrorBody>(
    {
      statusCode: integer,
      code: oneOf(...ERROR_CODES),
      message: text,
      retryable: { type: 'boolean' },
      requestId: text,
      retryAfter: { type: 'number', description: 'Seconds' },
      details: {
        oneOf: [
          listOf(
            shape<FieldError>({ field: text, message: text, code: text, params: ERROR_PARAMS }, ['code', 'params']),
          ),
          shape<{ params: ErrorParams }>({ params: ERROR_PARAMS }),
        ],
      },
    },
    ['retryAfter', 'details'],
  ),
  PublicApiError: shape<PublicApiError>({
    error: shape<PublicApiError['error']>({ message: text, type: text, code: nullable, param: nullable }),
  }),
  CompletionUsage: shape<CompletionUsage>({
    prompt_tokens: integer,
    completion_tokens: integer,
    total_tokens: integer,
    prompt_tokens_details: shape<CompletionUsage['prompt_tokens_details']>({ cached_tokens: integer }),
    completion_tokens_details: shape<CompletionUsage['completion_tokens_details']>({ reasoning_tokens: integer }),
  }),
  CompletionLogprobs: shape<CompletionLogprobs>({
    content: { ...listOf({ type: 'object' }), nullable: true, description: "In the provider's own form" },
    refusal: { ...listOf({ type: 'object' }), nullable: true },
  }),
  FunctionCall: shape<FunctionCall>(
    {
      id: text,
      type: oneOf('function'),
      function: shape<FunctionCall['function']>({ name: text, arguments: { ...text, description: ARGUMENTS } }),
      extra_content: EXTRA_CONTENT,
    },
    ['extra_content'],
  ),
  FunctionCallDelta: shape<FunctionCallDelta>(
    {
      index: integer,
      id: { ...text, description: 'In the first piece of a call alone, as the type and the name' },
      type: oneOf('function'),
      function: shape<FunctionCallDelta['function']>({ name: text, arguments: text }, ['name']),
      extra_content: EXTRA_CONTENT,
    },
    ['id', 'type', 'extra_content'],
  ),
  ChatCompletion: shape<ChatCompletion>({
    id: text,
    object: oneOf('chat.completion'),
    created: { type: 'integer', description: 'Epoch seconds' },
    model: text,
    choices: listOf(
      shape<Choice>(
        {
          index: integer,
          message: shape<Choice['message']>(
            {
              role: oneOf('assistant'),
              content: { ...nullable, description: 'null for calls without text' },
              tool_calls: listOf(ref('FunctionCall')),
              ...REASONING,
            },
            ['tool_calls', ...REASONING_NAMES],
          ),
          logprobs: ref('CompletionLogprobs'),
          finish_reason: oneOf(...FINISH_REASONS),
        },
        ['logprobs'],
      ),
    ),
    usage: ref('CompletionUsage'),
  }),
  ChatCompletionChunk: shape<ChatCompletionChunk>(
    {
      id: text,
      object: oneOf('chat.completion.chunk'),
      created: integer,
      model: text,
      choices: listOf(
        shape<ChunkChoice>(
          {
            index: integer,
            delta: shape<ChunkChoice['delta']>(
              { role: oneOf('assistant'), content: text, tool_calls: listOf(ref('FunctionCallDelta')), ...REASONING },
              ['role', 'content', 'tool_calls', ...REASONING_NAMES],
            ),
            logprobs: ref('CompletionLogprobs'),
            finish_reason: { ...oneOf(...FINISH_REASONS), nullable: true },
          },
          ['logprobs'],
        ),
      ),
      usage: ref('CompletionUsage'),
    },
    ['usage'],
  ),
  Model: shape<ModelListEntry>({
    id: text,
    object: oneOf('model'),
    created: integer,
    owned_by: text,
    context_length: { type: 'integer', nullable: true, description: 'Tokens; null when unknown' },
    pricing: { type: 'object', additionalProperties: text, nullable: true, description: 'USD as decimal strings' },
    supported_parameters: { ...listOf(text), nullable: true },
  }),
  EmbeddingList: {
    type: 'object',
    description: 'The response of the upstream, unchanged',
    properties: {
      object: oneOf('list'),
      data: listOf({ type: 'object' }),
      model: text,
      usage: { type: 'object', properties: { prompt_tokens: integer, total_tokens: integer } },
    },
    required: ['data'],
  },
  Transcription: {
    type: 'object',
    description: 'The response of the upstream, unchanged; of verbose_json also its language, duration and segments',
    properties: { text, usage: { type: 'object' } },
    required: ['text'],
  },
  ImageList: {
    type: 'object',
    properties: {
      created: integer,
      data: listOf({ type: 'object', properties: { b64_json: text }, required: ['b64_json'] }),
    },
    required: ['created', 'data'],
  },
  ModelList: shape<ModelList>({ object: oneOf('list'), data: listOf(ref('Model')) }),
  Preferences: shape<Preferences>({
    modelId: { ...nullable, description: 'The model chosen last, for new threads' },
    aboutMe: { ...text, maxLength: LIMITS.instructions.max, description: 'Custom instructions: facts about the user' },
    howToAnswer: { ...text, maxLength: LIMITS.instructions.max, description: 'Custom instructions: how to answer' },
    useInstructions: { type: 'boolean', description: 'For threads whose own `useInstructions` is null' },
  }),
  ...ACCOUNT_SCHEMAS,
  ...RESPONSE_SCHEMAS,
};

const USD: Schema = {
  oneOf: [text, { type: 'number' }],
  nullable: true,
  description: 'USD, as a decimal string or a number',
};

/** A form of an answer that is passed on. */
const PASSED_FORM: Schema = { oneOf: [text, listOf({}), { type: 'object' }] };

/** Schemas of fields with custom validation, which the generator cannot read. */
export const FIELD_SCHEMAS: Record<string, Record<string, Schema>> = {
  CompletionMessageDto: {
    content: {
      nullable: true,
      description: 'Null for the assistant alone. A text may be empty when another message has content',
      oneOf: [
        text,
        listOf({
          oneOf: [
            part('text', 'text', text),
            part('image_url', 'image_url', {
              type: 'object',
              properties: {
                url: { type: 'string', description: 'A data URL of PNG, JPEG, GIF or WebP' },
                detail: { ...oneOf(...IMAGE_DETAILS), nullable: true },
              },
              required: ['url'],
            }),
            part('file', 'file', {
              type: 'object',
              properties: {
                file_data: { type: 'string', description: 'Base64, or a data URL. Of the user alone' },
                filename: text,
              },
              required: ['file_data'],
            }),
          ],
        }),
      ],
    },
  },
  CreateApiKeyDto: { budgetUsd: USD },
  UpdateApiKeyDto: { budgetUsd: USD },
  LimitKeyDto: { budgetUsd: USD },
  CreateServiceKeyDto: { budgetUsd: USD },
  UpdateUserDto: { budgetUsd: USD },
  UpdateSettingsDto: { freeUserBudgetUsd: USD, premiumUserBudgetUsd: USD, installationBudgetUsd: USD },
  JsonSchemaDto: { schema: { type: 'object', description: 'JSON Schema' } },
  EmbeddingRequestDto: {
    input: { oneOf: [text, listOf(text), listOf(integer), listOf(listOf(integer))] },
  },
  TranscriptionRequestDto: {
    file: {
      type: 'string',
      format: 'binary',
      description: `Required: an audio file of at most ${API_LIMITS.transcriptionBytes} bytes`,
    },
  },
  CompletionRequestDto: {
    logit_bias: {
      type: 'object',
      additionalProperties: { type: 'number', minimum: API_LIMITS.logitBias.min, maximum: API_LIMITS.logitBias.max },
      description: `Numbers by the ids of up to ${API_LIMITS.logitBias.entries} tokens`,
    },
    stop: { oneOf: [text, { ...listOf(text), maxItems: API_LIMITS.stopSequences }] },
    stop_token_ids: { ...listOf(integer), maxItems: API_LIMITS.logitBias.entries },
    guided_json: PASSED_FORM,
    guided_regex: PASSED_FORM,
    guided_choice: PASSED_FORM,
    guided_grammar: PASSED_FORM,
    structured_outputs: PASSED_FORM,
    grammar: PASSED_FORM,
    tool_choice: {
      oneOf: [
        oneOf('none', 'auto', 'required'),
        part('function', 'function', { type: 'object', properties: { name: text }, required: ['name'] }),
        part('allowed_tools', 'allowed_tools', {
          type: 'object',
          properties: { mode: oneOf('auto', 'required'), tools: listOf({ type: 'object' }) },
          required: ['tools'],
        }),
      ],
    },
  },
  FunctionDto: { parameters: { type: 'object', description: 'JSON Schema of an object' } },
  SendMessageDto: {
    content: {
      ...text,
      description: 'Plain text, or the JSON of an OutgoingMessageDto. Its older file fields may be data URLs.',
    },
  },
  ResponseToolDto: { parameters: { type: 'object', description: 'JSON Schema of an object' } },
  ResponseFormatDto: { schema: { type: 'object', description: 'JSON Schema' } },
  ...RESPONSE_FIELDS,
};

const json = (name: string) => ({ 'application/json': { schema: ref(name) } });

const header = (description: string) => ({ description, schema: text });

const QUOTA_HEADERS = {
  'x-ratelimit-limit-requests': header('Messages of the quota; -1 is unlimited'),
  'x-ratelimit-remaining-requests': header('Remaining messages'),
  'x-ratelimit-reset-requests': header('Time until the reset, such as 3600s; absent when the quota never resets'),
};

const ANSWER_HEADERS = {
  ...QUOTA_HEADERS,
  'x-model-used': header('The model that answers; absent in a stream that begins before it is known'),
};

const COMPLETION: Responses[string] = {
  description: 'The answer; with `stream: true` one event per chunk, then [DONE]',
  headers: ANSWER_HEADERS,
  content: { ...json('ChatCompletion'), 'text/event-stream': { schema: ref('ChatCompletionChunk') } },
};

const RESPONSE: Responses[string] = {
  description: 'The response; with `stream: true` its events',
  headers: ANSWER_HEADERS,
  content: { ...json('Response'), 'text/event-stream': { schema: ref('ResponseEvent') } },
};

const STORED_RESPONSE: Responses[string] = {
  description: 'The response; with `stream=true` its events; of DELETE its id',
  content: {
    'application/json': { schema: { oneOf: [ref('Response'), ref('DeletedResponse')] } },
    'text/event-stream': { schema: ref('ResponseEvent') },
  },
};

const ACCOUNT: Responses[string] = { description: 'The account', content: json('AdminUser') };

/** By path; by method and path where the methods of a path differ. */
const ANSWERS: Record<string, Responses[string]> = {
  'get /api/admin/users': {
    description: 'One page of accounts; the cursor of the next is in `X-Next-Cursor`',
    content: { 'application/json': { schema: listOf(ref('AdminUser')) } },
  },
  'patch /api/admin/users/{id}': ACCOUNT,
  '/api/admin/users/{id}/premium': ACCOUNT,
  '/api/admin/users/{id}/reset-password': ACCOUNT,
  '/api/admin/users/{id}/reset-usage': ACCOUNT,
  '/api/v1/chat': COMPLETION,
  '/api/v1/chat/completions': COMPLETION,
  '/api/v1/embeddings': { description: 'One vector for each input', content: json('EmbeddingList') },
  '/api/v1/images/generations': { description: 'One image', content: json('ImageList') },
  '/api/v1/audio/transcriptions': {
    description: 'The transcript: JSON, or text for the formats text, srt and vtt',
    headers: QUOTA_HEADERS,
    content: { ...json('Transcription'), 'text/plain': { schema: text } },
  },
  '/api/user/preferences': { description: 'The preferences of the account', content: json('Preferences') },
  '/api/v1/responses': RESPONSE,
  '/api/v1/responses/compact': { description: 'A shorter conversation', content: json('CompactedResponse') },
  '/api/v1/responses/input_tokens': { description: 'An estimate', content: json('CountedResponse') },
  '/api/v1/responses/{id}': STORED_RESPONSE,
  '/api/v1/models': { description: 'Available models', content: json('ModelList') },
  '/api/v1/models/{id}': { description: 'One model', content: json('Model') },
};

/** Responses of a route. @param errors name of the schema of its errors */
export function responsesOf(method: string, path: string, { responses }: Operation, errors: string): Responses {
  const answer = ANSWERS[`${method} ${path}`] ?? ANSWERS[path];
  return { ...(answer ? { 200: answer } : responses), default: { description: 'Any error', content: json(errors) } };
}
