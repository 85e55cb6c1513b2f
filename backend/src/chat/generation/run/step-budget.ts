import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { ModelsService } from '../../../models/models.service.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { ProviderMessage } from '../../../providers/provider.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import { BudgetService } from '../../../quota/budgets/budget.service.js';
import type { HostedTool } from '../../../tools/tool.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { GenerationRun } from '../live/generation-run.js';

/** Raises the hold of an answer in its budgets before each further step, and for tools that the provider bills. */
@Injectable()
export class StepBudget {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly budgets: BudgetService,
    private readonly models: ModelsService,
  ) {}

  /**
   * @param messages of the further step
   * @returns false when the budget is spent: the answer ends with its text and a notice
   * @throws AppError `budget_exceeded` when the answer has no text yet
   */
  async allows(run: GenerationRun, messages: () => readonly ProviderMessage[]): Promise<boolean> {
    const { modelId, maxTokens } = run.spec;
    const refusal = await this.raise(run, () => ({
      ...{ promptTokens: promptTokens(messages()), maxTokens, isImage: false },
      contextLength: this.models.find(modelId)?.contextLength ?? null,
    }));
    if (refusal === null) return true;
    if (run.text === '' && run.parts.count('image') === 0) throw refusal;
    run.notices.add({ code: 'budget_spent' });
    return false;
  }

  /**
   * @returns false when the budget does not cover a request with the tool: the answer has a notice, unless another step
   *   offers the search
   */
  async covers(run: GenerationRun, { price }: HostedTool): Promise<boolean> {
    const refusal = await this.raise(run, () => price(run.spec.pricing));
    if (refusal === null) run.notices.remove('search_unaffordable');
    else if (!run.isSearchOffered) run.notices.add({ code: 'search_unaffordable' });
    return refusal === null;
  }

  /**
   * Retries while Postgres is unavailable, as the commits of calls do.
   * @param by called for an answer with a budget
   * @returns the refusal of a budget; null without one
   */
  private async raise(
    run: GenerationRun,
    by: () => Parameters<BudgetService['raiseHold']>[3],
  ): Promise<AppError | null> {
    const { id, spec } = run;
    if (!spec.isBudgeted) return null;
    const amount = by();
    const raise = () => this.budgets.raiseHold(id, spec.spender, spec.pricing, amount);
    try {
      await retryWhileStorageIsAway(raise, { timeoutMs: this.timings.settleRetry, signal: run.controller.signal });
      return null;
    } catch (error) {
      if (error instanceof AppError && ['budget_exceeded', 'price_unknown'].includes(error.code)) return error;
      throw error;
    }
  }
}
