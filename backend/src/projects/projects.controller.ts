import type { Project, ProjectDetails, ProjectMembers } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentIdentity, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { ProjectMembersService } from './project-members.service.js';
import { CreateProjectDto, ProjectMembersDto, UpdateProjectDto } from './projects.dto.js';
import { ProjectsService } from './projects.service.js';

@Controller('api/projects')
@UseGuards(SignedInGuard)
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly members: ProjectMembersService,
  ) {}

  @Get()
  list(@CurrentIdentity() identity: Identity): Promise<Project[]> {
    return this.projects.list(identity);
  }

  @Post()
  create(@CurrentIdentity() identity: Identity, @Body() body: CreateProjectDto): Promise<ProjectDetails> {
    return this.projects.create(identity, body);
  }

  @Get(':id')
  one(@CurrentIdentity() identity: Identity, @Param('id', SmallIdPipe) id: number): Promise<ProjectDetails> {
    return this.projects.details(identity, id);
  }

  @Patch(':id')
  update(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Body() body: UpdateProjectDto,
  ): Promise<ProjectDetails> {
    return this.projects.update(identity, id, body);
  }

  @Delete(':id')
  delete(@CurrentIdentity() identity: Identity, @Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.projects.delete(identity, id);
  }

  @Put(':id/members')
  async setMembers(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Body() { members }: ProjectMembersDto,
  ): Promise<ProjectMembers> {
    return { members: await this.members.replace(identity, id, members) };
  }

  /** Removes a member. Everyone may remove themselves, which leaves the project. */
  @Delete(':id/members/:userId')
  removeMember(
    @CurrentIdentity() identity: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Param('userId', SmallIdPipe) userId: number,
  ): Promise<void> {
    return this.members.remove(identity, id, userId);
  }
}
