import type { DictationResponse } from '@tanya/contract';
import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentIdentity, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { drainBody } from '../platform/http/drain-body.js';
import { DictationService } from './dictation.service.js';

@Controller('api/chat')
@UseGuards(SignedInGuard)
export class DictationController {
  constructor(private readonly dictation: DictationService) {}

  @Post('transcribe')
  @HttpCode(200)
  async transcribe(@CurrentIdentity() identity: Identity, @Req() request: Request): Promise<DictationResponse> {
    const answer = await this.dictation.transcribe(identity, request);
    // Reads the bytes after the end of the form.
    await drainBody(request);
    return answer;
  }
}
