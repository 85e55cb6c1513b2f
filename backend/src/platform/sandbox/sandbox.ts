import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { compiledModule } from '../../platform/system/compiled-module.js';
import { killProcess } from './kill-process.js';
import { EXHAUSTED, type SandboxRequest } from './sandbox-request.js';

interface SandboxOptions {
  /** URL of the worker module that runs a task and posts one result. */
  worker: URL;
  /** Processes at once. */
  concurrency: number;
  /** Tasks that wait for a process. */
  queueLimit: number;
  /** Wall-clock limit of one task; its process is killed after it. */
  timeoutMs: number;
  /** CPU time of one task, ms, the load of its worker module included; its process ends after it. Unlimited without it. */
  cpuMs?: number;
  /**
   * Time for which a process waits for further tasks, ms. Only for tasks that leave no state; all others get a process of
   * their own, which returns all of its memory to the system.
   */
  keepAliveMs?: number;
}

/**
 * - `exhausted`: the task exceeded its limit of time, CPU time or memory.
 * - `crashed`: the process failed for another reason.
 * - `overloaded`: the queue is full; the task was not started.
 */
export type SandboxFailure = { failure: 'exhausted' | 'overloaded' } | { failure: 'crashed'; reason: unknown };

/**
 * Runs tasks on untrusted input in child processes with bounded time and memory, each process one task at a time. A task
 * can neither block nor crash the server.
 */
export class Sandbox<Task, Result extends object> {
  private readonly processes = new Set<ChildProcess>();
  /** Processes that wait for a task, with the timer that ends them. */
  private readonly idle = new Map<ChildProcess, NodeJS.Timeout>();
  private readonly limit;

  constructor(private readonly options: SandboxOptions) {
    this.limit = pLimit(options.concurrency);
  }

  async run(task: Task): Promise<Result | SandboxFailure> {
    if (this.limit.activeCount >= this.options.concurrency && this.limit.pendingCount >= this.options.queueLimit)
      return { failure: 'overloaded' };
    return this.limit(() => this.start(task));
  }

  /** Processes that run a task or wait for one. */
  get processCount(): number {
    return this.processes.size;
  }

  /** Kills all processes. */
  close(): void {
    for (const child of this.processes) killProcess(child);
  }

  private async start(task: Task): Promise<Result | SandboxFailure> {
    let child: ChildProcess;
    try {
      child = this.takeIdle() ?? this.fork();
    } catch (reason) {
      return { failure: 'crashed', reason };
    }
    const timeout = setTimeout(() => killProcess(child), this.options.timeoutMs);
    const request: SandboxRequest = {
      worker: compiledModule(this.options.worker).href,
      task,
      cpuMs: this.options.cpuMs,
    };
    const result = await resultOf<Result>(child, request);
    clearTimeout(timeout);
    if ('failure' in result || this.options.keepAliveMs === undefined) this.end(child);
    else this.keep(child, this.options.keepAliveMs);
    return result;
  }

  private fork(): ChildProcess {
    const entry = fileURLToPath(compiledModule(new URL('./sandbox.process.js', import.meta.url)));
    const child = fork(entry, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.processes.add(child);
    // A process that ends while it waits for a task needs no report.
    child.on('error', () => this.end(child)).once('exit', () => this.end(child));
    return child;
  }

  private keep(child: ChildProcess, keepAliveMs: number): void {
    this.idle.set(child, setTimeout(() => this.end(child), keepAliveMs).unref());
    // Neither the process nor its channel keeps the server from ending.
    child.unref();
    child.channel?.unref();
  }

  private takeIdle(): ChildProcess | undefined {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (!child.connected) {
        this.end(child);
        continue;
      }
      child.ref();
      child.channel?.ref();
      return child;
    }
    return undefined;
  }

  private end(child: ChildProcess): void {
    clearTimeout(this.idle.get(child));
    this.idle.delete(child);
    this.processes.delete(child);
    killProcess(child);
  }
}

/** Sends a task to a process and waits for its result or the end of the process. */
async function resultOf<Result extends object>(
  child: ChildProcess,
  request: SandboxRequest,
): Promise<Result | SandboxFailure> {
  const settled = new AbortController();
  const only = { signal: settled.signal };
  const result = once(child, 'message', only).then(([message]) => message as Result);
  // An error event rejects.
  const exit = once(child, 'exit', only).then(([code, signal]: unknown[]): SandboxFailure => {
    // The kernel's out-of-memory killer sends SIGKILL too.
    const isExhausted = code === EXHAUSTED || signal === 'SIGKILL';
    return isExhausted ? { failure: 'exhausted' } : { failure: 'crashed', reason: { code, signal } };
  });
  const crashed = (reason: unknown): SandboxFailure => ({ failure: 'crashed', reason });
  const first = Promise.race([result, exit]).catch(crashed);
  try {
    if (child.connected) child.send(request);
    // A process that did not start emits its error next.
    else if (child.pid !== undefined) return crashed(new Error('The channel to the process is closed'));
    return await first;
  } catch (error) {
    return crashed(error);
  } finally {
    settled.abort();
  }
}
