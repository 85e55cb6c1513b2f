import type { ApiKeyResponse } from '@tanya/contract';
import { Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { CurrentUserId, SignedInGuard } from '../identity/guards.js';
import { ApiKeyService } from './api-keys.service.js';

@Controller('api/user/apikey')
@UseGuards(SignedInGuard)
export class ApiKeysController {
  constructor(private readonly keys: ApiKeyService) {}

  @Get()
  read(@CurrentUserId() userId: number): Promise<ApiKeyResponse> {
    return this.keys.reveal(userId);
  }

  @Post('generate')
  @HttpCode(200)
  async generate(@CurrentUserId() userId: number): Promise<ApiKeyResponse> {
    return { hasApiKey: true, apiKey: await this.keys.generate(userId) };
  }

  @Post('revoke')
  @HttpCode(200)
  async revoke(@CurrentUserId() userId: number): Promise<ApiKeyResponse> {
    await this.keys.revoke(userId);
    return { hasApiKey: false, apiKey: null };
  }
}
