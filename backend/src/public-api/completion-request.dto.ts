import {
  type ChatCompletionMessage,
  type ChatCompletionPart,
  type ChatCompletionRequest,
  API_LIMITS,
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
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MaxLength, NullIsAbsent } from '../platform/http/dto.decorators.js';
import { isEmptyAnswer } from './completion-request.js';

const IsNumberWithin =
  ({ min, max }: { min: number; max: number }): PropertyDecorator =>
  (target, key) => {
    IsNumber({ allowNaN: false, allowInfinity: false })(target, key);
    Min(min)(target, key);
    Max(max)(target, key);
    NullIsAbsent()(target, key);
  };

const isStopSequence = (text: unknown) => typeof text === 'string' && text !== '' && text.isWellFormed();

/** A stop sequence, or a short list of them. */
const IsStop = (): PropertyDecorator =>
  ValidateBy({
    name: 'isStop',
    validator: {
      validate: (value) =>
        Array.isArray(value) ? value.length <= API_LIMITS.stop && value.every(isStopSequence) : isStopSequence(value),
      defaultMessage: () => `$property must be a string or a list of up to ${API_LIMITS.stop} strings`,
    },
  });

const ROLES = ['system', 'developer', 'user', 'assistant'] as const;

export class CompletionMessageDto {
  @IsIn(ROLES)
  role: ChatCompletionMessage['role'];

  /** A string or a list of parts. `toProviderMessages` validates the parts. */
  @ValidateIf((message: CompletionMessageDto) => !isEmptyAnswer(message))
  @IsNotEmpty()
  content: string | ChatCompletionPart[] | null;
}

class StreamOptionsDto {
  @IsOptional()
  @IsBoolean()
  include_usage?: boolean;
}

/**
 * The supported fields of OpenAI's request. Unknown fields are ignored; `refuseUnsupported` refuses known ones by name.
 * Decorators run from the last to the first and stop at the first error, so the type is checked before the bounds.
 */
export class CompletionRequestDto implements ChatCompletionRequest {
  @IsOptional()
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model?: string;

  @ArrayMaxSize(API_LIMITS.messages)
  @ArrayNotEmpty()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => CompletionMessageDto)
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
  @Max(Number.MAX_SAFE_INTEGER)
  @Min(Number.MIN_SAFE_INTEGER)
  @IsInt()
  seed?: number;

  @NullIsAbsent()
  @Max(API_LIMITS.maxTokens.max)
  @Min(API_LIMITS.maxTokens.min)
  @IsInt()
  max_tokens?: number;

  @NullIsAbsent()
  @Max(API_LIMITS.maxTokens.max)
  @Min(API_LIMITS.maxTokens.min)
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
