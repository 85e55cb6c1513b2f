import {
  type CreatedInvitation,
  type CreateInvitationRequest,
  type Invitation,
  INVITATION_DAYS,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThanOrEqual, MoreThan, Not, type Repository } from 'typeorm';
import { existingGroups, joinExistingGroups } from '../../access/group-sql.js';
import { eraseValues, recordChange } from '../../audit/audit-log.js';
import { ENV, type Env } from '../../config/env.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Owner, ownerUserId } from '../../identity/identity.js';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { linkTo } from '../../platform/net/origin.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { newToken } from '../../platform/secrets/new-token.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import { usernameKey } from '../../users/username.js';
import { UserLookup } from '../../users/user-lookup.service.js';
import { InvitationEntity } from './invitation.entity.js';

const DAY = 24 * 60 * 60 * 1000;
const MOST = 365 * DAY;

/** Unknown tokens per address, as for share links. Seconds. */
const MISSES: RateLimit = { name: 'invitation-misses', points: 30, window: 10 * 60 };

/** Invitations that the list shows, the newest: those that can still be used, and the others. */
const LISTED = { usable: 5_000, others: 500 };

/** Links with which somebody registers once, also while registration is closed: 256 random bits, hashed at rest. */
@Injectable()
export class InvitationsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @InjectRepository(InvitationEntity) private readonly invitations: Repository<InvitationEntity>,
    private readonly users: UserLookup,
    private readonly limits: RateLimits,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.deleteUsedBy(owner));
  }

  /** The newest first. More of those that can still be used: one that is not listed could not be revoked. */
  async list(): Promise<Invitation[]> {
    const over = [{ usedAt: Not(IsNull()) }, { expiresAt: LessThanOrEqual(new Date()) }];
    const [usable, others] = await Promise.all([
      this.invitations.find({ where: USABLE(), order: { id: 'DESC' }, take: LISTED.usable }),
      this.invitations.find({ where: over, order: { id: 'DESC' }, take: LISTED.others }),
    ]);
    const rows = [...usable, ...others].toSorted((a, b) => b.id - a.id);
    const names = await this.users.usernamesOf(rows.flatMap(({ userId }) => userId ?? []));
    return rows.map((row) => toInvitation(row, names.get(row.userId ?? 0) ?? null));
  }

  /** @throws AppError `invalid` for an unknown group and for a time that is past or more than a year ahead */
  async create(request: CreateInvitationRequest): Promise<CreatedInvitation> {
    const { email = null, plan = 'free', groupIds = [] } = request;
    const expiresAt = new Date(request.expiresAt ?? Date.now() + INVITATION_DAYS * DAY);
    const ahead = expiresAt.getTime() - Date.now();
    if (!(ahead > 0 && ahead <= MOST)) throw refuseField('expiresAt', 'invitation_time');
    const token = newToken();
    const row = this.invitations.create({ tokenHash: sha256Hex(token), email, plan, groupIds, expiresAt });
    await this.invitations.manager.transaction(async (manager) => {
      if ((await existingGroups(manager, groupIds)).length < groupIds.length) throw refuseField('groupIds', 'group');
      await manager.save(row);
      await record(manager, 'create', row);
    });
    return { ...toInvitation(row, null), url: linkTo(`/register?invitation=${token}`, this.env) };
  }

  /** @throws AppError `not_found` */
  async delete(id: number): Promise<void> {
    await this.invitations.manager.transaction(async (manager) => {
      const row = await manager.findOneBy(InvitationEntity, { id });
      if (row === null) throw new AppError('not_found');
      await manager.delete(InvitationEntity, { id });
      await record(manager, 'delete', row);
    });
  }

  /** With an account goes the invitation that it used, and its address in the audit log. */
  private async deleteUsedBy(owner: Owner): Promise<void> {
    const userId = ownerUserId(owner);
    if (userId === null) return;
    await this.invitations.manager.transaction(async (manager) => {
      const used = await manager.findBy(InvitationEntity, { userId });
      for (const { id } of used) await eraseValues(manager, 'invitation', id, ['email']);
      await manager.delete(InvitationEntity, { userId });
    });
  }

  /**
   * The invitation of a token, before a registration.
   * @throws AppError `invitation_invalid`, also with another address than the invited one; `rate_limited`
   */
  async find(token: string, email: string | undefined, address: string): Promise<InvitationEntity> {
    await this.limits.check(MISSES, { address });
    const row = await this.invitations.findOneBy({ tokenHash: sha256Hex(token), ...USABLE() });
    if (row === null) {
      await this.limits.count(MISSES, { address });
      throw new AppError('invitation_invalid');
    }
    if (row.email !== null && usernameKey(row.email) !== usernameKey(email ?? ''))
      throw refuseField('email', 'invitation_email');
    return row;
  }

  /**
   * Uses an invitation for a new account, in the transaction of its registration.
   * @throws AppError `invitation_invalid` when another registration was faster
   */
  async use(manager: EntityManager, { id, groupIds }: InvitationEntity, userId: number): Promise<void> {
    const { affected } = await manager.update(InvitationEntity, { id, ...USABLE() }, { usedAt: new Date(), userId });
    if (!affected) throw new AppError('invitation_invalid');
    await joinExistingGroups(manager, userId, groupIds);
  }
}

const USABLE = () => ({ usedAt: IsNull(), expiresAt: MoreThan(new Date()) });

const toInvitation = (row: InvitationEntity, username: string | null): Invitation => ({
  id: row.id,
  email: row.email,
  plan: row.plan,
  groupIds: row.groupIds,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  usedAt: row.usedAt?.toISOString() ?? null,
  username,
});

function record(manager: EntityManager, action: 'create' | 'delete', row: InvitationEntity): Promise<void> {
  const { id, email, plan, groupIds, expiresAt } = row;
  const fields = { email, plan, groupIds, expiresAt };
  const [before, after] = action === 'create' ? [null, fields] : [fields, null];
  return recordChange(manager, { action: `invitation.${action}`, target: { id, name: null }, before, after });
}
