import type { AdminUser, Budget } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { BudgetViews } from '../identity/budget-views.js';
import { QuotaViews } from '../identity/quota-views.js';
import type { UserEntity } from './user.entity.js';
import { toUser } from './user-view.js';

const toAdminUser = (user: UserEntity, quotaUsed: number, budget: Budget | null): AdminUser => ({
  ...toUser(user),
  isApproved: user.isApproved,
  isSuspended: user.isSuspended,
  quotaUsed,
  quotaOverride: user.quotaOverride,
  budgetUsd: user.budgetUsd,
  budgetPeriod: user.budgetPeriod,
  budget,
  createdAt: user.createdAt.toISOString(),
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
});

/** Accounts as shown to admins, with the use of their quotas and budgets. */
@Injectable()
export class AdminUserView {
  constructor(
    private readonly quotas: QuotaViews,
    private readonly budgets: BudgetViews,
  ) {}

  async of(user: UserEntity): Promise<AdminUser> {
    const [view] = await this.ofAll([user]);
    return view!;
  }

  async ofAll(users: readonly UserEntity[]): Promise<AdminUser[]> {
    const [used, budgets] = await Promise.all([
      this.quotas.usedByMembers(users.map(({ id }) => id)),
      this.budgets.ofMembers(users),
    ]);
    return users.map((user) => toAdminUser(user, used.get(user.id) ?? 0, budgets.get(user.id) ?? null));
  }
}
