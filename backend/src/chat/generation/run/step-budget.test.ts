import { AppError } from '../../../platform/errors/app-error.js';
import type { Hosting } from '../../../tools/tool.js';
import { type MessageRun, RunNotices } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';
import { StepBudget } from './step-budget.js';

const SEARCH = { price: () => '0.01' } as unknown as Hosting;

/** A run whose budget covers a search or not, step by step. @returns the codes of its notices after the steps */
async function noticesAfter(...steps: boolean[]): Promise<string[]> {
  const run = {
    id: 'run',
    spec: { isBudgeted: true, asker: {} },
    model: { pricing: null },
    controller: new AbortController(),
    notices: new RunNotices(),
    isSearchOffered: false,
  };
  for (const isCovered of steps) {
    const raiseHold = () => (isCovered ? Promise.resolve() : Promise.reject(new AppError('budget_exceeded')));
    const services = { timings: { settleRetry: 0 }, budgets: { raiseHold } } as unknown as RunServices;
    const budget = new StepBudget(run as unknown as MessageRun, services);
    if (await budget.covers(SEARCH)) run.isSearchOffered = true;
  }
  return run.notices.all.map(({ code }) => code);
}

it.each([
  ['no step', [false, false], ['search_unaffordable']],
  ['a later step', [false, true], []],
  ['an earlier step', [true, false], []],
  ['every step', [true, true], []],
])('has a notice of the missing search unless it covers one: %s', async (_case, steps, codes) => {
  expect(await noticesAfter(...steps)).toEqual(codes);
});
