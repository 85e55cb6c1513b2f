import type { ProjectDetails, ProjectFile } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { ProjectFileStore } from './project-file-store.js';
import { ProjectStore } from './project-store.js';

type ExportedProject = Omit<ProjectDetails, 'embedding'> & {
  files: Pick<ProjectFile, 'id' | 'name' | 'type' | 'size' | 'createdAt'>[];
};

/** Adds the projects that an account owns to its export. Those of others belong to their owners. */
@Injectable()
export class ProjectExport {
  constructor(
    private readonly projects: ProjectStore,
    private readonly files: ProjectFileStore,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('projects', (owner) => this.ownedBy(owner));
  }

  /** With the list of their files. */
  async *ownedBy(owner: Owner): AsyncGenerator<ExportedProject> {
    const userId = ownerUserId(owner);
    if (userId === null) return;
    for (const id of await this.projects.ownedBy(userId)) {
      const project = await this.projects.find(userId, id);
      if (project === null) continue;
      const files = (await this.files.list(id)).map(({ id: fileId, name, type, size, createdAt }) => {
        return { id: fileId, name, type, size, createdAt };
      });
      yield { ...project, files };
    }
  }
}
