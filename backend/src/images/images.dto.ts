import { type GenerateImageRequest, LIMITS, TEXTS } from '@tanya/contract';
import { Allow, IsString, Length } from 'class-validator';
import { Trimmed } from '../platform/dto.decorators.js';

export class GenerateImageDto implements GenerateImageRequest {
  @Trimmed()
  @IsString({ message: TEXTS.images.promptRequired })
  @Length(LIMITS.imagePrompt.min, LIMITS.imagePrompt.max, {
    message: ({ value }: { value: unknown }) =>
      value === '' ? TEXTS.images.promptRequired : `The description may have ${LIMITS.imagePrompt.max} characters.`,
  })
  prompt: string;

  /** Guests' own count, which old clients send; the server counts by itself. */
  @Allow()
  guestUsage?: number;
}
