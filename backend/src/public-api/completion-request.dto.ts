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

/** What we do of OpenAI's request. Unknown fields are ignored; known ones that we don't do are refused by name. */
export class CompletionRequestDto implements ChatCompletionRequest {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(LIMITS.modelId.max)
  model?: string;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(LIMITS.apiMessages)
  @ValidateNested({ each: true })
  @Type(() => CompletionMessageDto)
  messages: CompletionMessageDto[];

  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(LIMITS.temperature.min)
  @Max(LIMITS.temperature.max)
  temperature?: number;

  @IsOptional()
  @IsInt()
  @Min(LIMITS.maxTokens.min)
  @Max(LIMITS.maxTokens.max)
  max_tokens?: number;

  @IsOptional()
  @IsInt()
  @Min(LIMITS.maxTokens.min)
  @Max(LIMITS.maxTokens.max)
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
