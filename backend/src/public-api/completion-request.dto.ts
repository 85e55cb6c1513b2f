import {
  type ChatCompletionMessage,
  type ChatCompletionPart,
  type ChatCompletionRequest,
  LIMITS,
} from '@tanya/contract';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { MaxLength } from '../platform/dto.decorators.js';

const ROLES = ['system', 'developer', 'user', 'assistant'] as const;

export class CompletionMessageDto {
  @IsIn(ROLES)
  role: ChatCompletionMessage['role'];

  /** A text or a list of parts; checked part by part when it is read. */
  @IsNotEmpty()
  content: string | ChatCompletionPart[];
}

class StreamOptionsDto {
  @IsOptional()
  @IsBoolean()
  include_usage?: boolean;
}

/**
 * What we do of OpenAI's request. Unknown fields are ignored; known ones that we don't do are refused by name. The rule
 * next to a field is the first that is asked, and one complaint is enough: its type comes before its bounds.
 */
export class CompletionRequestDto implements ChatCompletionRequest {
  @IsOptional()
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model?: string;

  @ArrayMaxSize(LIMITS.apiMessages)
  @ArrayNotEmpty()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => CompletionMessageDto)
  messages: CompletionMessageDto[];

  @IsOptional()
  @Max(LIMITS.temperature.max)
  @Min(LIMITS.temperature.min)
  @IsNumber({ allowNaN: false, allowInfinity: false })
  temperature?: number;

  @IsOptional()
  @Max(LIMITS.maxTokens.max)
  @Min(LIMITS.maxTokens.min)
  @IsInt()
  max_tokens?: number;

  @IsOptional()
  @Max(LIMITS.maxTokens.max)
  @Min(LIMITS.maxTokens.min)
  @IsInt()
  max_completion_tokens?: number;

  @IsOptional()
  @IsBoolean()
  stream?: boolean;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => StreamOptionsDto)
  stream_options?: StreamOptionsDto;
}
