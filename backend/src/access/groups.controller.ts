import { type Group, type GroupMembersView, UNLIMITED } from '@tanya/contract';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { csvHead, csvLines, sendCsvOfToday } from '../platform/http/csv.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { presentFields } from '../platform/http/present-fields.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { ChangeGroupMembersDto, CreateGroupDto, GroupMembersDto, UpdateGroupDto } from './groups.dto.js';
import { GroupsService } from './groups.service.js';

/** Files per admin, as of the other lists. Seconds. */
const FILES: RateLimit = { name: 'group-files', points: 10, window: 60 };

const COLUMNS = ['id', 'name', 'external_name', 'members', 'message_limit', 'budget_usd', 'created_at'];

@Controller('api/admin')
@UseGuards(AdminGuard)
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly limits: RateLimits,
  ) {}

  @Get('groups')
  list(): Promise<Group[]> {
    return this.groups.list();
  }

  @Get('groups.csv')
  async file(@CurrentIdentity() { owner }: Identity, @Res() response: Response): Promise<void> {
    await this.limits.consume(FILES, owner);
    await sendCsvOfToday(response, 'groups', this.lines());
  }

  @Post('groups')
  create(@Body() { name, ...fields }: CreateGroupDto): Promise<Group> {
    return this.groups.create({ name, ...presentFields(fields) });
  }

  @Patch('groups/:id')
  update(
    @CurrentIdentity() caller: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Body() changes: UpdateGroupDto,
  ): Promise<Group> {
    return this.groups.update(caller, id, presentFields(changes));
  }

  @Delete('groups/:id')
  delete(
    @CurrentIdentity() caller: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Query('force') force: unknown,
  ): Promise<void> {
    return this.groups.delete(caller, id, force === 'true');
  }

  @Get('groups/:id/members')
  members(@Param('id', SmallIdPipe) id: number): Promise<GroupMembersView> {
    return this.groups.members(id);
  }

  @Put('groups/:id/members')
  setMembers(
    @CurrentIdentity() caller: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Body() { userIds }: GroupMembersDto,
  ): Promise<GroupMembersView> {
    return this.groups.setMembers(caller, id, userIds);
  }

  @Post('groups/:id/members')
  @HttpCode(200)
  changeMembers(
    @CurrentIdentity() caller: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Body() { add = [], remove = [] }: ChangeGroupMembersDto,
  ): Promise<GroupMembersView> {
    return this.groups.addAndRemove(caller, id, add, remove);
  }

  private async *lines(): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    const groups = await this.groups.list();
    if (groups.length > 0) yield csvLines(groups.map(cellsOf));
  }
}

const cellsOf = ({ id, name, externalName, memberCount, quotaOverride, budgetUsd, createdAt }: Group): unknown[] => [
  ...[id, name, externalName, memberCount, quotaOverride],
  // As text it would be taken for a formula.
  ...[budgetUsd === '-1' ? UNLIMITED : budgetUsd, createdAt],
];
