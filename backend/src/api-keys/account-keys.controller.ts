import type { ApiKey, CreatedApiKey } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { CurrentUserId, SignedInGuard } from '../identity/guards.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { CreateApiKeyDto, UpdateApiKeyDto } from './account-keys.dto.js';
import { AccountKeys } from './account-keys.service.js';

/** The API keys of the own account. */
@Controller('api/user/keys')
@UseGuards(SignedInGuard)
export class AccountKeysController {
  constructor(private readonly keys: AccountKeys) {}

  @Get()
  list(@CurrentUserId() userId: number): Promise<ApiKey[]> {
    return this.keys.list(userId);
  }

  @Post()
  create(@CurrentUserId() userId: number, @Body() request: CreateApiKeyDto): Promise<CreatedApiKey> {
    return this.keys.create(userId, request);
  }

  @Patch(':id')
  update(
    @CurrentUserId() userId: number,
    @Param('id', SmallIdPipe) id: number,
    @Body() changes: UpdateApiKeyDto,
  ): Promise<ApiKey> {
    return this.keys.update(userId, id, changes);
  }

  @Delete(':id')
  delete(@CurrentUserId() userId: number, @Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.keys.delete(userId, id);
  }
}
