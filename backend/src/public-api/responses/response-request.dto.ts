import {
  API_LIMITS,
  LIMITS,
  type ReasoningEffort,
  REASONING_EFFORTS,
  VERBOSITIES,
  type Verbosity,
} from '@tanya/contract';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MaxLength, NullIsAbsent } from '../../platform/http/dto.decorators.js';
import { IsNumberWithin } from '../completions/completion-request.dto.js';
import { FunctionDto, IsFunction } from '../completions/completion-tools.dto.js';
import type { JsonFields } from '../json-fields.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { Nested } from '../../platform/http/input-sizes.js';

/** Whether an item is left out: programs return reasoning with the output. */
export const isReasoning = (item: unknown): boolean => (item as { type?: unknown } | null)?.type === 'reasoning';

function isInput(value: unknown): value is string | unknown[] {
  if (typeof value === 'string') return value !== '';
  if (!Array.isArray(value) || value.length === 0 || value.length > API_LIMITS.inputItems) return false;
  return value.filter((item) => !isReasoning(item)).length <= API_LIMITS.messages;
}

const INPUT = `input must be a text or a list of up to ${API_LIMITS.messages} items, not empty`;

/**
 * Validates the input apart from the other fields, as class-transformer copies every item. `toChatMessages` validates the
 * items. @throws AppError `invalid`
 */
export function responseInput(value: unknown): string | unknown[] {
  if (isInput(value)) return value;
  throw invalidField('input', INPUT);
}

function isChoice(value: unknown): boolean {
  if (value === 'none' || value === 'auto' || value === 'required') return true;
  const { type, name, namespace } = (value ?? {}) as Record<string, unknown>;
  return type === 'function' && typeof name === 'string' && (namespace == null || typeof namespace === 'string');
}

const IsResponseToolChoice = (): PropertyDecorator =>
  ValidateBy({
    name: 'isResponseToolChoice',
    validator: {
      validate: isChoice,
      defaultMessage: () => '$property must be none, auto, required, or name a function',
    },
  });

export class NamespaceFunctionDto extends FunctionDto {
  @IsFunction()
  type: 'function';
}

/** A function, or a namespace: functions under one name, which the client groups. */
export class ResponseToolDto extends FunctionDto {
  @IsIn(['function', 'namespace'], {
    message: '$property must be function or namespace. Other kinds of tools are not supported.',
  })
  type: 'function' | 'namespace';

  @ValidateIf(({ type }: ResponseToolDto) => type === 'namespace')
  @IsObject({ each: true })
  @ArrayMaxSize(API_LIMITS.tools)
  @IsArray()
  @ValidateNested({ each: true })
  @Nested(() => NamespaceFunctionDto)
  tools?: NamespaceFunctionDto[];
}

const isSchema = ({ type }: ResponseFormatDto): boolean => type === 'json_schema';

/** The form of the text. The other fields belong to `json_schema`. */
class ResponseFormatDto {
  @IsIn(['text', 'json_object', 'json_schema'])
  type: 'text' | 'json_object' | 'json_schema';

  @ValidateIf(isSchema)
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: '$property must have 1 to 64 letters, digits, _ or -' })
  @IsString()
  name: string;

  @NullIsAbsent()
  @MaxLength(API_LIMITS.schemaDescription)
  @IsString()
  description?: string;

  @NullIsAbsent()
  @IsObject()
  schema?: Record<string, unknown>;

  @NullIsAbsent()
  @IsBoolean()
  strict?: boolean;
}

class ResponseTextDto {
  @NullIsAbsent()
  @ValidateNested()
  @IsObject()
  @Nested(() => ResponseFormatDto)
  format?: ResponseFormatDto;

  @NullIsAbsent()
  @IsIn(VERBOSITIES)
  verbosity?: Verbosity;
}

class ReasoningDto {
  @NullIsAbsent()
  @IsIn(REASONING_EFFORTS)
  effort?: ReasoningEffort;
}

/**
 * The supported fields of OpenAI's request for a response beside the input. Unknown fields are ignored;
 * `refuseUnsupportedFields` refuses known ones by name.
 */
export class ResponseOptionsDto {
  @NullIsAbsent()
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model?: string;

  @NullIsAbsent()
  @MaxLength(API_LIMITS.instructions)
  @IsString()
  instructions?: string;

  /** A text of another form is the id of no response, and not found. */
  @NullIsAbsent()
  @MaxLength(API_LIMITS.responseId)
  @IsString()
  previous_response_id?: string;

  @NullIsAbsent()
  @IsBoolean()
  store?: boolean;

  @NullIsAbsent()
  @IsBoolean()
  stream?: boolean;

  @IsNumberWithin(API_LIMITS.temperature)
  temperature?: number;

  @IsNumberWithin(API_LIMITS.topP)
  top_p?: number;

  @NullIsAbsent()
  @Max(API_LIMITS.maxTokens.max)
  @Min(API_LIMITS.maxTokens.min)
  @IsInt()
  max_output_tokens?: number;

  @NullIsAbsent()
  @IsObject({ each: true })
  @ArrayMaxSize(API_LIMITS.tools)
  @IsArray()
  @ValidateNested({ each: true })
  @Nested(() => ResponseToolDto)
  tools?: ResponseToolDto[];

  @NullIsAbsent()
  @IsResponseToolChoice()
  tool_choice?: 'none' | 'auto' | 'required' | { type: 'function'; name: string; namespace?: string | null };

  @NullIsAbsent()
  @IsBoolean()
  parallel_tool_calls?: boolean;

  @NullIsAbsent()
  @ValidateNested()
  @IsObject()
  @Nested(() => ResponseTextDto)
  text?: ResponseTextDto;

  @NullIsAbsent()
  @ValidateNested()
  @IsObject()
  @Nested(() => ReasoningDto)
  reasoning?: ReasoningDto;
}

/** The whole request. */
export class ResponseRequestDto extends ResponseOptionsDto {
  @ValidateBy({ name: 'isInput', validator: { validate: isInput, defaultMessage: () => INPUT } })
  input: string | unknown[];
}

/** The JSON Schemas of a request for a response. */
export const RESPONSE_SCHEMAS: JsonFields = {
  'tools.*.parameters': API_LIMITS.toolSchema,
  'tools.*.tools.*.parameters': API_LIMITS.toolSchema,
  'text.format.schema': API_LIMITS.schema,
};
