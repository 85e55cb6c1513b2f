import type { ApiKey, ApiKeyResponse } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { handleAdminCall } from '../audit/audit-log.js';
import { CurrentIdentity, CurrentUserId, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { UpdateApiKeyDto } from './api-keys.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import { ReadableKeyService } from './readable-key.service.js';

/** The keys of one's own account. Changes of a key of scope `admin` are audited: it has the rights of an admin. */
@Controller('api/user')
@UseGuards(SignedInGuard)
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly readableKey: ReadableKeyService,
  ) {}

  @Get('keys')
  list(@CurrentUserId() userId: number): Promise<ApiKey[]> {
    return this.keys.list(userId);
  }

  @Patch('keys/:id')
  update(
    @CurrentIdentity() { address }: Identity,
    @CurrentUserId() userId: number,
    @Param('id', SmallIdPipe) id: number,
    @Body() changes: UpdateApiKeyDto,
  ): Promise<ApiKey> {
    return handleAdminCall({ actorId: userId, key: null, address }, () => this.keys.update(userId, id, changes));
  }

  @Delete('keys/:id')
  delete(
    @CurrentIdentity() { address }: Identity,
    @CurrentUserId() userId: number,
    @Param('id', SmallIdPipe) id: number,
  ): Promise<void> {
    return handleAdminCall({ actorId: userId, key: null, address }, () => this.keys.delete(userId, id));
  }

  @Get('apikey')
  readable(@CurrentUserId() userId: number): Promise<ApiKeyResponse> {
    return this.readableKey.read(userId);
  }

  @Post('apikey/generate')
  @HttpCode(200)
  async generate(@CurrentUserId() userId: number): Promise<ApiKeyResponse> {
    return { hasApiKey: true, apiKey: await this.readableKey.generate(userId) };
  }

  @Post('apikey/revoke')
  @HttpCode(200)
  async revoke(@CurrentUserId() userId: number): Promise<ApiKeyResponse> {
    await this.readableKey.revoke(userId);
    return { hasApiKey: false, apiKey: null };
  }
}
