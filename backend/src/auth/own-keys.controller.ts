import type { CreatedApiKey } from '@tanya/contract';
import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { CreateApiKeyDto } from '../api-keys/api-keys.dto.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { handleAdminCall } from '../audit/audit-log.js';
import { CurrentIdentity, CurrentUserId, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { CredentialsService } from './credentials.service.js';

/** Makes keys of one's own account. It stands here because a key of scope `admin` needs the password. */
@Controller('api/user/keys')
@UseGuards(SignedInGuard)
export class OwnKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly credentials: CredentialsService,
  ) {}

  @Post()
  async create(
    @Req() request: Request,
    @CurrentIdentity() { isAdmin, address }: Identity,
    @CurrentUserId() userId: number,
    @Body() { password, ...wanted }: CreateApiKeyDto,
  ): Promise<CreatedApiKey> {
    if (wanted.scope !== 'admin') return this.keys.create(userId, wanted);
    if (!isAdmin) throw new AppError('forbidden');
    await this.credentials.confirm(request, password);
    return handleAdminCall({ actorId: userId, key: null, address }, () => this.keys.create(userId, wanted));
  }
}
