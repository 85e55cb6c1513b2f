import type { AdminUser, Budget } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { BudgetViews } from '../identity/budget-views.js';
import type { UserEntity } from './user.entity.js';
import { toUser } from './user-view.js';

const toAdminUser = (user: UserEntity, budget: Budget | null): AdminUser => ({
  ...toUser(user),
  isApproved: user.isApproved,
  isSuspended: user.isSuspended,
  quotaOverride: user.quotaOverride,
  budgetUsd: user.budgetUsd,
  budgetPeriod: user.budgetPeriod,
  budget,
  createdAt: user.createdAt.toISOString(),
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
});

/** Accounts as shown to admins, with the use of their budgets. */
@Injectable()
export class AdminUserView {
  constructor(private readonly budgets: BudgetViews) {}

  async of(user: UserEntity): Promise<AdminUser> {
    const [view] = await this.ofAll([user]);
    return view!;
  }

  async ofAll(users: readonly UserEntity[]): Promise<AdminUser[]> {
    const budgets = await this.budgets.ofMembers(users);
    return users.map((user) => toAdminUser(user, budgets.get(user.id) ?? null));
  }
}
