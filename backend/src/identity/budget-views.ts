import type { Budget, BudgetPeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';

/** The fields of an account that decide its budget. */
export interface BudgetedMember {
  id: number;
  isPremium: boolean;
  /** null keeps the plan's budget. */
  budgetUsd: string | null;
  budgetPeriod: BudgetPeriod | null;
}

export interface BudgetedKey {
  id: number;
  budgetUsd: string | null;
}

/** Reads budgets with their use in the current period. */
export interface BudgetSource {
  /** By id; members without a budget are absent. */
  ofMembers(members: readonly BudgetedMember[]): Promise<Map<number, Budget>>;
  /** By id; keys without a budget are absent. */
  ofKeys(keys: readonly BudgetedKey[]): Promise<Map<number, Budget>>;
  /** null without one. */
  ofInstallation(): Promise<Budget | null>;
}

/** The budgets for rooms that the room of quotas imports: it registers itself here as the source. */
@Injectable()
export class BudgetViews {
  private source: BudgetSource | null = null;

  register(source: BudgetSource): void {
    this.source = source;
  }

  async ofMembers(members: readonly BudgetedMember[]): Promise<Map<number, Budget>> {
    return (await this.source?.ofMembers(members)) ?? new Map<number, Budget>();
  }

  async ofKeys(keys: readonly BudgetedKey[]): Promise<Map<number, Budget>> {
    return (await this.source?.ofKeys(keys)) ?? new Map<number, Budget>();
  }

  async ofInstallation(): Promise<Budget | null> {
    return (await this.source?.ofInstallation()) ?? null;
  }
}
