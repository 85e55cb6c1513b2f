import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { SettingsService } from '../settings/settings.service.js';
import { UsersService } from '../users/users.service.js';
import { ProjectFileStore } from './project-file-store.js';
import { ProjectStore } from './project-store.js';

const MEGABYTE = 1024 * 1024;

/** How much a project may keep. The plan of its owner decides. The caller has locked the project. */
@Injectable()
export class ProjectLimits {
  constructor(
    private readonly projects: ProjectStore,
    private readonly files: ProjectFileStore,
    private readonly users: UsersService,
    private readonly settings: SettingsService,
  ) {}

  /** Checks number and size of the files, a new one included. @throws AppError `storage_full` */
  async requireRoom(manager: EntityManager, projectId: number): Promise<void> {
    const most = await this.limitsOf(manager, projectId);
    const { files, bytes } = await this.files.usage(manager, projectId);
    if (files > most.files)
      throw new AppError('storage_full', { reason: 'project_files', params: { max: most.files } });
    if (bytes > most.bytes)
      throw new AppError('storage_full', {
        reason: 'project_bytes',
        params: { max: Math.floor(most.bytes / MEGABYTE) },
      });
  }

  /** @returns the most characters where there is no room for these; null where there is */
  async exceededBy(manager: EntityManager, projectId: number, characters: number): Promise<number | null> {
    const most = await this.limitsOf(manager, projectId);
    const used = await this.files.usage(manager, projectId);
    return used.characters + characters > most.characters ? most.characters : null;
  }

  private async limitsOf(
    manager: EntityManager,
    projectId: number,
  ): Promise<Record<'files' | 'bytes' | 'characters', number>> {
    const ownerId = await this.projects.ownerOf(manager, projectId);
    const isPremium = ownerId !== null && (await this.users.getWithin(manager, ownerId)).isPremium;
    return this.settings.get().projectLimits[isPremium ? 'premium' : 'free'];
  }
}
