/**
 * Projects: chats with shared files and instructions; their members and what each may do.
 * Not here: the threads of a project (`chat/threads`), how an answer uses a project (`chat/generation`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ModelsModule } from '../models/models.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { UsersModule } from '../users/users.module.js';
import { ProjectEntity } from './project.entity.js';
import { ProjectLeaves } from './project-leaves.js';
import { ProjectMemberEntity } from './project-member.entity.js';
import { ProjectMembersService } from './project-members.service.js';
import { ProjectStore } from './project-store.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ProjectEntity, ProjectMemberEntity]), ModelsModule, ToolsModule, UsersModule],
  controllers: [ProjectsController],
  providers: [ProjectLeaves, ProjectMembersService, ProjectStore, ProjectsService],
  exports: [ProjectLeaves, ProjectStore, ProjectsService],
})
export class ProjectsModule {}
