import { BUILT_IN_TOOL_TEXTS } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { MemoryBudget } from '../../platform/sandbox/memory-budget.js';
import { Sandbox } from '../../platform/sandbox/sandbox.js';
import { defineTool, ToolFailure } from '../define-tool.js';
import type { ToolContext } from '../tool.js';
import { ToolRateLimits } from '../tool-rate-limits.js';
import type { CalculationResult, CalculationTask } from './calculation.js';

const MAX_EXPRESSION = 1_000;

/** An expression that is still computed after it will not end soon, and takes a core from the answers. */
const MAX_CPU_MS = 3_000;

/** Resident memory of one process; the library takes 80 of it. */
export const CALCULATION_MEGABYTES = 192;

/** A process takes half a second of a core to load the library, and a calculation less than a millisecond. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Computes expressions in a sandbox, which bounds their time and memory. Those of one member, or of the guests of one
 * address, run one after another, so that a client leaves a process to the others.
 */
@Injectable()
export class Calculator implements OnApplicationShutdown {
  private readonly sandbox: Sandbox<CalculationTask, CalculationResult>;

  /** The last calculation of each client that runs or waits. */
  private readonly turns = new Map<string, Promise<void>>();

  readonly tool = defineTool<{ expression: string }>({
    name: 'calculate',
    title: BUILT_IN_TOOL_TEXTS.calculate.title,
    description:
      'Computes an arithmetic expression exactly: + - * / ^ % and brackets, functions such as sqrt, log, sin, ' +
      'factorial, combinations, mean and std, constants pi and e, and units, for example "(12.5 - 3) * 2^10", ' +
      '"mean(2, 4, 9)" or "5 km/hour to m/s". Write numbers without thousands separators.',
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string', minLength: 1, maxLength: MAX_EXPRESSION } },
      required: ['expression'],
      additionalProperties: false,
    },
    policy: 'allow',
    run: async ({ expression }, context) => ({ text: await this.run(expression, context) }),
  });

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly limits: ToolRateLimits,
    budget: MemoryBudget,
  ) {
    this.sandbox = new Sandbox({
      worker: new URL('./calculation.worker.js', import.meta.url),
      needs: () => ({ megabytes: CALCULATION_MEGABYTES }),
      budget,
      concurrency: 2,
      queueLimit: 20,
      timeoutMs: 10_000,
      cpuMs: MAX_CPU_MS,
      keepAliveMs: KEEP_ALIVE_MS,
    });
  }

  onApplicationShutdown(): void {
    this.sandbox.close();
  }

  /** @throws ToolFailure, AppError `rate_limited`, the reason of the signal */
  private async run(expression: string, { asker, signal }: ToolContext): Promise<string> {
    await this.limits.consume('calculate', asker);
    const { owner, userId, address } = asker;
    return this.inTurn(userId === null ? `address:${address}` : owner, () => {
      signal.throwIfAborted();
      return this.compute(expression);
    });
  }

  private inTurn<T>(client: string, task: () => Promise<T>): Promise<T> {
    const result = (this.turns.get(client) ?? Promise.resolve()).then(task);
    const turn = result.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(client, turn);
    void turn.then(() => this.turns.get(client) === turn && this.turns.delete(client));
    return result;
  }

  /** @throws ToolFailure */
  private async compute(expression: string): Promise<string> {
    const result = await this.sandbox.run({ expression });
    if ('value' in result) return result.value;
    if ('problem' in result) throw new ToolFailure(result.problem);
    switch (result.failure) {
      case 'exhausted':
        throw new ToolFailure('The expression takes too long or needs too much memory.');
      case 'overloaded':
        throw new ToolFailure('Too many expressions are being computed. Please try again in a moment.');
      case 'crashed':
        this.logger.error({ err: result.reason }, 'calculation process crashed; reporting a failed call');
        throw new ToolFailure('The expression could not be computed.');
    }
  }
}
