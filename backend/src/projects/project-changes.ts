import { Inject, Injectable } from '@nestjs/common';
import { Bus, topic } from '../platform/bus/bus.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { ProjectStore } from './project-store.js';

/** A project, its members, its files or the state of one changed. `userIds` are its members, and those who were until then. */
export const projectChanged = topic<{ projectId: number; userIds: number[] }>('project:changed');

/** Tells the members of a project of its changes, so that their pages read it again. */
@Injectable()
export class ProjectChanges {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly bus: Bus,
    private readonly store: ProjectStore,
  ) {}

  /**
   * Call it after the commit of a change. It never rejects: the change is stored, and a page that misses it reads it later.
   * @param gone people who belonged to the project until then
   */
  async announce(projectId: number, gone: readonly number[] = []): Promise<void> {
    try {
      const userIds = [...(await this.store.memberIds(projectId)), ...gone];
      await this.bus.publish(projectChanged, { projectId, userIds });
    } catch (error) {
      this.logger.warn({ err: error, projectId }, 'project change not announced; pages show it when they read again');
    }
  }
}
