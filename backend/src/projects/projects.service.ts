import {
  type CreateProjectRequest,
  type Project,
  PROJECT_LIMITS,
  type ProjectDetails,
  type ProjectRole,
  type UpdateProjectRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { may, type ProjectUse } from '../access/may.js';
import { ProjectDocuments } from '../files/projects/project-documents.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Asker, ownerUserId } from '../identity/identity.js';
import { ModelsService } from '../models/models.service.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { UsersService } from '../users/users.service.js';
import { EmbeddingModel } from './embedding/embedding-model.js';
import { ProjectEntity } from './project.entity.js';
import { ProjectChanges } from './project-changes.js';
import { ProjectLeaves } from './project-leaves.js';
import { ProjectStore } from './project-store.js';

/** What stands for an omitted model and omitted tools in a new thread. */
interface ThreadDefaults {
  /** null where the asker may not use the project's. */
  modelId: string | null;
  tools: string[];
}

/** Projects as their members handle them. Strangers, admins among them, and guests find none. */
@Injectable()
export class ProjectsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: ProjectStore,
    private readonly leaves: ProjectLeaves,
    private readonly changes: ProjectChanges,
    private readonly models: ModelsService,
    private readonly tools: ToolRegistry,
    private readonly documents: ProjectDocuments,
    private readonly embedding: EmbeddingModel,
    private readonly users: UsersService,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete(async (owner) => {
      const userId = ownerUserId(owner);
      if (userId !== null) await this.passOn(userId);
    });
  }

  list({ userId }: Asker): Promise<Project[]> {
    return this.store.list(userId!);
  }

  /** @throws AppError `not_found` */
  async details({ userId }: Asker, id: number): Promise<ProjectDetails> {
    const project = await this.store.find(userId!, id);
    if (project === null) throw new AppError('not_found');
    return { ...project, embedding: this.embedding.info() };
  }

  /** @throws AppError `invalid` for a model, `tool_not_found`, `conflict` for too many projects */
  async create(asker: Asker, fields: CreateProjectRequest): Promise<ProjectDetails> {
    await this.requireUsable(asker, fields);
    const userId = asker.userId!;
    const { name, instructions, modelId, tools } = fields;
    const id = await this.dataSource.transaction(async (manager) => {
      await manager.query(`select pg_advisory_xact_lock(hashtextextended('projects:' || $1::text, 0))`, [userId]);
      if ((await this.store.countOwned(manager, userId)) >= PROJECT_LIMITS.projects)
        throw new AppError('conflict', { reason: 'projects', params: { max: PROJECT_LIMITS.projects } });
      const row = manager.create(ProjectEntity, {
        name,
        instructions: instructions ?? '',
        modelId: modelId ?? null,
        tools: tools ?? [],
      });
      await manager.insert(ProjectEntity, row);
      await this.store.putMember(manager, row.id, userId, 'owner');
      return row.id;
    });
    await this.changes.announce(id);
    return this.details(asker, id);
  }

  /** @throws AppError `not_found`, `forbidden`, `invalid` for a model, `tool_not_found` */
  async update(asker: Asker, id: number, change: UpdateProjectRequest): Promise<ProjectDetails> {
    await this.require(asker, id, 'edit');
    const present = await this.details(asker, id);
    // An editor may leave what the owner alone may use.
    await this.requireUsable(asker, {
      modelId: change.modelId === present.modelId ? undefined : change.modelId,
      tools: change.tools?.filter((tool) => !present.tools.includes(tool)),
    });
    const { name, instructions, modelId, tools } = change;
    await this.dataSource.manager.update(
      ProjectEntity,
      { id },
      {
        ...(name !== undefined && { name }),
        ...(instructions !== undefined && { instructions: instructions ?? '' }),
        ...(modelId !== undefined && { modelId }),
        ...(tools !== undefined && { tools }),
        updatedAt: () => 'now()',
      },
    );
    await this.changes.announce(id);
    return this.details(asker, id);
  }

  /** Deletes a project. Its threads stay with their owners. @throws AppError `not_found`, `forbidden` */
  async delete(asker: Asker, id: number): Promise<void> {
    await this.require(asker, id, 'own');
    await this.remove(id);
  }

  /** @returns the role @throws AppError `not_found` for strangers and guests, `forbidden` */
  async require(asker: Asker, id: number, use: ProjectUse, manager?: EntityManager): Promise<ProjectRole> {
    const role = asker.userId === null ? null : await this.store.roleOf(asker.userId, id, manager);
    if (role === null || !may(asker, { project: { role }, use: 'read' })) throw new AppError('not_found');
    if (!may(asker, { project: { role }, use })) throw new AppError('forbidden');
    return role;
  }

  /**
   * The model and the tools of a new thread in a project, as far as the asker may use them.
   * @throws AppError `not_found`
   */
  async defaultsFor(asker: Asker, id: number): Promise<ThreadDefaults> {
    await this.require(asker, id, 'read');
    const { modelId, tools } = await this.details(asker, id);
    const usable = new Set(tools.length === 0 ? [] : (await this.tools.list(asker)).map(({ name }) => name));
    return {
      modelId: modelId !== null && this.mayUse(asker, modelId) ? modelId : null,
      tools: tools.filter((name) => usable.has(name)),
    };
  }

  private async requireUsable(asker: Asker, { modelId, tools }: UpdateProjectRequest): Promise<void> {
    if (modelId != null && !this.mayUse(asker, modelId)) throw refuseField('modelId', 'model');
    if (tools !== undefined) await this.tools.offered(asker, tools);
  }

  private mayUse(asker: Asker, modelId: string): boolean {
    const model = this.models.find(modelId);
    return model !== null && may(asker, { model, kinds: ['chat', 'image'] });
  }

  /** Deletes a project with its files. */
  private async remove(id: number): Promise<void> {
    const gone = await this.store.memberIds(id);
    await this.documents.deleteContentsOf(id, async () => {
      await this.dataSource.manager.delete(ProjectEntity, { id });
    });
    await this.changes.announce(id, gone);
  }

  /** Gives the projects of an account that is being deleted to their oldest editors, and deletes those without one. */
  private async passOn(userId: number): Promise<void> {
    for (const id of await this.store.ownedBy(userId)) {
      const isPassedOn = await this.dataSource.transaction(async (manager) => {
        const heir = (await this.store.lock(manager, id)) ? await this.heirOf(manager, id) : null;
        if (heir === null) return false;
        await this.leaves.leave(manager, id, [userId]);
        await this.store.removeMembers(manager, id, [userId]);
        await this.store.putMember(manager, id, heir, 'owner');
        return true;
      });
      if (isPassedOn) await this.changes.announce(id);
      else await this.remove(id);
    }
  }

  /**
   * The editor who has been one for the longest time, of those whose accounts stay. Two accounts that are deleted at once
   * could leave a project without an owner: the deletion of the heir now waits for the end of the transaction.
   */
  private async heirOf(manager: EntityManager, id: number): Promise<number | null> {
    for (const userId of await this.store.editors(manager, id)) {
      if (await this.users.tryLock(manager, userId)) return userId;
    }
    return null;
  }
}
