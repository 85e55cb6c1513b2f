import type { AccountSession } from '@tanya/contract';
import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminGuard, CurrentUserId, SignedInGuard } from '../identity/guards.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { UsersService } from '../users/users.service.js';
import { SessionsService } from './sessions.service.js';

@Controller('api/user/sessions')
@UseGuards(SignedInGuard)
export class SessionsController {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  async list(@Req() request: Request, @CurrentUserId() userId: number): Promise<AccountSession[]> {
    return this.sessions.list(request, await this.users.get(userId));
  }

  @Delete(':id')
  async end(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentUserId() userId: number,
    @Param('id') id: string,
  ): Promise<void> {
    await this.sessions.end(request, response, await this.users.get(userId), id);
  }
}

@Controller('api/admin/users/:id/end-sessions')
@UseGuards(AdminGuard)
export class AdminSessionsController {
  constructor(private readonly users: UsersService) {}

  @Post()
  @HttpCode(200)
  endAll(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.users.endSessionsByAdmin(id);
  }
}
