import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

type LeaveHook = (manager: EntityManager, projectId: number, userIds: readonly number[]) => Promise<void>;

/** What rooms above do, in the same transaction, when people leave a project. This room knows none of them. */
@Injectable()
export class ProjectLeaves {
  private readonly hooks: LeaveHook[] = [];

  onLeave(hook: LeaveHook): void {
    this.hooks.push(hook);
  }

  async leave(manager: EntityManager, projectId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length > 0) for (const hook of this.hooks) await hook(manager, projectId, userIds);
  }
}
