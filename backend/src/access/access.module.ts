/**
 * Who may use what: the rule of a model or a tool server (`may`), groups of members and what they give.
 * Not here: the models and tool servers themselves, quotas and budgets (`quota`, `budgets`), the reading of an account with
 * its groups (`users`).
 */

import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupMemberEntity } from './group-member.entity.js';
import { GroupUses } from './group-uses.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';
import { MemberGroupEntity } from './member-group.entity.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([MemberGroupEntity, GroupMemberEntity])],
  controllers: [GroupsController],
  providers: [GroupsService, GroupUses],
  exports: [GroupsService, GroupUses],
})
export class AccessModule {}
