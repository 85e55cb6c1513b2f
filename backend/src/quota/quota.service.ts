import { LIMITS, type ModelKind, type Quota, type QuotaPeriod, UNLIMITED } from '@tanya/contract';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { Bus } from '../platform/bus/bus.js';
import { type Asker, type Identity, type Owner, ownerUserId, planNameOf, userOwner } from '../identity/identity.js';
import { siteOf } from '../platform/net/client-address.js';
import { type Count, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { SettingsService } from '../settings/settings.service.js';
import { RolesService } from '../users/roles.service.js';
import { UsersService } from '../users/users.service.js';
import { QUOTA_COUNTERS, type QuotaCounters } from './quota-counters.js';
import { type QuotaAccount, QuotaLedger } from './quota-ledger.js';
import { QuotaMetrics } from './quota-metrics.js';
import { periodEnd, periodKey } from './quota-period.js';
import { ownerAdopted } from '../identity/identity-topics.js';

export type { QuotaAccount };

/** The fields that decide an owner's limit. */
export type Plan = Pick<Identity, 'userId' | 'isPremium' | 'quotaOverride'>;

type QuotaOwner = Plan & Pick<Identity, 'owner'>;

/** Seconds. */
const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** An IPv6 site (/48) may use a quarter of the hourly budget of all guests: a client gets a site for nothing. */
const SITE_SHARE = 4;

/** Rate limit key shared by all guests. */
const ALL_GUESTS = 'all';

/**
 * The quota of an owner, shared by the page, REST, the socket, the public API and images. Postgres decides inside the
 * statements that admit and end a generation (`holdQuota`, `SETTLE_QUOTA`). A cached counter refuses exhausted owners
 * before that (`gate`).
 */
@Injectable()
export class QuotaService implements OnModuleInit {
  constructor(
    private readonly settings: SettingsService,
    private readonly ledger: QuotaLedger,
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly limits: RateLimits,
    @Inject(QUOTA_COUNTERS) private readonly counters: QuotaCounters,
    private readonly metrics: QuotaMetrics,
    private readonly bus: Bus,
  ) {}

  onModuleInit(): void {
    this.bus.subscribe(ownerAdopted, ({ from, to }) => this.refresh([from, to]));
  }

  /** Messages per quota period: of the account itself, else of its groups, else of its plan; -1 is unlimited. */
  limitOf(asker: Plan): number {
    const settings = this.settings.get();
    if (asker.userId === null) return settings.guestMessageQuota;
    if (asker.quotaOverride !== null) return asker.quotaOverride;
    return asker.isPremium ? settings.premiumUserMessageQuota : settings.freeUserMessageQuota;
  }

  /** The plan of an owner, for a generation that ends without a request. */
  async planOf(owner: Owner): Promise<Plan & Pick<Identity, 'isAdmin' | 'groupIds' | 'budgetUsd' | 'budgetPeriod'>> {
    const userId = ownerUserId(owner);
    if (userId === null) return { userId, isAdmin: false, isPremium: false, groupIds: [], quotaOverride: null };
    return { userId, ...(await this.roles.planOf(userId)) };
  }

  async quotaOf(asker: QuotaOwner): Promise<Quota> {
    return this.view(await this.used(asker.owner), this.limitOf(asker));
  }

  /** Messages used in the current period, as `Quota.used`, by account; accounts without usage are absent. */
  async usedByMembers(ids: readonly number[]): Promise<Map<number, number>> {
    const period = periodKey(this.settings.get().quotaPeriod, new Date());
    const accounts = await this.ledger.accounts(ids.map(userOwner), period);
    return new Map(accounts.map(({ owner, charged, held }) => [ownerUserId(owner)!, charged + held]));
  }

  /**
   * The quota after an admission or an end.
   * @param account the account as committed, maybe one of an earlier period; null for a request that was admitted before
   */
  async quotaAfter(account: QuotaAccount | null, asker: QuotaOwner): Promise<Quota> {
    if (account?.period !== periodKey(this.settings.get().quotaPeriod, new Date())) return this.quotaOf(asker);
    return this.view(account.charged + account.held, this.limitOf(asker));
  }

  /** Refuses an exhausted owner, as a rule without a query. @throws AppError `quota_exceeded` */
  async gate(asker: QuotaOwner, cost: number): Promise<void> {
    const max = this.limitOf(asker);
    if (max === UNLIMITED) return;
    const { owner } = asker;
    const { quotaPeriod } = this.settings.get();
    const demand = { used: await this.used(owner), cost, max, quotaPeriod };
    if (await isQuotaSpent(demand, () => this.ledger.usedNow(owner, quotaPeriod))) throw this.exceeded();
  }

  /** The values of `holdQuota` that the settings decide. */
  quotaTerms(asker: Plan): { limit: number; quotaPeriod: QuotaPeriod } {
    return { limit: this.limitOf(asker), quotaPeriod: this.settings.get().quotaPeriod };
  }

  /** Counts an admission and caches its committed account. Never rejects. */
  async noteAdmission(asker: Plan, account: QuotaAccount): Promise<void> {
    this.metrics.admitted(planNameOf(asker));
    await this.cacheAccount(account);
  }

  /** Counts a refusal. @returns the error of a spent quota */
  exceeded(): AppError {
    this.metrics.refused();
    return new AppError('quota_exceeded');
  }

  /** Locks the accounts of these owners, in the order of their keys. Their admissions wait, the first one of an owner too. */
  lockAccounts(manager: EntityManager, owners: Owner[]): Promise<void> {
    return this.ledger.lockAccounts(manager, owners, this.settings.get().quotaPeriod);
  }

  /** Counts a guest's usage for the account that the guest becomes. The caller locks the accounts and the running generations. */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner): Promise<void> {
    await this.ledger.migrateGuest(manager, guest, account, ownerUserId(account)!);
  }

  /**
   * The message count: messages charged since the account was created or the guest cookie was issued. A new quota period
   * does not reset it; `quotaOf` reports the period. A member's count is `user.messageCount`.
   */
  async messageCountOf({ owner, userId }: Pick<Identity, 'owner' | 'userId'>): Promise<number> {
    return userId === null ? this.ledger.chargedInAllPeriods(owner) : (await this.users.get(userId)).messageCount;
  }

  /** Updates the cached counter with a committed account. Never rejects; later reads of this process see the update. */
  async cacheAccount(account: QuotaAccount): Promise<void> {
    await this.counters.store(account.owner, account.period, {
      used: account.charged + account.held,
      version: account.version,
    });
  }

  /**
   * Counts a guest's messages against the limits that a new guest cookie does not reset: messages per day from one
   * address, per hour from one IPv6 site, and per hour of all guests. Members are not counted.
   * @param cost messages of the quota
   * @throws AppError `rate_limited`
   * @returns function that takes the count back, for a send that is refused later
   */
  async countGuest(asker: Asker, cost: number): Promise<() => Promise<void>> {
    const counts = this.guestCounts(asker, cost);
    await this.limits.consumeAll(counts, cost);
    return () => this.limits.rewardAll(counts, cost);
  }

  /** Refuses what `countGuest` would refuse, and counts nothing. @throws AppError `rate_limited` */
  checkGuest(asker: Asker, cost: number): Promise<void> {
    return this.limits.checkAll(this.guestCounts(asker, cost), cost);
  }

  private guestCounts(asker: Asker, cost: number): Count[] {
    if (asker.userId !== null) return [];
    const { guestAddressDailyQuota, guestHourlyBudget } = this.settings.get();
    const site = siteOf(asker.address);
    // An image may cost more than the share of a site in a small budget.
    const siteShare = Math.max(cost, Math.ceil(guestHourlyBudget / SITE_SHARE));
    return [
      [{ name: 'guest-address', points: guestAddressDailyQuota, window: DAY }, { address: asker.address }],
      ...(site === null ? [] : [[{ name: 'guest-site', points: siteShare, window: HOUR }, site] satisfies Count]),
      [{ name: 'guest-budget', points: guestHourlyBudget, window: HOUR }, ALL_GUESTS],
    ];
  }

  costOf({ kind }: { kind: ModelKind }): number {
    return kind === 'image' ? LIMITS.imageCost : 1;
  }

  private async used(owner: Owner): Promise<number> {
    const period = periodKey(this.settings.get().quotaPeriod, new Date());
    const cached = await this.counters.read(owner, period);
    if (cached !== null) return cached;
    const account = await this.ledger.account(owner, period);
    await this.cacheAccount(account);
    return account.charged + account.held;
  }

  private async refresh(owners: Owner[]): Promise<void> {
    const period = periodKey(this.settings.get().quotaPeriod, new Date());
    for (const owner of owners) await this.cacheAccount(await this.ledger.account(owner, period));
  }

  private view(used: number, max: number): Quota {
    const remaining = max === UNLIMITED ? UNLIMITED : Math.max(0, max - used);
    return { used, max, remaining, resetsAt: periodEnd(this.settings.get().quotaPeriod, new Date()) };
  }
}

/** Time before the end of a period in which the node's clock alone does not refuse, ms: it may be slow by that much. */
const CLOCK_SKEW_MS = 60 * 60 * 1000;

interface Demand {
  /** Messages of the period by the node's clock, from a cached account. */
  used: number;
  cost: number;
  max: number;
  quotaPeriod: QuotaPeriod;
}

/**
 * Whether an owner has spent the quota, as a rule without a query. Shortly before the end of the period by the node's clock
 * the period of the database's clock decides: it may have ended.
 * @param usedNow reads the messages of the period by the database's clock
 */
export async function isQuotaSpent(demand: Demand, usedNow: () => Promise<number>): Promise<boolean> {
  const { used, cost, max, quotaPeriod } = demand;
  if (used + cost <= max) return false;
  const end = periodEnd(quotaPeriod, new Date());
  const isNearEnd = end !== null && Date.parse(end) - Date.now() < CLOCK_SKEW_MS;
  return !isNearEnd || (await usedNow()) + cost > max;
}
