import type { AdminUser, Budget } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { groupTermsOf, withGroups } from '../access/group-sql.js';
import { BudgetService } from '../quota/budget.service.js';
import { QuotaService } from '../quota/quota.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { toUser } from '../users/user-view.js';

interface InEffect {
  groupIds: number[];
  quotaUsed: number;
  quotaLimit: number;
  budget: Budget | null;
}

const toAdminUser = (user: UserEntity, inEffect: InEffect): AdminUser => ({
  ...toUser(user),
  isApproved: user.isApproved,
  isSuspended: user.isSuspended,
  mustChangePassword: user.mustChangePassword,
  isService: user.isService,
  ...inEffect,
  quotaOverride: user.quotaOverride,
  budgetUsd: user.budgetUsd,
  budgetPeriod: user.budgetPeriod,
  createdAt: user.createdAt.toISOString(),
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
});

@Injectable()
export class AdminUserView {
  constructor(
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async viewOf(user: UserEntity): Promise<AdminUser> {
    const [view] = await this.viewsOf([user]);
    return view!;
  }

  async viewsOf(users: readonly UserEntity[]): Promise<AdminUser[]> {
    const ids = users.map(({ id }) => id);
    const groups = await groupTermsOf(this.dataSource.manager, ids);
    const members = users.map((user) => withGroups(user, groups.get(user.id)!));
    const [used, budgets] = await Promise.all([this.quotas.usedByMembers(ids), this.budgets.ofMembers(members)]);
    return users.map((user, index) => {
      const { groupIds, ...plan } = members[index]!;
      const quotaLimit = this.quotas.limitOf({ userId: user.id, ...plan });
      return toAdminUser(user, {
        groupIds,
        quotaUsed: used.get(user.id) ?? 0,
        quotaLimit,
        budget: budgets.get(user.id) ?? null,
      });
    });
  }
}
