import type { CreatedInvitation, Invitation } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Post, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../identity/guards.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { CreateInvitationDto } from './invitations/invitations.dto.js';
import { InvitationsService } from './invitations/invitations.service.js';

@Controller('api/admin/invitations')
@UseGuards(AdminGuard)
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  list(): Promise<Invitation[]> {
    return this.invitations.list();
  }

  @Post()
  create(@Body() request: CreateInvitationDto): Promise<CreatedInvitation> {
    return this.invitations.create(request);
  }

  @Delete(':id')
  delete(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.invitations.delete(id);
  }
}
