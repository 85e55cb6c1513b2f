import { type GivenMember, type MemberRole, PROJECT_LIMITS, type ProjectMember } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Asker } from '../identity/identity.js';
import { AppError, invalidField, refuseField } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { usernameKey } from '../users/username.js';
import { UserLookup } from '../users/user-lookup.service.js';
import { ProjectChanges } from './project-changes.js';
import { ProjectLeaves } from './project-leaves.js';
import { ProjectStore } from './project-store.js';
import { ProjectsService } from './projects.service.js';

/** People that an account names beside those who are members already: a name that exists is told from one that does not. Seconds. */
const TRIES: RateLimit = { name: 'project-members', points: 60, window: 60 * 60 };

/** Who belongs to a project. */
@Injectable()
export class ProjectMembersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly projects: ProjectsService,
    private readonly store: ProjectStore,
    private readonly leaves: ProjectLeaves,
    private readonly changes: ProjectChanges,
    private readonly users: UserLookup,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Replaces all members beside the owner, whom the list may name.
   * @throws AppError `not_found` also for an unknown person, `forbidden`, `rate_limited`, `invalid`
   */
  async replace(asker: Asker, id: number, given: readonly GivenMember[]): Promise<ProjectMember[]> {
    await this.projects.require(asker, id, 'own');
    const roles = await this.rolesOf(asker, id, given);
    if (roles.size > PROJECT_LIMITS.members)
      throw invalidField('members', `A project has at most ${PROJECT_LIMITS.members} members.`);
    const { gone, members } = await this.dataSource.transaction(async (manager) => {
      // The project may have been deleted, or passed on, since it was read.
      if (!(await this.store.lock(manager, id)) || (await this.store.roleOf(asker.userId!, id, manager)) !== 'owner')
        throw new AppError('not_found');
      const present = await this.store.members(manager, id);
      const gone = present.flatMap((member) => (roles.has(member.id) ? [] : [member.id]));
      await this.leaves.leave(manager, id, gone);
      await this.store.removeMembers(manager, id, gone);
      for (const [userId, role] of roles) await this.store.putMember(manager, id, userId, role);
      await this.store.touch(manager, id);
      return { gone, members: await this.store.members(manager, id) };
    });
    await this.changes.announce(id, gone);
    return members;
  }

  /**
   * Removes one member. The owner removes others, and everyone else themselves.
   * @throws AppError `not_found`, `forbidden`, also for the owner
   */
  async remove(asker: Asker, id: number, userId: number): Promise<void> {
    const role = await this.projects.require(asker, id, 'read');
    const isSelf = asker.userId === userId;
    if (isSelf === (role === 'owner')) throw new AppError('forbidden');
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.store.lock(manager, id))) throw new AppError('not_found');
      const present = await this.store.roleOf(userId, id, manager);
      if (present === null) throw new AppError('not_found');
      // The project may have been passed on to them since it was read.
      if (present === 'owner') throw new AppError('forbidden');
      await this.leaves.leave(manager, id, [userId]);
      await this.store.removeMembers(manager, id, [userId]);
    });
    await this.changes.announce(id, [userId]);
  }

  /** The roles by the ids of the people. Those who belong to the project are found without a try. */
  private async rolesOf(asker: Asker, id: number, given: readonly GivenMember[]): Promise<Map<number, MemberRole>> {
    const { owner, members } = await this.projects.details(asker, id);
    const known = [owner, ...members];
    const byName = new Map(known.map((person) => [usernameKey(person.username), person.id]));
    const byId = new Set(known.map((person) => person.id));
    const roles = new Map<number, MemberRole>();
    for (const { username, userId, role } of given) {
      if ((username === undefined) === (userId === undefined))
        throw invalidField('members', 'Name each person by username or by userId.');
      const present = username === undefined ? (byId.has(userId!) ? userId! : null) : byName.get(usernameKey(username));
      const found = present ?? (await this.stranger(asker, { username, userId }));
      if (found === owner.id) continue;
      if (roles.has(found)) throw refuseField('members', 'member_twice');
      roles.set(found, role);
    }
    return roles;
  }

  private async stranger(asker: Asker, person: Pick<GivenMember, 'username' | 'userId'>): Promise<number> {
    await this.limits.consume(TRIES, asker.owner);
    const id = await this.users.findPerson(person);
    if (id === null) throw new AppError('not_found', { reason: 'person' });
    return id;
  }
}
