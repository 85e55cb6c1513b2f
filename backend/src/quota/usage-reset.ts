import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { groupTermsOf, withGroups } from '../access/group-sql.js';
import { recordChange } from '../audit/audit-log.js';
import { userOwner } from '../identity/identity.js';
import { planChanged } from '../identity/identity-topics.js';
import { Bus } from '../platform/bus/bus.js';
import { SettingsService } from '../settings/settings.service.js';
import { UsersService } from '../users/users.service.js';
import { BudgetService } from './budget.service.js';
import { resetUsage } from './ledger.sql.js';
import type { QuotaAccount } from './quota-ledger.js';
import { QuotaService } from './quota.service.js';

/** Resets what an account has spent of its message quota and of its budget in the current period. */
@Injectable()
export class UsageReset {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
    private readonly users: UsersService,
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
    private readonly bus: Bus,
  ) {}

  /** Holds stay, and so does the message count, which counts over all periods. @throws AppError `not_found` */
  async reset(userId: number): Promise<void> {
    const owner = userOwner(userId);
    const { isPremium, account } = await this.dataSource.transaction(async (manager) => {
      const user = await this.users.getWithin(manager, userId);
      const { username, isPremium } = user;
      const [row] = await manager.query<(QuotaAccount & { spent: number })[]>(
        ...resetUsage({ owner, userId, quotaPeriod: this.settings.get().quotaPeriod }),
      );
      const groups = await groupTermsOf(manager, [userId]);
      const spentUsd = await this.budgets.reset(manager, withGroups(user, groups.get(userId)!));
      await recordChange(manager, {
        action: 'user.reset_usage',
        target: { id: userId, name: username },
        before: { messages: row?.spent ?? 0, ...(spentUsd !== null && { spentUsd }) },
        after: { messages: 0, ...(spentUsd !== null && { spentUsd: '0' }) },
      });
      return { isPremium, account: row };
    });
    if (account !== undefined) await this.quotas.cacheAccount(account);
    await this.bus.publish(planChanged, { userId, isPremium });
  }
}
