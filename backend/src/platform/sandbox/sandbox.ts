import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { compiledModule } from '../../platform/system/compiled-module.js';
import { OUT_OF_MEMORY, type SandboxRequest } from './sandbox-request.js';

interface SandboxOptions {
  /** URL of the worker module that runs a task and posts one result. */
  worker: URL;
  /** Processes at once. */
  concurrency: number;
  /** Tasks that wait for a process. */
  queueLimit: number;
  /** Wall-clock limit of one task; its process is killed after it. */
  timeoutMs: number;
}

/**
 * - `exhausted`: the task exceeded its time or memory limit.
 * - `crashed`: the process failed for another reason.
 * - `overloaded`: the queue is full; the task was not started.
 */
export type SandboxFailure = { failure: 'exhausted' | 'overloaded' } | { failure: 'crashed'; reason: unknown };

/**
 * Runs tasks on untrusted input, each in its own child process with bounded time and memory. A task can neither block nor
 * crash the server.
 */
export class Sandbox<Task, Result extends object> {
  private readonly processes = new Set<ChildProcess>();
  private readonly limit;

  constructor(private readonly options: SandboxOptions) {
    this.limit = pLimit(options.concurrency);
  }

  async run(task: Task): Promise<Result | SandboxFailure> {
    if (this.limit.activeCount >= this.options.concurrency && this.limit.pendingCount >= this.options.queueLimit)
      return { failure: 'overloaded' };
    return this.limit(() => this.start(task));
  }

  /** Kills the running processes. */
  close(): void {
    for (const child of this.processes) child.kill('SIGKILL');
  }

  private start(task: Task): Promise<Result | SandboxFailure> {
    const entry = fileURLToPath(compiledModule(new URL('./sandbox.process.js', import.meta.url)));
    const child = fork(entry, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.processes.add(child);
    const timeout = setTimeout(() => child.kill('SIGKILL'), this.options.timeoutMs);
    const request: SandboxRequest = { worker: compiledModule(this.options.worker).href, task };
    return new Promise<Result | SandboxFailure>((resolve) => {
      child.once('message', (result) => resolve(result as Result));
      child.on('error', (reason) => resolve({ failure: 'crashed', reason }));
      child.once('exit', (code, signal) => {
        // The kernel's out-of-memory killer sends SIGKILL too.
        const isExhausted = code === OUT_OF_MEMORY || signal === 'SIGKILL';
        resolve(isExhausted ? { failure: 'exhausted' } : { failure: 'crashed', reason: { code, signal } });
      });
      child.send(request);
    }).finally(() => {
      clearTimeout(timeout);
      this.processes.delete(child);
      child.kill('SIGKILL');
    });
  }
}
