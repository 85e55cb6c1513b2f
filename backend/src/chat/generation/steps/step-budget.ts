import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { ModelsService } from '../../../models/models.service.js';
import { toAppError } from '../../../platform/errors/error-body.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import { BudgetService } from '../../../quota/budgets/budget.service.js';
import type { GenerationRun } from '../run/generation-run.js';
import type { RunNotices } from '../run/run-notices.js';
import type { Conversation } from './conversation.js';
import { withStorageRetries } from './storage-retries.js';

const SPENT: Parameters<RunNotices['add']> = [
  'The answer ends here, because the budget is spent.',
  [{ code: 'budget_spent' }],
];

/** Raises the hold of an answer in its budgets before each further step. */
@Injectable()
export class StepBudget {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly budgets: BudgetService,
    private readonly models: ModelsService,
  ) {}

  /**
   * Retries while Postgres is unavailable, as the commits of calls do.
   * @returns false when the budget is spent: the answer ends with its text and a notice
   * @throws AppError `budget_exceeded` when the answer has no text yet
   */
  async allows(run: GenerationRun, conversation: Conversation): Promise<boolean> {
    if (!run.spec.isBudgeted) return true;
    try {
      await withStorageRetries(run, this.timings.settleRetry, () => this.raise(run, conversation));
      return true;
    } catch (error) {
      const { code } = toAppError(error);
      if (code === 'budget_exceeded' || code === 'price_unknown') return this.end(run, error);
      throw error;
    }
  }

  private raise({ id, spec }: GenerationRun, conversation: Conversation): Promise<void> {
    return this.budgets.raiseHold(id, spec.spender, spec.pricing, {
      promptTokens: promptTokens(conversation.messages()),
      maxTokens: spec.maxTokens,
      contextLength: this.models.find(spec.modelId)?.contextLength ?? null,
      isImage: false,
    });
  }

  private end(run: GenerationRun, error: unknown): boolean {
    if (run.text === '' && run.parts.count('image') === 0) throw error;
    run.notices.add(...SPENT);
    return false;
  }
}
