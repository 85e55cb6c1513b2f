import type { BudgetReader } from '../budgets/budget-reader.js';
import type { BudgetSum } from '../budgets/budget-sql.js';
import { Metrics } from '../platform/observability/metrics.js';
import type { Refusals } from '../platform/rate-limits/refusals.js';
import type { SettingsService } from '../settings/settings.service.js';
import { QuotaMetrics } from './quota-metrics.js';

/** The series of budgets of one scrape after another. */
function scrapesOf(sums: BudgetReader['sums'], installationBudgetUsd: string | null) {
  const metrics = new Metrics();
  const settings = { get: () => ({ installationBudgetUsd, installationBudgetPeriod: 'monthly' }) };
  void new QuotaMetrics(
    metrics,
    {} as Refusals,
    { sums } as unknown as BudgetReader,
    settings as unknown as SettingsService,
  );
  return async () => (await metrics.exposition()).text.split('\n').filter((line) => line.startsWith('tanya_budget_'));
}

it('reports the limit, what is spent and what is held, in one read for a scrape', async () => {
  let reads = 0;
  const scrape = scrapesOf(async () => {
    reads += 1;
    return [{ budget: 'installation', spent: 2.5, held: 0.25 }];
  }, '10');
  expect(await scrape()).toEqual([
    'tanya_budget_spent_usd{budget="installation"} 2.5',
    'tanya_budget_held_usd{budget="installation"} 0.25',
    'tanya_budget_limit_usd{budget="installation"} 10',
  ]);
  expect(reads).toBe(1);
});

it('has no limit without a budget of the installation', async () => {
  const scrape = scrapesOf(async () => [{ budget: 'user', spent: 1, held: 0 }], null);
  expect(await scrape()).toEqual(['tanya_budget_spent_usd{budget="user"} 1', 'tanya_budget_held_usd{budget="user"} 0']);
});

it.each([
  ['fails', () => Promise.reject(new Error('Connection terminated'))],
  ['does not answer', () => new Promise<BudgetSum[]>(() => undefined)],
])('is scraped while Postgres %s', async (_what, sums) => {
  expect(await scrapesOf(sums, '10')()).toEqual(['tanya_budget_limit_usd{budget="installation"} 10']);
});
