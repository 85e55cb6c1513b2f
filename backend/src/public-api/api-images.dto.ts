import { LIMITS } from '@tanya/contract';
import { Equals, IsIn, IsNotEmpty, IsString } from 'class-validator';
import { MaxLength, MinLength, NullIsAbsent, Trimmed } from '../platform/http/dto.decorators.js';

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
}
