import { LIMITS, type Quota, UNLIMITED } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { Bus } from '../platform/redis/bus.js';
import { type Identity, type Owner, ownerUserId } from '../platform/session/identity.js';
import { Metrics } from '../platform/observability/metrics.js';
import { type Count, RateLimits } from '../platform/redis/rate-limits.js';
import { SettingsService } from '../settings/settings.service.js';
import { QUOTA_COUNTERS } from './quota.tokens.js';
import type { QuotaCounters } from './quota-counters.js';
import { type QuotaAccount, QuotaLedger, type Settlement } from './quota-ledger.js';
import { periodEnd, periodKey } from './quota-period.js';

/** What decides a limit. */
export type Plan = Pick<Identity, 'userId' | 'isPremium'>;

/** Who spends, as far as quotas care. */
export type Spender = Pick<Identity, 'owner' | 'userId' | 'isPremium' | 'address'>;

const DAY = 24 * 60 * 60;
const HOUR = 60 * 60;

/** All guests together. */
const EVERYBODY = 'all';

/**
 * One quota for the page, REST, the socket, the public API and images. Postgres decides inside the caller's
 * transaction (`hold`, `settle`); a counter in front refuses the exhausted before that.
 */
@Injectable()
export class QuotaService {
  constructor(
    private readonly settings: SettingsService,
    private readonly ledger: QuotaLedger,
    private readonly limits: RateLimits,
    @Inject(QUOTA_COUNTERS) private readonly counters: QuotaCounters,
    private readonly metrics: Metrics,
    bus: Bus,
  ) {
    bus.subscribe('owner:adopted', ({ from, to }) => this.refresh([from, to]));
  }

  /** Messages that this spender may have; -1 is unlimited. */
  limitOf(spender: Plan): number {
    const settings = this.settings.get();
    if (spender.userId === null) return settings.guestMessageQuota;
    return spender.isPremium ? settings.premiumUserMessageQuota : settings.freeUserMessageQuota;
  }

  /** The plan behind an owner's key, for an end that nobody asked for. */
  async planOf(owner: Owner): Promise<Plan> {
    const userId = ownerUserId(owner);
    return { userId, isPremium: userId !== null && (await this.ledger.isPremium(userId)) };
  }

  async quotaOf(spender: Omit<Spender, 'address'>): Promise<Quota> {
    return this.view(await this.used(spender.owner), this.limitOf(spender));
  }

  /** A quota as clients see it, after a change of this account. */
  viewOf(account: QuotaAccount, spender: Plan): Quota {
    return this.view(account.charged + account.held, this.limitOf(spender));
  }

  /** Refuses the exhausted without touching Postgres. @throws AppError `quota_exceeded` */
  async gate(spender: Spender, cost: number): Promise<void> {
    const max = this.limitOf(spender);
    if (max !== UNLIMITED && (await this.used(spender.owner)) + cost > max) throw this.exceeded();
  }

  /**
   * Holds the cost inside the caller's transaction; call `committed` with the account after the commit.
   * @throws AppError `quota_exceeded`
   */
  async hold(
    manager: EntityManager,
    spender: Spender,
    generation: { generationId: string; modelId: string; cost: number },
  ): Promise<QuotaAccount> {
    const account = await this.ledger.hold(manager, {
      ...generation,
      owner: spender.owner,
      userId: spender.userId,
      max: this.limitOf(spender),
      quotaPeriod: this.settings.get().quotaPeriod,
    });
    if (account === null) throw this.exceeded();
    this.metrics.sent(spender.userId === null ? 'guest' : spender.isPremium ? 'premium' : 'free');
    return account;
  }

  /** Charges or releases inside the transaction of the terminal state. @returns no account when it was settled before */
  async settle(manager: EntityManager, settlement: Settlement): Promise<{ account: QuotaAccount | null; plan: Plan }> {
    const settled = await this.ledger.settle(manager, settlement);
    if (settled === null) return { account: null, plan: await this.planOf(settlement.owner) };
    const plan = { userId: ownerUserId(settlement.owner), isPremium: settled.isPremium };
    return { account: settled.account, plan };
  }

  /** Locks the accounts of these owners, in the order of their keys. */
  lockAccounts(manager: EntityManager, owners: Owner[]): Promise<void> {
    return this.ledger.lockAccounts(manager, owners);
  }

  /** Counts a guest's usage for the account that takes over its things; running generations are locked by the caller. */
  async adopt(manager: EntityManager, from: Owner, to: Owner): Promise<void> {
    await this.ledger.adopt(manager, from, to, ownerUserId(to)!);
  }

  /** An account as it is stored. */
  accountOf(owner: Owner, period: string): Promise<QuotaAccount> {
    return this.ledger.account(owner, period);
  }

  /** Messages charged in this period, without what is still running. */
  async chargedOf(spender: Spender): Promise<number> {
    return (await this.ledger.account(spender.owner, periodKey(this.settings.get().quotaPeriod, new Date()))).charged;
  }

  /** Tells the fast gate what has been committed. */
  async committed(account: QuotaAccount): Promise<void> {
    await this.counters.store(account.owner, account.period, {
      used: account.charged + account.held,
      version: account.version,
    });
  }

  /**
   * What a new guest cookie can't get around: messages a day from one address, messages an hour of all guests.
   * @throws AppError `rate_limited`
   * @returns gives the message back, for a send that was refused after all
   */
  async countGuest(spender: Spender): Promise<() => Promise<void>> {
    if (spender.userId !== null) return async () => undefined;
    const { guestAddressDailyQuota, guestHourlyBudget } = this.settings.get();
    const counts: Count[] = [
      [{ name: 'guest-address', points: guestAddressDailyQuota, window: DAY }, spender.address],
      [{ name: 'guest-budget', points: guestHourlyBudget, window: HOUR }, EVERYBODY],
    ];
    await this.limits.consumeAll(counts);
    return () => this.limits.rewardAll(counts);
  }

  /** The cost of one answer of this model, in messages. */
  costOf(model: { isImage: boolean }): number {
    return model.isImage ? LIMITS.imageCost : 1;
  }

  private exceeded(): AppError {
    this.metrics.refused('quota');
    return new AppError('quota_exceeded');
  }

  private async used(owner: Owner): Promise<number> {
    const period = periodKey(this.settings.get().quotaPeriod, new Date());
    const known = await this.counters.read(owner, period);
    if (known !== null) return known;
    const account = await this.ledger.account(owner, period);
    await this.committed(account);
    return account.charged + account.held;
  }

  private async refresh(owners: Owner[]): Promise<void> {
    const period = periodKey(this.settings.get().quotaPeriod, new Date());
    for (const owner of owners) await this.committed(await this.ledger.account(owner, period));
  }

  private view(used: number, max: number): Quota {
    const remaining = max === UNLIMITED ? UNLIMITED : Math.max(0, max - used);
    return { used, max, remaining, resetsAt: periodEnd(this.settings.get().quotaPeriod, new Date()) };
  }
}
