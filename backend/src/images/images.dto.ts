import { type GenerateImageRequest, LIMITS, TEXTS } from '@tanya/contract';
import { IsString } from 'class-validator';
import { Ignored, IsUuid, MaxLength, MinLength, NullIsAbsent, Trimmed } from '../platform/http/dto.decorators.js';

export class GenerateImageDto implements GenerateImageRequest {
  @Trimmed()
  @IsString({ message: TEXTS.images.promptRequired })
  @MinLength(LIMITS.imagePrompt.min, { message: TEXTS.images.promptRequired })
  @MaxLength(LIMITS.imagePrompt.max, {
    message: `The description has more than ${LIMITS.imagePrompt.max} characters. Please shorten it.`,
  })
  prompt: string;

  /** A guest's local message count, ignored: the server counts. */
  @Ignored()
  guestUsage?: number;

  @NullIsAbsent()
  @IsUuid()
  clientMessageId?: string;
}
