import type { Asker } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { ProviderMessage } from '../../../providers/provider.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import type { BudgetService } from '../../../quota/budget.service.js';
import type { Hosting, Tool } from '../../../tools/tool.js';
import type { MessageRun } from '../live/generation-run.js';
import { type RunServices, retryStorage } from './run-services.js';

type Services = Pick<RunServices, 'timings' | 'budgets' | 'providers'>;

/** Raises the hold of one answer in its budgets before each further step, and for tools that the provider bills. */
export class StepBudget {
  constructor(
    private readonly run: MessageRun,
    private readonly services: Services,
  ) {}

  /**
   * @param messages of the further step
   * @returns false when the budget does not cover it: the answer ends with its text and a notice
   * @throws AppError `budget_exceeded`, `budget_too_small` when the answer has no text yet
   */
  async allowsStep(messages: () => readonly ProviderMessage[]): Promise<boolean> {
    const { run } = this;
    const { parameters, contextLength } = run.model;
    const refusal = await this.raiseHold(() => ({
      promptTokens: promptTokens(messages()),
      maxTokens: parameters.maxTokens,
      contextLength,
    }));
    if (refusal === null) return true;
    if (run.text === '' && run.parts.count('image') === 0) throw refusal;
    run.notices.add({ code: 'budget_spent' });
    return false;
  }

  /**
   * The tools to offer in a step. One whose limit is used up or that the budget does not cover is left out. Each offered tool
   * counts once and raises the hold once, so a repeated request of the step takes the same tools.
   * @throws AppError, or the abort reason of the run
   */
  async offerable(tools: readonly Tool[]): Promise<Tool[]> {
    const offerable: Tool[] = [];
    for (const tool of tools) if (tool.hosted === undefined || (await this.admits(tool.hosted))) offerable.push(tool);
    return offerable;
  }

  /**
   * @returns false when the budget does not cover a request with the tool: the answer has a notice, unless another step
   *   offers the search
   */
  async covers({ price }: Hosting): Promise<boolean> {
    const { run } = this;
    const refusal = await this.raiseHold(() => price(run.model.pricing));
    if (refusal === null) run.notices.remove('search_unaffordable');
    else if (!run.isSearchOffered) run.notices.add({ code: 'search_unaffordable' });
    return refusal === null;
  }

  private async admits(hosted: Hosting): Promise<boolean> {
    const { run } = this;
    run.controller.signal.throwIfAborted();
    const { asker } = run;
    if (!(await isWithinLimit(hosted, asker))) return false;
    if (!(await this.covers(hosted))) {
      await hosted.refund(asker);
      return false;
    }
    run.isSearchOffered = true;
    return true;
  }

  /**
   * Retries while Postgres is unavailable, as the commits of calls do.
   * @param by called for an answer with a budget
   * @returns the refusal of a budget; null without one
   */
  private async raiseHold(by: () => Parameters<BudgetService['raiseHold']>[3]): Promise<AppError | null> {
    const { id, spec, model } = this.run;
    if (!spec.isBudgeted) return null;
    const amount = by();
    const raise = () => this.services.budgets.raiseHold(id, spec.asker, model.pricing, amount);
    try {
      await retryStorage(this.run, this.services, raise);
      return null;
    } catch (error) {
      if (error instanceof AppError && ['budget_exceeded', 'budget_too_small', 'price_unknown'].includes(error.code))
        return error;
      throw error;
    }
  }
}

async function isWithinLimit(hosted: Hosting, asker: Asker): Promise<boolean> {
  try {
    await hosted.consume(asker);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}
