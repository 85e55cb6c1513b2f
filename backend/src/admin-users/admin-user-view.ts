import type { AdminUser, Budget } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { BudgetService } from '../quota/budget.service.js';
import { QuotaService } from '../quota/quota.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { toUser } from '../users/user-view.js';

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

@Injectable()
export class AdminUserView {
  constructor(
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
  ) {}

  async viewOf(user: UserEntity): Promise<AdminUser> {
    const [view] = await this.viewsOf([user]);
    return view!;
  }

  async viewsOf(users: readonly UserEntity[]): Promise<AdminUser[]> {
    const [used, budgets] = await Promise.all([
      this.quotas.usedByMembers(users.map(({ id }) => id)),
      this.budgets.ofMembers(users),
    ]);
    return users.map((user) => toAdminUser(user, used.get(user.id) ?? 0, budgets.get(user.id) ?? null));
  }
}
