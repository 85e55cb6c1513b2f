import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { Sandbox } from '../../platform/sandbox/sandbox.js';
import { defineTool, ToolFailure } from '../define-tool.js';
import type { CalculationResult, CalculationTask } from './calculation.js';

const MAX_EXPRESSION = 1_000;

/** A process takes half a second of a core to load the library, and a calculation less than a millisecond. */
const KEEP_ALIVE_MS = 60_000;

/** Computes expressions in a sandbox, which bounds their time and memory. */
@Injectable()
export class Calculator implements OnApplicationShutdown {
  private readonly sandbox = new Sandbox<CalculationTask, CalculationResult>({
    worker: new URL('./calculation.worker.js', import.meta.url),
    concurrency: 2,
    queueLimit: 20,
    timeoutMs: 10_000,
    keepAliveMs: KEEP_ALIVE_MS,
  });

  readonly tool = defineTool<{ expression: string }>({
    name: 'calculate',
    title: 'Calculator',
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
    run: async ({ expression }) => ({ text: await this.compute(expression) }),
  });

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  onApplicationShutdown(): void {
    this.sandbox.close();
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
