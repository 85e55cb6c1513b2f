import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { BudgetReader } from '../budgets/budget-reader.js';
import type { BudgetSum } from '../budgets/budget-sql.js';
import { Metrics } from '../platform/observability/metrics.js';
import { Refusals } from '../platform/rate-limits/refusals.js';
import { withTimeout } from '../platform/resilience/with-timeout.js';
import { SettingsService } from '../settings/settings.service.js';

/** For how long the gauges of one scrape, and scrapes of several collectors, share the sums. */
const SUMS_MS = 10_000;

/** A scrape does not wait longer for Postgres. */
const READ_MS = 2_000;

@Injectable()
export class QuotaMetrics {
  private readonly sends: Counter<'plan'>;
  private sums: BudgetSum[] = [];
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;

  constructor(
    metrics: Metrics,
    private readonly refusals: Refusals,
    private readonly budgets: BudgetReader,
    private readonly settings: SettingsService,
  ) {
    this.sends = metrics.counter({
      name: 'tanya_sends_total',
      help: 'Admitted requests for an answer',
      labels: ['plan'],
    });
    metrics.gauges(
      {
        name: 'tanya_budget_spent_usd',
        help: 'USD spent of the budgets in their current periods: of the installation, of members, of keys',
        labels: ['budget'],
      },
      async () => (await this.readSums()).map(({ budget, spent }) => ({ labels: { budget }, value: spent })),
    );
    metrics.gauges(
      {
        name: 'tanya_budget_held_usd',
        help: 'USD that running answers hold of the budgets',
        labels: ['budget'],
      },
      async () => (await this.readSums()).map(({ budget, held }) => ({ labels: { budget }, value: held })),
    );
    metrics.gauges(
      {
        name: 'tanya_budget_limit_usd',
        help: 'The budget of the installation in USD; absent without one',
        labels: ['budget'],
      },
      async () => {
        const { installationBudgetUsd: limit } = this.settings.get();
        return limit === null ? [] : [{ labels: { budget: 'installation' }, value: Number(limit) }];
      },
    );
  }

  admitted(plan: 'guest' | 'free' | 'premium'): void {
    this.sends.inc({ plan });
  }

  refused(): void {
    this.refusals.count('quota');
  }

  /** The sums in the database, those of an earlier scrape while it does not answer. */
  private async readSums(): Promise<BudgetSum[]> {
    if (performance.now() - this.readAt > SUMS_MS) {
      this.reading ??= this.refresh().finally(() => (this.reading = null));
      await withTimeout(READ_MS, this.reading);
    }
    return this.sums;
  }

  private async refresh(): Promise<void> {
    const { installationBudgetUsd, installationBudgetPeriod } = this.settings.get();
    try {
      this.sums = await this.budgets.sums(installationBudgetUsd === null ? null : installationBudgetPeriod);
      this.readAt = performance.now();
    } catch {
      // The node reports by other metrics that Postgres is away.
    }
  }
}
