import { API_LIMITS, LIMITS } from '@tanya/contract';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Min,
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
import { IsFunctionName } from '../answers/function-tools.dto.js';
import type { JsonFields } from '../json-fields.js';

const ROLES = ['user', 'assistant', 'system'] as const;

export class MessageToolDto {
  @NullIsAbsent()
  @Equals('custom', { message: 'type must be custom. Tools that the server runs are not supported.' })
  type?: 'custom';

  @IsFunctionName()
  name: string;

  @NullIsAbsent()
  @MaxLength(API_LIMITS.toolDescription)
  @IsString()
  description?: string;

  @NullIsAbsent()
  @IsObject()
  input_schema?: Record<string, unknown>;

  @NullIsAbsent()
  @IsBoolean()
  strict?: boolean;
}

class MessageToolChoiceDto {
  @IsIn(['auto', 'any', 'tool', 'none'])
  type: 'auto' | 'any' | 'tool' | 'none';

  @NullIsAbsent()
  @IsString()
  name?: string;

  @NullIsAbsent()
  @IsBoolean()
  disable_parallel_tool_use?: boolean;
}

class ThinkingDto {
  @IsIn(['enabled', 'adaptive', 'between_tools', 'disabled'])
  type: 'enabled' | 'adaptive' | 'between_tools' | 'disabled';

  /** Claude Code sends 0 where the model chooses. */
  @ValidateIf(({ type, budget_tokens: budget }: ThinkingDto) => type === 'enabled' || budget !== 0)
  @NullIsAbsent()
  @Min(1)
  @IsInt()
  budget_tokens?: number;

  /** `omitted`: the model thinks, and the client does not read it. */
  @IsOptional()
  display?: unknown;
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

class MessageFormatDto {
  @IsIn(['json_schema'])
  type: 'json_schema';

  @IsObject()
  schema: Record<string, unknown>;
}

class EffortDto {
  @NullIsAbsent()
  @IsIn(EFFORTS)
  effort?: (typeof EFFORTS)[number];
}

class OutputConfigDto extends EffortDto {
  @NullIsAbsent()
  @IsObjectOf(() => MessageFormatDto)
  format?: MessageFormatDto;
}

export class InputMessageDto {
  @IsIn(ROLES)
  role: (typeof ROLES)[number];

  /** A text or a list of blocks. `fromAnthropicMessages` validates the blocks. */
  @IsOptional()
  content?: unknown;

  /** From this turn on, as Claude Code changes the effort within a conversation. */
  @NullIsAbsent()
  @IsObjectOf(() => EffortDto)
  output_config?: EffortDto;

  /** `next_user_message`: what is said to the system counts until a user's message follows. */
  @IsOptional()
  clear_at?: unknown;
}

/** The supported fields of a request to count tokens. Unknown fields, such as those of beta versions, are ignored. */
export class CountedMessagesDto {
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model: string;

  @ArrayNotEmpty()
  @IsListOf(() => InputMessageDto, API_LIMITS.messages)
  messages: InputMessageDto[];

  /** A text or a list of blocks of text. `fromAnthropicMessages` validates the blocks. */
  @IsOptional()
  system?: unknown;

  @NullIsAbsent()
  @IsListOf(() => MessageToolDto, API_LIMITS.tools)
  tools?: MessageToolDto[];

  @NullIsAbsent()
  @IsObjectOf(() => MessageToolChoiceDto)
  tool_choice?: MessageToolChoiceDto;

  @NullIsAbsent()
  @IsObjectOf(() => ThinkingDto)
  thinking?: ThinkingDto;

  @NullIsAbsent()
  @IsObjectOf(() => OutputConfigDto)
  output_config?: OutputConfigDto;

  /** What `output_config.format` is called in the beta version. */
  @NullIsAbsent()
  @IsObjectOf(() => MessageFormatDto)
  output_format?: MessageFormatDto;
}

/** LangChain's client sends -1 for what its user has not set, which Anthropic takes so. */
const MinusOneIsAbsent = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === -1 ? undefined : value));

/** The supported fields of Anthropic's request for a message. Unknown fields are ignored. */
export class MessageRequestDto extends CountedMessagesDto {
  @IsWholeWithin(API_LIMITS.maxTokens)
  max_tokens: number;

  @NullIsAbsent()
  @ArrayMaxSize(API_LIMITS.stopSequences)
  @IsNotEmpty({ each: true })
  @IsString({ each: true })
  @IsArray()
  stop_sequences?: string[];

  @IsNumberWithin({ min: 0, max: 1 })
  temperature?: number;

  @MinusOneIsAbsent()
  @IsNumberWithin({ min: 0, max: 1 })
  top_p?: number;

  @MinusOneIsAbsent()
  @NullIsAbsent()
  @IsWholeWithin(API_LIMITS.topK)
  top_k?: number;

  @NullIsAbsent()
  @IsBoolean()
  stream?: boolean;

  /** Whether fallbacks of the model may answer; an extension of this server. */
  @NullIsAbsent()
  @IsBoolean()
  fallback?: boolean;
}

/** JSON that is passed on unchanged. Blocks are bounded by `fromAnthropicMessages`. */
export const MESSAGE_SCHEMAS: JsonFields = {
  'tools.*.input_schema': API_LIMITS.toolSchema,
  'output_config.format.schema': API_LIMITS.schema,
  'output_format.schema': API_LIMITS.schema,
  'messages.*.content': null,
  system: null,
};
