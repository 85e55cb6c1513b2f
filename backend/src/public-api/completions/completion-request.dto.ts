import { applyDecorators } from '@nestjs/common';
import {
  type ChatCompletionMessage,
  type ChatCompletionPart,
  type ChatCompletionRequest,
  API_LIMITS,
  LIMITS,
  type ReasoningEffort,
  REASONING_EFFORTS,
  type ToolChoiceField,
  type Verbosity,
  VERBOSITIES,
} from '@tanya/contract';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { Transform } from 'class-transformer';
import {
  IsListOf,
  IsNumberWithin,
  IsObjectOf,
  IsWholeWithin,
  MaxLength,
  NullIsAbsent,
} from '../../platform/http/dto.decorators.js';
import type { JsonFields } from '../json-fields.js';
import { mayBeEmpty } from '../answers/provider-messages.js';
import { FunctionCallDto, FunctionToolDto, IsToolChoice } from '../answers/function-tools.dto.js';

const isStopSequence = (text: unknown) => typeof text === 'string' && text !== '' && text.isWellFormed();

/** A stop sequence, or a short list of them. */
const IsStop = (): PropertyDecorator =>
  ValidateBy({
    name: 'isStop',
    validator: {
      validate: (value) =>
        Array.isArray(value)
          ? value.length <= API_LIMITS.stopSequences && value.every(isStopSequence)
          : isStopSequence(value),
      defaultMessage: () => `$property must be a string or a list of up to ${API_LIMITS.stopSequences} strings`,
    },
  });

const isTokenId = (id: unknown) => Number.isSafeInteger(id) && Number(id) >= 0;

/** A short list of ids of tokens. */
const IsTokenIds = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTokenIds',
    validator: {
      validate: (value) =>
        Array.isArray(value) && value.length <= API_LIMITS.logitBias.entries && value.every(isTokenId),
      defaultMessage: () => `$property must be a list of up to ${API_LIMITS.logitBias.entries} ids of tokens`,
    },
  });

const BIASES = API_LIMITS.logitBias;

function isLogitBias(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= BIASES.entries &&
    entries.every(
      ([id, bias]) => /^\d{1,9}$/.test(id) && typeof bias === 'number' && bias >= BIASES.min && bias <= BIASES.max,
    )
  );
}

/** Numbers by the ids of tokens. */
const IsLogitBias = (): PropertyDecorator =>
  ValidateBy({
    name: 'isLogitBias',
    validator: {
      validate: isLogitBias,
      defaultMessage: () =>
        `$property must map up to ${BIASES.entries} ids of tokens to numbers from ${BIASES.min} to ${BIASES.max}`,
    },
  });

const MOST_CHARACTERS = API_LIMITS.schema.characters;

/** A form of an answer that is passed on: a text, a list or an object. */
const IsPassedForm = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isPassedForm',
      validator: {
        validate: (value) =>
          typeof value === 'object' || (typeof value === 'string' && value.length <= MOST_CHARACTERS),
        defaultMessage: () => `$property must be a list, an object or a text of up to ${MOST_CHARACTERS} characters`,
      },
    }),
    NullIsAbsent(),
  );

/** Examples of LM Studio and LangChain have -1 for an answer without a limit. */
const IsTokenLimit = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === -1 ? undefined : value)),
    NullIsAbsent(),
    IsWholeWithin(API_LIMITS.maxTokens),
  );

/** Any other value asks for nothing. */
const OnlyTrue = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === true ? true : undefined)),
    IsOptional(),
  );

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

export class CompletionMessageDto {
  @IsIn(ROLES)
  role: ChatCompletionMessage['role'];

  /** A string or a list of parts. `toProviderMessages` validates the parts. */
  @ValidateIf((message: CompletionMessageDto) => !mayBeEmpty(message))
  @IsNotEmpty()
  content?: string | ChatCompletionPart[] | null;

  /** Any other value names nobody. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' && value !== '' ? value : undefined))
  @IsOptional()
  name?: string;

  /** With which an answer refused, in place of its content. */
  @NullIsAbsent()
  @IsString()
  refusal?: string;

  @OnlyTrue()
  prefix?: true;

  @OnlyTrue()
  partial?: true;

  @NullIsAbsent()
  @IsListOf(() => FunctionCallDto, API_LIMITS.toolCalls)
  tool_calls?: FunctionCallDto[];

  @NullIsAbsent()
  @MaxLength(API_LIMITS.reasoning)
  @IsString()
  reasoning_content?: string;

  @NullIsAbsent()
  @IsArray()
  reasoning_details?: unknown[];

  @ValidateIf(({ role }: CompletionMessageDto) => role === 'tool')
  @MaxLength(API_LIMITS.toolCallId)
  @IsNotEmpty()
  @IsString()
  tool_call_id?: string;
}

class JsonSchemaDto {
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: '$property must have 1 to 64 letters, digits, _ or -' })
  @IsString()
  name: string;

  @IsOptional()
  @MaxLength(API_LIMITS.schemaDescription)
  @IsString()
  description?: string;

  @IsOptional()
  @IsObject()
  schema?: Record<string, unknown>;

  @IsOptional()
  @IsBoolean()
  strict?: boolean | null;
}

class ResponseFormatDto {
  @IsIn(['text', 'json_object', 'json_schema'])
  type: 'text' | 'json_object' | 'json_schema';

  /** Beside `json_object`: the form of Together, Fireworks and llama.cpp. */
  @NullIsAbsent()
  @IsObject()
  schema?: Record<string, unknown>;

  @ValidateIf(({ type }: ResponseFormatDto) => type === 'json_schema')
  @IsObjectOf(() => JsonSchemaDto)
  json_schema: JsonSchemaDto;
}

class StreamOptionsDto {
  @IsOptional()
  @IsBoolean()
  include_usage?: boolean;
}

/**
 * The supported fields of OpenAI's request. Unknown fields are ignored; `refuseForCompletions` refuses known ones by name.
 * Decorators run from the last to the first and stop at the first error, so the type is checked before the bounds.
 */
export class CompletionRequestDto implements ChatCompletionRequest {
  @NullIsAbsent()
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model?: string;

  @ArrayNotEmpty()
  @IsListOf(() => CompletionMessageDto, API_LIMITS.messages)
  messages: CompletionMessageDto[];

  @IsNumberWithin(API_LIMITS.temperature)
  temperature?: number;

  @IsNumberWithin(API_LIMITS.topP)
  top_p?: number;

  @IsNumberWithin(API_LIMITS.penalty)
  presence_penalty?: number;

  @IsNumberWithin(API_LIMITS.penalty)
  frequency_penalty?: number;

  @NullIsAbsent()
  @IsStop()
  stop?: string | string[];

  @NullIsAbsent()
  @IsWholeWithin({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  seed?: number;

  @NullIsAbsent()
  @IsLogitBias()
  logit_bias?: Record<string, number>;

  @NullIsAbsent()
  @IsWholeWithin(API_LIMITS.topK)
  top_k?: number;

  @IsNumberWithin(API_LIMITS.topP)
  min_p?: number;

  @IsNumberWithin(API_LIMITS.repetitionPenalty)
  repetition_penalty?: number;

  @NullIsAbsent()
  @IsObject()
  chat_template_kwargs?: Record<string, unknown>;

  @NullIsAbsent()
  @IsBoolean()
  enable_thinking?: boolean;

  @NullIsAbsent()
  @IsObject()
  thinking?: Record<string, unknown>;

  @NullIsAbsent()
  @IsWholeWithin({ min: -1, max: API_LIMITS.maxTokens.max })
  thinking_budget?: number;

  @IsPassedForm()
  guided_json?: unknown;

  @IsPassedForm()
  guided_regex?: unknown;

  @IsPassedForm()
  guided_choice?: unknown;

  @IsPassedForm()
  guided_grammar?: unknown;

  /** OpenRouter's flag says nothing that `response_format` does not. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'boolean' ? undefined : value))
  @IsPassedForm()
  structured_outputs?: unknown;

  @IsPassedForm()
  grammar?: unknown;

  @NullIsAbsent()
  @IsWholeWithin({ min: 0, max: API_LIMITS.maxTokens.max })
  min_tokens?: number;

  @NullIsAbsent()
  @IsTokenIds()
  stop_token_ids?: number[];

  @NullIsAbsent()
  @IsBoolean()
  continue_final_message?: boolean;

  @NullIsAbsent()
  @IsBoolean()
  add_generation_prompt?: boolean;

  @NullIsAbsent()
  @IsWholeWithin({ min: 1, max: API_LIMITS.choices })
  n?: number;

  @NullIsAbsent()
  @IsBoolean()
  logprobs?: boolean;

  @NullIsAbsent()
  @IsWholeWithin({ min: 0, max: API_LIMITS.topLogprobs })
  top_logprobs?: number;

  @NullIsAbsent()
  @IsIn(VERBOSITIES)
  verbosity?: Verbosity;

  @NullIsAbsent()
  @IsObjectOf(() => ResponseFormatDto)
  response_format?: ResponseFormatDto;

  @NullIsAbsent()
  @IsListOf(() => FunctionToolDto, API_LIMITS.tools)
  tools?: FunctionToolDto[];

  @NullIsAbsent()
  @IsToolChoice()
  tool_choice?: ToolChoiceField;

  @NullIsAbsent()
  @IsBoolean()
  parallel_tool_calls?: boolean;

  /** Clients of Groq name the model's own effort. */
  @NullIsAbsent()
  @Transform(({ value }: { value: unknown }) => (value === 'default' ? undefined : value))
  @IsIn(REASONING_EFFORTS)
  reasoning_effort?: ReasoningEffort;

  @IsTokenLimit()
  max_tokens?: number;

  @IsTokenLimit()
  max_completion_tokens?: number;

  @IsOptional()
  @IsBoolean()
  stream?: boolean;

  /** Whether fallbacks of the model may answer; an extension of this server. */
  @NullIsAbsent()
  @IsBoolean()
  fallback?: boolean;

  @IsOptional()
  @IsObjectOf(() => StreamOptionsDto)
  stream_options?: StreamOptionsDto;
}

/**
 * The JSON Schemas of a request, and the details of reasoning, which are passed on unchanged. The parts of a message are
 * bounded by `toProviderMessages`.
 */
export const COMPLETION_SCHEMAS: JsonFields = {
  'tools.*.function.parameters': API_LIMITS.toolSchema,
  'response_format.json_schema.schema': API_LIMITS.schema,
  'response_format.schema': API_LIMITS.schema,
  'messages.*.reasoning_details': API_LIMITS.reasoningDetails,
  'messages.*.content': null,
  'messages.*.tool_calls.*.function.arguments': null,
  'messages.*.tool_calls.*.extra_content': API_LIMITS.extraContent,
  chat_template_kwargs: API_LIMITS.schema,
  thinking: API_LIMITS.schema,
  guided_json: API_LIMITS.schema,
  guided_choice: API_LIMITS.schema,
  structured_outputs: API_LIMITS.schema,
};
