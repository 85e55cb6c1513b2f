import type { GenerateImageResponse } from '@tanya/contract';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { GenerateImageDto } from './images.dto.js';
import { ImagesService } from './images.service.js';

@Controller('api')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Post('generate-image')
  @HttpCode(200)
  generate(@CurrentIdentity() identity: Identity, @Body() request: GenerateImageDto): Promise<GenerateImageResponse> {
    return this.images.generate(identity, request);
  }
}
