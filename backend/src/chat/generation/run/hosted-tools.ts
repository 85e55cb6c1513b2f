import { Injectable } from '@nestjs/common';
import type { Identity } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import type { HostedTool, Tool } from '../../../tools/tool.js';
import type { GenerationRun } from '../live/generation-run.js';
import { askerOf } from './call-context.js';
import { StepBudget } from './step-budget.js';

/** Decides which tools that a provider runs are offered in a step. */
@Injectable()
export class HostedTools {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly budget: StepBudget,
  ) {}

  /**
   * The tools of a step. A tool that another provider would run is left out, and so is one whose limit is used up or that
   * the budget does not cover. Each offered tool counts once and raises the hold once, so a repeated request of the step
   * takes the same tools.
   * @throws AppError, or the abort reason of the run
   */
  async admitted(run: GenerationRun, tools: readonly Tool[]): Promise<Tool[]> {
    const admitted: Tool[] = [];
    for (const tool of tools)
      if (tool.hosted === undefined || (await this.isAdmitted(run, tool.hosted))) admitted.push(tool);
    return admitted;
  }

  private async isAdmitted(run: GenerationRun, hosted: HostedTool): Promise<boolean> {
    const { modelId, connectionId } = run.spec;
    run.controller.signal.throwIfAborted();
    if (hosted.provider !== this.providers.forChat(modelId, connectionId).provider.name) return false;
    const asker = askerOf(run);
    if (!(await isWithinLimit(hosted, asker))) return false;
    if (!(await this.budget.covers(run, hosted))) {
      await hosted.refund(asker);
      return false;
    }
    run.isSearchOffered = true;
    return true;
  }
}

async function isWithinLimit(hosted: HostedTool, asker: Identity): Promise<boolean> {
  try {
    await hosted.consume(asker);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}
