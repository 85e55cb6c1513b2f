import pLimit from 'p-limit';
import { type MemoryBudget, MemoryBudgetFull } from './memory-budget.js';
import { type ProcessBounds, type ProcessFailure, type RequestBounds, SandboxProcess } from './sandbox-process.js';

interface SandboxOptions<Task> extends RequestBounds {
  /** URL of the module that runs the tasks, which calls `serveTasks`. */
  worker: URL;
  /** Memory and files of a task; the same for all tasks where processes are kept. */
  needs: (task: Task) => Omit<ProcessBounds, 'module'>;
  budget: MemoryBudget;
  /** Processes at once. */
  concurrency: number;
  queueLimit: number;
  /**
   * Time for which a process waits for further tasks, ms. It ends earlier when another process waits for its memory. Only
   * for tasks that leave no state; all others get a process of their own, which returns all of its memory to the system.
   */
  keepAliveMs?: number;
}

/**
 * - `exhausted`, `crashed`: as of a process.
 * - `overloaded`: the queue is full; the task was not started.
 */
export type SandboxFailure = ProcessFailure | { failure: 'overloaded' };

/**
 * Runs tasks on untrusted input in child processes with bounded time and memory, each process one task at a time. A task
 * can neither block nor crash the server.
 */
export class Sandbox<Task, Result extends object> {
  private readonly processes = new Set<SandboxProcess>();
  /** Processes that wait for a task, with the timer that ends them. */
  private readonly idle = new Map<SandboxProcess, NodeJS.Timeout>();
  private readonly limit;

  constructor(private readonly options: SandboxOptions<Task>) {
    this.limit = pLimit(options.concurrency);
    options.budget.onShortage(() => {
      for (const process of [...this.idle.keys()]) this.end(process);
    });
  }

  async run(task: Task): Promise<Result | SandboxFailure> {
    if (this.limit.activeCount >= this.options.concurrency && this.limit.pendingCount >= this.options.queueLimit)
      return { failure: 'overloaded' };
    return this.limit(() => this.start(task));
  }

  get processCount(): number {
    return this.processes.size;
  }

  close(): void {
    for (const process of this.processes) process.close();
  }

  private async start(task: Task): Promise<Result | SandboxFailure> {
    let process: SandboxProcess;
    try {
      process = this.takeIdle() ?? (await this.fork(task));
    } catch (reason) {
      return reason instanceof MemoryBudgetFull ? { failure: 'overloaded' } : { failure: 'crashed', reason };
    }
    const result = await process.ask<Result>(task, this.options);
    if ('failure' in result || this.options.keepAliveMs === undefined) this.end(process);
    else this.keep(process, this.options.keepAliveMs);
    return result;
  }

  private async fork(task: Task): Promise<SandboxProcess> {
    const { worker, needs, budget } = this.options;
    const process = await SandboxProcess.start({ module: worker, ...needs(task) }, budget);
    this.processes.add(process);
    // A process that ends while it waits for a task needs no report.
    process.onEnd(() => this.end(process));
    return process;
  }

  private keep(process: SandboxProcess, keepAliveMs: number): void {
    this.idle.set(process, setTimeout(() => this.end(process), keepAliveMs).unref());
    process.unref();
  }

  private takeIdle(): SandboxProcess | undefined {
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(process);
      if (!process.isConnected) {
        this.end(process);
        continue;
      }
      process.ref();
      return process;
    }
    return undefined;
  }

  private end(process: SandboxProcess): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
    this.processes.delete(process);
    process.close();
  }
}
