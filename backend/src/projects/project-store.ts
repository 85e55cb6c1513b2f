import type { Project, ProjectDetails, ProjectMember, ProjectPerson, ProjectRole } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { joinPerson, PERSON } from '../users/user-sql.js';
import type { ProjectEntity } from './project.entity.js';

/** A project with the role of the person who reads it. */
type ProjectRow = Omit<ProjectEntity, 'embeddingSetId' | 'embeddingSet'> & { role: ProjectRole; owner: ProjectPerson };

const COLUMNS = `p.id, p.name, p.instructions, p.model_id as "modelId", p.tools, p.created_at as "createdAt",
  p.updated_at as "updatedAt", mine.role,
  (select ${PERSON} from project_member o ${joinPerson('o.user_id')} where o.project_id = p.id and o.role = 'owner') as owner`;

const listProjects = statement<{ userId: number }>(`select ${COLUMNS}
  from project_member mine join project p on p.id = mine.project_id
  where mine.user_id = :userId order by p.updated_at desc, p.id desc`);

const findProject = statement<{ id: number; userId: number }>(`select ${COLUMNS}
  from project_member mine join project p on p.id = mine.project_id
  where mine.user_id = :userId and p.id = :id`);

const findRole = statement<{ id: number; userId: number }>(
  `select role from project_member where project_id = :id and user_id = :userId`,
);

/** Locks the project, so that changes of its members and files follow one another. */
const lockProject = statement<{ id: number }>(`select id from project where id = :id for no key update`);

const touchProject = statement<{ id: number }>(`update project set updated_at = now() where id = :id`);

const findMembers = statement<{ id: number }>(`select ${PERSON} as person, m.role
  from project_member m ${joinPerson('m.user_id')} where m.project_id = :id and m.role <> 'owner'
  order by lower(u.username), u.id`);

const findMemberIds = statement<{ id: number }>(
  `select user_id as "userId" from project_member where project_id = :id order by user_id`,
);

const findOwner = statement<{ id: number }>(
  `select user_id as "userId" from project_member where project_id = :id and role = 'owner'`,
);

const countOwned = statement<{ userId: number }>(
  `select count(*)::int as count from project_member where user_id = :userId and role = 'owner'`,
);

const ownedBy = statement<{ userId: number }>(
  `select project_id as id from project_member where user_id = :userId and role = 'owner' order by project_id`,
);

const findEditors = statement<{ id: number }>(`select user_id as "userId" from project_member
  where project_id = :id and role = 'editor' order by since, user_id`);

const putMember = statement<{ id: number; userId: number; role: ProjectRole }>(`
  insert into project_member (project_id, user_id, role) values (:id, :userId, :role)
  on conflict (project_id, user_id) do update
    set role = excluded.role, since = case when project_member.role = excluded.role then project_member.since else now() end`);

const removeMembers = statement<{ id: number; userIds: readonly number[] }>(
  `delete from project_member where project_id = :id and user_id = any(:userIds::int[])`,
);

export interface PromptProject {
  id: number;
  name: string;
  instructions: string;
}

const projectOfPrompt = statement<{ id: number; userId: number }>(`select p.id, p.name, p.instructions
  from project p join project_member m on m.project_id = p.id where p.id = :id and m.user_id = :userId`);

/** Rows of projects and of their members. */
@Injectable()
export class ProjectStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The projects of an account, the last changed first. */
  async list(userId: number): Promise<Project[]> {
    const rows = await this.dataSource.query<ProjectRow[]>(...listProjects({ userId }));
    return rows.map(toProject);
  }

  /** @returns null for a project that the account does not belong to */
  async find(userId: number, id: number): Promise<Omit<ProjectDetails, 'embedding'> | null> {
    const [row] = await this.dataSource.query<ProjectRow[]>(...findProject({ userId, id }));
    return row === undefined ? null : { ...toProject(row), members: await this.members(this.dataSource.manager, id) };
  }

  async roleOf(
    userId: number,
    id: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ProjectRole | null> {
    const [row] = await manager.query<{ role: ProjectRole }[]>(...findRole({ userId, id }));
    return row?.role ?? null;
  }

  /** @returns false for a project that does not exist */
  async lock(manager: EntityManager, id: number): Promise<boolean> {
    return (await manager.query<unknown[]>(...lockProject({ id }))).length > 0;
  }

  async touch(manager: EntityManager, id: number): Promise<void> {
    await manager.query(...touchProject({ id }));
  }

  /** Without the owner, by name. */
  async members(manager: EntityManager, id: number): Promise<ProjectMember[]> {
    const rows = await manager.query<{ person: ProjectPerson; role: ProjectMember['role'] }[]>(...findMembers({ id }));
    return rows.map(({ person, role }) => ({ ...person, role }));
  }

  /** The owner included. */
  async memberIds(id: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ userId: number }[]>(...findMemberIds({ id }));
    return rows.map(({ userId }) => userId);
  }

  /** null while the account of its owner is being deleted. */
  async ownerOf(manager: EntityManager, id: number): Promise<number | null> {
    const [row] = await manager.query<{ userId: number }[]>(...findOwner({ id }));
    return row?.userId ?? null;
  }

  async countOwned(manager: EntityManager, userId: number): Promise<number> {
    const [row] = await manager.query<[{ count: number }]>(...countOwned({ userId }));
    return row.count;
  }

  async ownedBy(userId: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(...ownedBy({ userId }));
    return rows.map(({ id }) => id);
  }

  /** The editors, first who has been one for the longest time. */
  async editors(manager: EntityManager, id: number): Promise<number[]> {
    const rows = await manager.query<{ userId: number }[]>(...findEditors({ id }));
    return rows.map(({ userId }) => userId);
  }

  /** Adds a member or changes the role of one. */
  async putMember(manager: EntityManager, id: number, userId: number, role: ProjectRole): Promise<void> {
    await manager.query(...putMember({ id, userId, role }));
  }

  async removeMembers(manager: EntityManager, id: number, userIds: readonly number[]): Promise<void> {
    await manager.query(...removeMembers({ id, userIds }));
  }

  /** @returns null for an account that does not belong to the project any more */
  async ofPrompt(userId: number, id: number): Promise<PromptProject | null> {
    const [row] = await this.dataSource.query<PromptProject[]>(...projectOfPrompt({ userId, id }));
    return row ?? null;
  }
}

const toProject = ({ createdAt, updatedAt, ...row }: ProjectRow): Project => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
