import type { Budget, ModelPricing } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { type BudgetedKey, type BudgetedMember, type BudgetSource, BudgetViews } from '../../identity/budget-views.js';
import { type Identity, userOwner } from '../../identity/identity.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Refusals } from '../../platform/rate-limits/refusals.js';
import { SettingsService } from '../../settings/settings.service.js';
import { budgetPeriodEnd } from './budget-period.js';
import { OPEN_BUDGET, RAISE_HOLD, readBudgets, RESET_BUDGET, spentBudget } from './budget-sql.js';
import { type Budgeted, type BudgetTerm, budgetTerms, installationTerm, keyTerm, userTerm } from './budget-terms.js';
import { type ExpectedCall, holdAmount } from './hold-amount.js';

/**
 * Budgets in USD of members, keys and the installation. Postgres decides inside the statement that admits a generation
 * (`HOLD_BUDGETS`), and a trigger settles them with the usage record.
 */
@Injectable()
export class BudgetService implements BudgetSource {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
    private readonly refusals: Refusals,
    views: BudgetViews,
  ) {
    views.register(this);
  }

  /**
   * The terms of a hold for `HOLD_BUDGETS`, as JSON.
   * @returns null for a caller without any budget
   * @throws AppError `price_unknown`, `budget_exceeded`
   */
  async holdTerms(
    spender: Budgeted,
    pricing: ModelPricing | null,
    expected: () => ExpectedCall | Promise<ExpectedCall>,
  ): Promise<string | null> {
    const terms = budgetTerms(spender, this.settings.get());
    if (terms === null) return null;
    return JSON.stringify({ ...terms, amount: holdAmount(await expected(), pricing) });
  }

  /**
   * Raises the hold of a running generation for a further call of the provider, or by an amount in USD.
   * @throws AppError `budget_exceeded`, `price_unknown`
   */
  async raiseHold(
    generationId: string,
    spender: Budgeted,
    pricing: ModelPricing | null,
    by: ExpectedCall | string,
  ): Promise<void> {
    const terms = budgetTerms(spender, this.settings.get());
    if (terms === null) return;
    const amount = typeof by === 'string' ? by : holdAmount(by, pricing);
    try {
      await this.dataSource.query(RAISE_HOLD, [generationId, JSON.stringify({ ...terms, amount })]);
    } catch (error) {
      throw this.exceeded(error) ?? error;
    }
  }

  /** Counts the refusal of a statement by a spent budget. @returns the error for the client; null for any other error */
  exceeded(error: unknown): AppError | null {
    const reason = spentBudget(error);
    if (reason === null) return null;
    this.refusals.count('budget');
    return new AppError('budget_exceeded', { reason, cause: error });
  }

  /** The budget of the calling account; null without one. */
  async ofCaller({ userId, isPremium, budgetUsd = null, budgetPeriod = null }: Identity): Promise<Budget | null> {
    if (userId === null) return null;
    const budgets = await this.ofMembers([{ id: userId, isPremium, budgetUsd, budgetPeriod }]);
    return budgets.get(userId) ?? null;
  }

  async ofMembers(members: readonly BudgetedMember[]): Promise<Map<number, Budget>> {
    const settings = this.settings.get();
    return this.read(members.map((member) => [member.id, userOwner(member.id), userTerm(member, settings)]));
  }

  async ofKeys(keys: readonly BudgetedKey[]): Promise<Map<number, Budget>> {
    return this.read(keys.map(({ id, budgetUsd }) => [id, `key:${id}`, keyTerm(budgetUsd)]));
  }

  async ofInstallation(): Promise<Budget | null> {
    const budgets = await this.read([[0, 'installation', installationTerm(this.settings.get())]]);
    return budgets.get(0) ?? null;
  }

  /**
   * Sets what a member has spent of its budget in the current period to 0, in the caller's transaction.
   * @returns USD that were spent; null without a budget
   */
  async reset(manager: EntityManager, member: BudgetedMember): Promise<string | null> {
    const term = userTerm(member, this.settings.get());
    if (term === undefined) return null;
    const scope = userOwner(member.id);
    await manager.query(OPEN_BUDGET, [scope, term.period]);
    const [row] = await manager.query<{ spent: string }[]>(RESET_BUDGET, [scope, term.period]);
    return row?.spent ?? '0';
  }

  private async read(
    wanted: [id: number, scope: string, term: BudgetTerm | undefined][],
  ): Promise<Map<number, Budget>> {
    const budgets = wanted.flatMap(([id, scope, term]) => (term === undefined ? [] : [{ id, scope, ...term }]));
    if (budgets.length === 0) return new Map();
    const rows = await this.dataSource.query<(Omit<Budget, 'period' | 'resetsAt'> & { scope: string })[]>(
      ...readBudgets({
        scopes: budgets.map(({ scope }) => scope),
        periods: budgets.map(({ period }) => period),
        limits: budgets.map(({ limit }) => limit),
      }),
    );
    const byScope = new Map(rows.map(({ scope, ...amounts }) => [scope, amounts]));
    const now = new Date();
    return new Map(
      budgets.map(({ id, scope, period }) => [
        id,
        { ...byScope.get(scope)!, period, resetsAt: budgetPeriodEnd(period, now) },
      ]),
    );
  }
}
