import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '../../platform/observability/logging.js';
import type { MemoryBudget } from '../../platform/sandbox/memory-budget.js';
import type { ProcessBounds } from '../../platform/sandbox/sandbox-process.js';
import { Sandbox } from '../../platform/sandbox/sandbox.js';

const CONCURRENCY = 2;
const QUEUE_LIMIT = 20;

interface ReaderOptions<Task> {
  worker: URL;
  timeoutMs: number;
  /** Resident memory of one process. */
  megabytes: number;
  budget: MemoryBudget;
  /** What a task may reach beside its code. */
  accessOf?: (task: Task) => Pick<ProcessBounds, 'reads' | 'writes' | 'hasAddons'>;
  logger: Logger;
  /** Log line of a crash. */
  crashed: string;
  /** Log fields of a task. */
  fieldsOf?: (task: Task) => object;
}

/**
 * - `overloaded`: too many tasks wait; the input was not read.
 * - `hostile`: the input exhausted the sandbox.
 * - `broken`: the process crashed.
 */
export interface ReaderFailure {
  problem: 'overloaded' | 'hostile' | 'broken';
}

/** Reads untrusted input in a sandbox of its own, so that one kind of hostile input does not delay the others. */
export abstract class SandboxedReader<Task, Result extends object> implements OnApplicationShutdown {
  private readonly sandbox: Sandbox<Task, Result>;

  protected constructor(private readonly options: ReaderOptions<Task>) {
    const { worker, timeoutMs, megabytes, budget, accessOf } = options;
    this.sandbox = new Sandbox<Task, Result>({
      worker,
      timeoutMs,
      needs: (task) => ({ megabytes, ...accessOf?.(task) }),
      budget,
      concurrency: CONCURRENCY,
      queueLimit: QUEUE_LIMIT,
    });
  }

  onApplicationShutdown(): void {
    this.sandbox.close();
  }

  async read(task: Task): Promise<Result | ReaderFailure> {
    const result = await this.sandbox.run(task);
    if (!('failure' in result)) return result;
    switch (result.failure) {
      case 'exhausted':
        return { problem: 'hostile' };
      case 'overloaded':
        return { problem: 'overloaded' };
      case 'crashed': {
        const { logger, crashed, fieldsOf } = this.options;
        logger.error({ err: result.reason, ...fieldsOf?.(task) }, crashed);
        return { problem: 'broken' };
      }
    }
  }
}
