import type { Budget, ModelPricing } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import Big from 'big.js';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { type Identity, userOwner } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { Refusals } from '../platform/rate-limits/refusals.js';
import { SettingsService } from '../settings/settings.service.js';
import { type BudgetedMember, BudgetReader } from '../budgets/budget-reader.js';
import { OPEN_BUDGET, RAISE_HOLD, RESET_BUDGET, budgetRefusalOf } from '../budgets/budget-sql.js';
import { type Budgeted, budgetTerms, userTerm } from '../budgets/budget-terms.js';
import { shownUsd } from './cost.js';
import { HOLD_INSTEAD } from './quota-sql.js';
import { type ExpectedCall, holdAmount } from './hold-amount.js';

/**
 * Budgets in USD of members, keys and the installation. Postgres decides inside the statement that admits a generation
 * (`HOLD_BUDGETS`), and the trigger `usage_record_budget` settles them with the usage record.
 */
@Injectable()
export class BudgetService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly settings: SettingsService,
    private readonly refusals: Refusals,
    private readonly reader: BudgetReader,
  ) {}

  isBudgeted(asker: Budgeted): boolean {
    return budgetTerms(asker, this.settings.get()) !== null;
  }

  /**
   * The terms of a hold for `HOLD_BUDGETS`, as JSON.
   * @returns null for a caller without any budget
   * @throws AppError `price_unknown`, `budget_too_small`
   */
  holdTermsJson(asker: Budgeted, pricing: ModelPricing | null, expected: ExpectedCall): string | null {
    const terms = budgetTerms(asker, this.settings.get());
    return terms && JSON.stringify({ ...terms, amount: holdAmount(expected, pricing) });
  }

  /**
   * Raises the hold of a running generation for a further call of the provider, or by an amount in USD.
   * @throws AppError `budget_exceeded`, `budget_too_small`, `price_unknown`
   */
  async raiseHold(
    generationId: string,
    asker: Budgeted,
    pricing: ModelPricing | null,
    by: ExpectedCall | string,
  ): Promise<void> {
    const terms = budgetTerms(asker, this.settings.get());
    if (terms === null) return;
    const amount = typeof by === 'string' ? by : holdAmount(by, pricing);
    try {
      await this.dataSource.query(RAISE_HOLD, [generationId, JSON.stringify({ ...terms, amount })]);
    } catch (error) {
      throw this.exceeded(error) ?? error;
    }
  }

  /**
   * Makes the hold of a running generation cover a call of another model instead of its first one, beside what it has cost.
   * @param spent USD so far, null when unknown
   * @throws AppError as `raiseHold`
   */
  async holdInstead(
    generationId: string,
    asker: Budgeted,
    pricing: ModelPricing | null,
    call: ExpectedCall,
    spent: string | null,
  ): Promise<void> {
    const terms = budgetTerms(asker, this.settings.get());
    if (terms === null) return;
    const amount = new Big(holdAmount(call, pricing)).plus(spent ?? 0).toFixed();
    try {
      await this.dataSource.query(HOLD_INSTEAD, [generationId, JSON.stringify({ ...terms, amount })]);
    } catch (error) {
      throw this.exceeded(error) ?? error;
    }
  }

  /** Counts the refusal of a statement by a budget. @returns the error for the client; null for any other error */
  exceeded(error: unknown): AppError | null {
    const refusal = budgetRefusalOf(error);
    if (refusal === null) return null;
    this.refusals.count('budget');
    const { budget: reason, amount, left, isSpent } = refusal;
    if (Number(left) === 0) return new AppError('budget_exceeded', { reason: isSpent ? reason : 'held', cause: error });
    const params = { mostUsd: shownUsd(amount, 'up'), leftUsd: shownUsd(left, 'down') };
    return new AppError('budget_too_small', { reason, params, cause: error });
  }

  async ofCaller({ userId, isPremium, budgetUsd = null, budgetPeriod = null }: Identity): Promise<Budget | null> {
    if (userId === null) return null;
    const budgets = await this.ofMembers([{ id: userId, isPremium, budgetUsd, budgetPeriod }]);
    return budgets.get(userId) ?? null;
  }

  /** By id; members without a budget are absent. */
  ofMembers(members: readonly BudgetedMember[]): Promise<Map<number, Budget>> {
    return this.reader.ofMembers(members, this.settings.get());
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
}
