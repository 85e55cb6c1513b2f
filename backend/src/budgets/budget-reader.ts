import type { Budget, BudgetPeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { userOwner } from '../identity/identity.js';
import {
  budgetPeriodEnd,
  type BudgetSettings,
  type BudgetTerm,
  installationTerm,
  keyTerm,
  userTerm,
} from './budget-terms.js';
import { BUDGET_SUMS, type BudgetSum, readBudgets } from './budget-sql.js';

/** The fields of an account that decide its budget. */
export interface BudgetedMember {
  id: number;
  isPremium: boolean;
  /** null keeps the plan's budget. */
  budgetUsd: string | null;
  budgetPeriod: BudgetPeriod | null;
}

interface BudgetedKey {
  id: number;
  budgetUsd: string | null;
}

/** Budgets with their use in the current period. */
@Injectable()
export class BudgetReader {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By id; members without a budget are absent. */
  async ofMembers(members: readonly BudgetedMember[], settings: BudgetSettings): Promise<Map<number, Budget>> {
    return this.read(members.map((member) => [member.id, userOwner(member.id), userTerm(member, settings)]));
  }

  /** By id; keys without a budget are absent. */
  async ofKeys(keys: readonly BudgetedKey[]): Promise<Map<number, Budget>> {
    return this.read(keys.map(({ id, budgetUsd }) => [id, `key:${id}`, keyTerm(budgetUsd)]));
  }

  /** null without one. */
  async ofInstallation(settings: BudgetSettings): Promise<Budget | null> {
    const budgets = await this.read([[0, 'installation', installationTerm(settings)]]);
    return budgets.get(0) ?? null;
  }

  /**
   * USD charged and held in the current periods, for the metrics; budgets of all periods that are current add up.
   * @param installation the period of the installation's budget, null without one
   */
  sums(installation: BudgetPeriod | null): Promise<BudgetSum[]> {
    return this.dataSource.query<BudgetSum[]>(BUDGET_SUMS, [installation]);
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
