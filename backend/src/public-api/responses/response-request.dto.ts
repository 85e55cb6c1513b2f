import {
  API_LIMITS,
  LIMITS,
  type ReasoningEffort,
  REASONING_EFFORTS,
  VERBOSITIES,
  type Verbosity,
} from '@tanya/contract';
import {
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
import {
  IsListOf,
  IsNumberWithin,
  IsObjectOf,
  IsWholeWithin,
  MaxLength,
  NullIsAbsent,
} from '../../platform/http/dto.decorators.js';
import { FunctionDto } from '../answers/function-tools.dto.js';
import type { JsonFields } from '../json-fields.js';
import { invalidField } from '../../platform/errors/app-error.js';

/** Whether an item is left out: programs return reasoning with the output. */
export const isReasoning = (item: unknown): boolean => REASONING.includes((item as { type?: unknown } | null)?.type);

/** The latter is of agents of Codex. */
const REASONING: readonly unknown[] = ['reasoning', 'agent_reasoning'];

function isInput(value: unknown): value is string | unknown[] {
  if (typeof value === 'string') return value !== '';
  if (!Array.isArray(value) || value.length === 0 || value.length > API_LIMITS.inputItems) return false;
  return value.filter((item) => !isReasoning(item)).length <= API_LIMITS.messages;
}

const INPUT = `input must be a text or a list of up to ${API_LIMITS.messages} items, not empty`;

/**
 * Validates the input apart from the other fields, as class-transformer copies every item. `fromResponseInput` validates the
 * items. @throws AppError `invalid`
 */
export function responseInput(value: unknown): string | unknown[] {
  if (isInput(value)) return value;
  throw invalidField('input', INPUT);
}

const RESPONSE_MODES: readonly unknown[] = ['none', 'auto', 'required'];

/** A tool that the model must call. */
interface NamedTool {
  type: 'function' | 'custom';
  name: string;
  namespace?: string | null;
}

/** The tools that the model may call, among all of a request. */
interface AllowedTools {
  type: 'allowed_tools';
  mode?: 'none' | 'auto' | 'required' | null;
  tools: NamedTool[];
}

/** Whether a tool may have the name. An error repeats it. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= API_LIMITS.functionName;

function isNamedTool(value: unknown): value is NamedTool {
  const { type, name, namespace } = (value ?? {}) as Record<string, unknown>;
  return (type === 'function' || type === 'custom') && isName(name) && (namespace == null || isName(namespace));
}

function isChoice(value: unknown): boolean {
  if (RESPONSE_MODES.includes(value) || isNamedTool(value)) return true;
  const { type, mode, tools } = (value ?? {}) as Record<string, unknown>;
  if (type !== 'allowed_tools' || (mode != null && !RESPONSE_MODES.includes(mode)) || !Array.isArray(tools))
    return false;
  return tools.length > 0 && tools.length <= API_LIMITS.tools && tools.every(isNamedTool);
}

const IsResponseToolChoice = (): PropertyDecorator =>
  ValidateBy({
    name: 'isResponseToolChoice',
    validator: {
      validate: isChoice,
      defaultMessage: () => '$property must be none, auto, required, name a function or list allowed_tools',
    },
  });

/** How the text for a custom tool is written. */
class CustomFormatDto {
  @IsIn(['text', 'grammar'])
  type: 'text' | 'grammar';

  @NullIsAbsent()
  @IsIn(['lark', 'regex'])
  syntax?: 'lark' | 'regex';

  @NullIsAbsent()
  @MaxLength(API_LIMITS.toolSchema.characters)
  @IsString()
  definition?: string;
}

const isCustom = ({ type }: { type: string }): boolean => type === 'custom';

/** A function, or a custom tool, whose input is a text of any form. */
export class NamespacedToolDto extends FunctionDto {
  @IsIn(['function', 'custom'], { message: '$property must be function or custom. Other tools are not supported.' })
  type: 'function' | 'custom';

  @ValidateIf(isCustom)
  @NullIsAbsent()
  @IsObjectOf(() => CustomFormatDto)
  format?: CustomFormatDto;
}

/** A tool, a namespace, which is tools under one name, or the client's search for tools that it has not named yet. */
export class ResponseToolDto extends FunctionDto {
  @IsIn(['function', 'custom', 'namespace', 'tool_search'], {
    message: '$property must be function, custom, namespace or tool_search. Other kinds of tools are not supported.',
  })
  type: 'function' | 'custom' | 'namespace' | 'tool_search';

  @ValidateIf(isCustom)
  @NullIsAbsent()
  @IsObjectOf(() => CustomFormatDto)
  format?: CustomFormatDto;

  @ValidateIf(({ type }: ResponseToolDto) => type === 'tool_search')
  @IsIn(['client'], { message: '$property must be client. Searches of the server are not supported.' })
  execution?: 'client';

  @ValidateIf(({ type }: ResponseToolDto) => type === 'namespace')
  @IsListOf(() => NamespacedToolDto, API_LIMITS.tools)
  tools?: NamespacedToolDto[];
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
  @IsObjectOf(() => ResponseFormatDto)
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

/** What requests for a response and for a shorter conversation have in common. */
class ConversationDto {
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

  /** Whether fallbacks of the model may answer; an extension of this server. */
  @NullIsAbsent()
  @IsBoolean()
  fallback?: boolean;
}

/**
 * The supported fields of OpenAI's request for a response beside the input. Unknown fields are ignored;
 * `refuseForResponses` refuses known ones by name.
 */
export class ResponseOptionsDto extends ConversationDto {
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

  @IsNumberWithin(API_LIMITS.penalty)
  presence_penalty?: number;

  @IsNumberWithin(API_LIMITS.penalty)
  frequency_penalty?: number;

  @NullIsAbsent()
  @IsWholeWithin(API_LIMITS.maxTokens)
  max_output_tokens?: number;

  @NullIsAbsent()
  @IsListOf(() => ResponseToolDto, API_LIMITS.tools)
  tools?: ResponseToolDto[];

  @NullIsAbsent()
  @IsResponseToolChoice()
  tool_choice?: 'none' | 'auto' | 'required' | NamedTool | AllowedTools;

  @NullIsAbsent()
  @IsBoolean()
  parallel_tool_calls?: boolean;

  @NullIsAbsent()
  @IsObjectOf(() => ResponseTextDto)
  text?: ResponseTextDto;

  @NullIsAbsent()
  @IsObjectOf(() => ReasoningDto)
  reasoning?: ReasoningDto;
}

/** The supported fields of OpenAI's request for a shorter conversation. Unknown fields are ignored. */
export class CompactRequestDto extends ConversationDto {
  /** A text or a list of items; the conversation before it may be all. */
  @IsOptional()
  input?: unknown;
}

/** The fields of a request whose tokens are counted. */
export class CountedResponseDto extends ResponseOptionsDto {
  /** A text or a list of items; the conversation before it may be all. */
  @IsOptional()
  input?: unknown;
}

export class ResponseRequestDto extends ResponseOptionsDto {
  @ValidateBy({ name: 'isInput', validator: { validate: isInput, defaultMessage: () => INPUT } })
  input: string | unknown[];
}

export const RESPONSE_SCHEMAS: JsonFields = {
  'tools.*.parameters': API_LIMITS.toolSchema,
  'tools.*.tools.*.parameters': API_LIMITS.toolSchema,
  'text.format.schema': API_LIMITS.schema,
};
