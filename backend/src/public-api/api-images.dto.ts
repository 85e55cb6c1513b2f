import { applyDecorators } from '@nestjs/common';
import { LIMITS } from '@tanya/contract';
import { Equals, IsIn, IsInt, IsNotEmpty, IsString, Matches, Max, Min } from 'class-validator';
import { MaxLength, MinLength, NullIsAbsent, Trimmed } from '../platform/http/dto.decorators.js';

const WORD = /^[A-Za-z0-9_-]{1,32}$/;

/** A parameter that the upstream judges, such as `1024x1024` or `high`. */
const IsPassedOn = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    Matches(WORD, { message: '$property must have 1 to 32 letters, digits, _ or -' }),
    NullIsAbsent(),
  );

/** The supported fields of OpenAI's request for images. Unknown fields are ignored. */
export class ImageRequestDto {
  @NullIsAbsent()
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model?: string;

  @MaxLength(LIMITS.imagePrompt.max)
  @MinLength(LIMITS.imagePrompt.min)
  @IsString()
  @Trimmed()
  prompt: string;

  @NullIsAbsent()
  @Equals(1, { message: 'n must be 1. Please send one request for each image.' })
  n?: number;

  /** Files of an account cannot be read with an API key, so an address would be of no use. */
  @NullIsAbsent()
  @IsIn(['b64_json'], { message: 'response_format must be b64_json' })
  response_format?: 'b64_json';

  /** Images are not streamed. */
  @NullIsAbsent()
  @Equals(false, { message: 'stream is not supported. Please remove it.' })
  stream?: boolean;

  @IsPassedOn()
  size?: string;

  @IsPassedOn()
  quality?: string;

  @IsPassedOn()
  background?: string;

  @IsPassedOn()
  moderation?: string;

  @IsPassedOn()
  style?: string;

  @IsPassedOn()
  output_format?: string;

  @NullIsAbsent()
  @Max(100)
  @Min(0)
  @IsInt()
  output_compression?: number;
}
