import { type GenerateImageRequest, LIMITS, TEXTS } from '@tanya/contract';
import { Allow, IsString, Length } from 'class-validator';
import { Trimmed } from '../platform/dto.decorators.js';

export class GenerateImageDto implements GenerateImageRequest {
  @Trimmed()
  @IsString({ message: TEXTS.images.promptRequired })
  @Length(LIMITS.imagePrompt.min, LIMITS.imagePrompt.max, {
    message: ({ value }: { value: unknown }) =>
      typeof value === 'string' && value.length > LIMITS.imagePrompt.max
        ? `The description may have ${LIMITS.imagePrompt.max} characters.`
        : TEXTS.images.promptRequired,
  })
  prompt: string;

  /** Guests' own count, which old clients send; the server counts by itself. */
  @Allow()
  guestUsage?: number;
}
