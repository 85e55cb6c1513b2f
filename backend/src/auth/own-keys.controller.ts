import type { CreatedApiKey } from '@tanya/contract';
import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { CreateApiKeyDto } from '../api-keys/api-keys.dto.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { CurrentIdentity, CurrentUserId, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
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
    @CurrentIdentity() { isAdmin, address }: Identity,
    @CurrentUserId() userId: number,
    @Body() { password, ...request }: CreateApiKeyDto,
  ): Promise<CreatedApiKey> {
    if (request.scope === 'admin') {
      if (!isAdmin) throw new AppError('forbidden');
      if (password === undefined) throw refuseField('password', 'password_required');
      await this.credentials.confirm(userId, password, address);
    }
    return this.keys.create(userId, request);
  }
}
