import { type GenerateImageResponse, type GenerateImageRequest, LIMITS, TEXTS } from '@tanya/contract';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { ImagesService } from './images.service.js';
import { IsString } from 'class-validator';
import { Ignored, IsUuid, MaxLength, MinLength, NullIsAbsent, Trimmed } from '../platform/http/dto.decorators.js';

class GenerateImageDto implements GenerateImageRequest {
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

@Controller('api')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Post('generate-image')
  @HttpCode(200)
  generate(@CurrentIdentity() identity: Identity, @Body() request: GenerateImageDto): Promise<GenerateImageResponse> {
    return this.images.generate(identity, request);
  }
}
