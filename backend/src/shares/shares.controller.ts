import type { ContinueShareResponse, CreateShareRequest, OwnShare, Share, ShareCounts } from '@tanya/contract';
import { Body, Controller, Delete, Get, Inject, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { ENV, type Env } from '../config/env.js';
import { AdminGuard, CurrentIdentity, CurrentUserId, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { IdPipe } from '../platform/http/id.pipe.js';
import { publicOrigin } from '../platform/net/origin.js';
import { SharesService } from './shares.service.js';
import { ThreadCopies } from './thread-copies.js';
import { IsISO8601 } from 'class-validator';
import { NullIsAbsent } from '../platform/http/dto.decorators.js';

class CreateShareDto implements CreateShareRequest {
  @NullIsAbsent()
  @IsISO8601({ strict: true }, { message: 'expiresAt must be a date and time' })
  expiresAt?: string;
}

@Controller('api')
@UseGuards(SignedInGuard)
export class SharesController {
  constructor(
    private readonly shares: SharesService,
    private readonly copies: ThreadCopies,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Post('chat/threads/:id/share')
  share(
    @CurrentIdentity() identity: Identity,
    @Param('id', IdPipe) id: number,
    @Body() { expiresAt }: CreateShareDto,
    @Req() request: Request,
  ): Promise<Share> {
    return this.shares.create(identity, id, expiresAt, publicOrigin(request, this.env.publicUrl));
  }

  @Post('chat/threads/:id/duplicate')
  duplicate(@CurrentIdentity() identity: Identity, @Param('id', IdPipe) id: number): Promise<ContinueShareResponse> {
    return this.copies.duplicate(identity, id);
  }

  @Get('user/shares')
  list(@CurrentUserId() userId: number, @Req() request: Request): Promise<OwnShare[]> {
    return this.shares.list(userId, publicOrigin(request, this.env.publicUrl));
  }

  @Delete('user/shares/:token')
  async revoke(@CurrentUserId() userId: number, @Param('token') token: string): Promise<void> {
    await this.shares.revoke(userId, token);
  }
}

@Controller('api/admin/shares')
@UseGuards(AdminGuard)
export class AdminSharesController {
  constructor(private readonly shares: SharesService) {}

  @Get()
  counts(): Promise<ShareCounts> {
    return this.shares.counts();
  }
}
