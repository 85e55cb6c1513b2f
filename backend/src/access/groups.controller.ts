import type { Group, GroupMembersView } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../identity/guards.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { presentFields } from '../platform/http/present-fields.js';
import { ChangeGroupMembersDto, CreateGroupDto, GroupMembersDto, UpdateGroupDto } from './groups.dto.js';
import { GroupsService } from './groups.service.js';

@Controller('api/admin/groups')
@UseGuards(AdminGuard)
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  list(): Promise<Group[]> {
    return this.groups.list();
  }

  @Post()
  create(@Body() { name, ...fields }: CreateGroupDto): Promise<Group> {
    return this.groups.create({ name, ...presentFields(fields) });
  }

  @Patch(':id')
  update(@Param('id', SmallIdPipe) id: number, @Body() changes: UpdateGroupDto): Promise<Group> {
    return this.groups.update(id, presentFields(changes));
  }

  @Delete(':id')
  delete(@Param('id', SmallIdPipe) id: number, @Query('force') force: unknown): Promise<void> {
    return this.groups.delete(id, force === 'true');
  }

  @Get(':id/members')
  members(@Param('id', SmallIdPipe) id: number): Promise<GroupMembersView> {
    return this.groups.members(id);
  }

  @Put(':id/members')
  setMembers(@Param('id', SmallIdPipe) id: number, @Body() { userIds }: GroupMembersDto): Promise<GroupMembersView> {
    return this.groups.setMembers(id, userIds);
  }

  @Post(':id/members')
  @HttpCode(200)
  changeMembers(
    @Param('id', SmallIdPipe) id: number,
    @Body() { add = [], remove = [] }: ChangeGroupMembersDto,
  ): Promise<GroupMembersView> {
    return this.groups.addAndRemove(id, add, remove);
  }
}
