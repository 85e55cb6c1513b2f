import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { joinGroups } from '../access/group-sql.js';
import { type Identity, userOwner } from '../identity/identity.js';
import { Statements } from '../platform/database/statements.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import type { UserEntity } from './user.entity.js';
import { ACCOUNT_COLUMNS, joinPossibleAccount, PLAN_COLUMNS } from './user-sql.js';

export type Roles = Pick<
  UserEntity,
  | 'id'
  | 'isPremium'
  | 'isAdmin'
  | 'hasTotp'
  | 'isApproved'
  | 'isSuspended'
  | 'mustChangePassword'
  | 'quotaOverride'
  | 'budgetUsd'
  | 'budgetPeriod'
> & {
  groupIds: number[];
  /** Whether `lastSeenAt` is older than five minutes. */
  isSeenStale: boolean;
};

/** The identity of an account, without what its session or its key adds. */
export function identityOf(
  { id, isPremium, isAdmin, isSuspended, ...terms }: Omit<Roles, 'isSeenStale' | 'mustChangePassword'>,
  address: string,
): Identity {
  const { groupIds, quotaOverride, budgetUsd, budgetPeriod } = terms;
  const identity = { owner: userOwner(id), userId: id, isPremium, isAdmin, groupIds, quotaOverride };
  return { ...identity, budgetUsd, budgetPeriod, ...(isSuspended && { refusal: 'account_suspended' }), address };
}

type PlanColumns = Pick<Roles, 'isAdmin' | 'isPremium' | 'groupIds' | 'quotaOverride' | 'budgetUsd' | 'budgetPeriod'>;

/** $1 user, $2 session epoch. */
const OF_SESSION = `select ${ACCOUNT_COLUMNS} from "user" u ${joinGroups('u.id')}
where u.id = $1 and u.session_epoch = $2 and u.is_approved and not u.is_service`;

/** $1 user; a deleted account has the plan of a free one. */
const PLAN = `select ${PLAN_COLUMNS}
from (select) always ${joinPossibleAccount('$1::int')}`;

/**
 * Reads the roles of an account from its row. Each call and each socket event reads them, so the SQL is written out:
 * building the query costs more than running it.
 */
@Injectable()
export class RolesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Notes the call as the account's last one.
   * @returns null when the account is deleted, has a newer session epoch, is not approved or is a service account
   */
  async ofSession(userId: number, epoch: number): Promise<Roles | null> {
    const [user] = await this.statements.run<Roles>(OF_SESSION, [userId, epoch]);
    if (user !== undefined) this.noteCall(user);
    return user ?? null;
  }

  /** Stores the time of a call, at most once in five minutes. No call waits for it. */
  noteCall({ id, isSeenStale }: Pick<Roles, 'id' | 'isSeenStale'>): void {
    if (!isSeenStale) return;
    this.dataSource
      .query(
        `update "user" set last_seen_at = now()
         where id = $1 and coalesce(last_seen_at < now() - interval '5 minutes', true)`,
        [id],
      )
      .catch((error: unknown) => this.logger.debug({ err: error, userId: id }, 'last call not stored; retrying later'));
  }

  /** The columns that decide an account's quota, budget and models. */
  async planOf(userId: number): Promise<PlanColumns> {
    const [row] = await this.statements.run<PlanColumns>(PLAN, [userId]);
    return row!;
  }
}
