import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cpuMs, residentBytes } from '../system/process-usage.js';
import type { MemoryBudget, Release } from './memory-budget.js';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** URL of a compiled module. Child processes run compiled code; tests import the sources, whose compiled files are in `dist`. */
const compiledModule = (module: URL): URL =>
  import.meta.url.endsWith('.ts') ? new URL(module.href.replace('/backend/src/', '/backend/dist/')) : module;

/**
 * Kills a child process. One that did not start, for example without a free file descriptor, has no id: `kill` would
 * send the signal to the process group of the server.
 */
function killProcess(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill('SIGKILL');
}

const MEGABYTE = 1024 * 1024;

/** Part of a process's memory that V8's heap may take. The rest is for buffers, native memory and Node itself. */
const HEAP_SHARE = 0.7;

const WATCH_INTERVAL_MS = 50;

/** Signals of a process without memory: of the kernel, and of V8 at the limit of its heap. */
const MEMORY_SIGNALS = new Set<NodeJS.Signals>(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL']);

/** The flag of the permission model; it has the second name before Node 22.13. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

export interface ProcessBounds {
  /** URL of the module that the process runs, which calls `serveTasks`. */
  module: URL;
  /** Resident memory, which is taken from the budget. */
  megabytes: number;
  /** Files that it may read and write, beside its code. */
  reads?: readonly string[] | undefined;
  writes?: readonly string[];
  hasAddons?: boolean;
}

export interface RequestBounds {
  /** Wall-clock time; the process is killed after it. */
  timeoutMs: number;
  /** CPU time, ms; the process is killed after it. Unlimited without it, and where the system has no /proc. */
  cpuMs?: number;
}

/**
 * - `exhausted`: the process exceeded its limit of time, CPU time or memory, or was closed.
 * - `crashed`: the process failed for another reason.
 */
export type ProcessFailure = { failure: 'exhausted' } | { failure: 'crashed'; reason: unknown };

/**
 * A child process for untrusted input, with bounded memory and without environment variables. Node's permission model lets
 * it read its code and the files of its task alone, write the named files, and start neither processes nor threads.
 */
export class SandboxProcess {
  /** How the process has ended; undefined while it runs. */
  private end: ProcessFailure | undefined;

  private constructor(
    private readonly child: ChildProcess,
    private readonly maxBytes: number,
  ) {
    child.once('exit', (code, signal) => {
      const isExhausted = signal !== null && MEMORY_SIGNALS.has(signal);
      this.end ??= isExhausted ? { failure: 'exhausted' } : { failure: 'crashed', reason: { code, signal } };
    });
    // A process that did not start emits no exit.
    child.on('error', (reason) => (this.end ??= { failure: 'crashed', reason }));
  }

  /**
   * Starts a process as soon as the budget has room for it. Its share is free again when it has ended.
   * @param signal ends the wait and the process
   * @throws MemoryBudgetFull, the reason of the signal, the error of a process that cannot be started
   */
  static async start(bounds: ProcessBounds, budget: MemoryBudget, signal?: AbortSignal): Promise<SandboxProcess> {
    const release = await budget.reserve(bounds.megabytes, signal);
    try {
      signal?.throwIfAborted();
      const child = fork(fileURLToPath(compiledModule(bounds.module)), {
        env: {},
        execArgv: flagsOf(bounds),
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      releaseAtEnd(child, release);
      const started = new SandboxProcess(child, bounds.megabytes * MEGABYTE);
      const close = () => started.close();
      signal?.addEventListener('abort', close, { once: true });
      child.once('exit', () => signal?.removeEventListener('abort', close));
      return started;
    } catch (error) {
      release();
      throw error;
    }
  }

  get isConnected(): boolean {
    return this.child.connected;
  }

  onEnd(listener: () => void): void {
    this.child.once('exit', listener).once('error', listener);
  }

  /** Neither the process nor its channel keeps the server from ending. */
  unref(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  ref(): void {
    this.child.ref();
    this.child.channel?.ref();
  }

  /** Kills the process. A request that waits for its response fails. */
  close(): void {
    killProcess(this.child);
  }

  /**
   * Sends a request and waits for its response or the end of the process. One request at a time.
   * @returns what it has kept of the response, if it is exhausted before the end of it
   */
  async ask<Response extends object>(request: unknown, bounds: RequestBounds): Promise<Response | ProcessFailure> {
    const timeout = setTimeout(() => this.close(), bounds.timeoutMs);
    const watch = this.watch(bounds.cpuMs ?? Infinity);
    try {
      return await this.responseTo<Response>(request);
    } finally {
      clearTimeout(timeout);
      clearInterval(watch);
    }
  }

  /** Buffers and native memory are outside the limit of the heap, so the server measures the process. */
  private watch(maxCpuMs: number): NodeJS.Timeout | undefined {
    const { pid } = this.child;
    if (pid === undefined) return undefined;
    const before = cpuMs(pid);
    return setInterval(() => {
      if (residentBytes(pid) > this.maxBytes || cpuMs(pid) - before > maxCpuMs) this.close();
    }, WATCH_INTERVAL_MS);
  }

  private async responseTo<Response extends object>(request: unknown): Promise<Response | ProcessFailure> {
    const { child } = this;
    if (this.end !== undefined) return this.end;
    const settled = new AbortController();
    const only = { signal: settled.signal };
    const crashed = (reason: unknown): ProcessFailure => ({ failure: 'crashed', reason });
    let soFar: Response | undefined;
    const respond = async () => {
      for await (const [message] of on(child, 'message', only) as AsyncIterable<[Response | { soFar: Response }]>) {
        if (!('soFar' in message)) return message;
        ({ soFar } = message);
      }
      throw settled.signal.reason;
    };
    const response = respond();
    // An error event rejects.
    const exit = once(child, 'exit', only).then(() =>
      this.end!.failure === 'exhausted' && soFar !== undefined ? soFar : this.end!,
    );
    const first = Promise.race([response, exit]).catch((error: unknown) => this.end ?? crashed(error));
    try {
      if (child.connected) child.send(request as object);
      // A process that did not start emits its error next.
      else if (child.pid !== undefined) return crashed(new Error('The channel to the process is closed'));
      return await first;
    } catch (error) {
      return crashed(error);
    } finally {
      settled.abort();
    }
  }
}

function flagsOf({ module, megabytes, reads = [], writes = [], hasAddons = false }: ProcessBounds): string[] {
  const readable = [...readableCode(), fileURLToPath(compiledModule(module)), ...reads];
  return [
    `--max-old-space-size=${Math.floor(megabytes * HEAP_SHARE)}`,
    PERMISSION,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
    ...(hasAddons ? ['--allow-addons'] : []),
  ];
}

function releaseAtEnd(child: ChildProcess, release: Release): void {
  child.once('exit', release);
  child.on('error', () => child.pid === undefined && release());
  if (child.pid === undefined) return;
  // Where memory is short all the same, the kernel ends this process and not the server. Linux alone has the file.
  writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined);
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Compiled code and packages. Neither `.env` nor DATA_DIR lies below them. */
const CODE = [
  'node_modules',
  'backend/node_modules',
  'backend/dist',
  'backend/package.json',
  'contract/dist',
  'contract/package.json',
];

/**
 * Paths from which a process may load code. Node's loader looks for packages by the name of a link, and reads them where it
 * leads.
 */
const readableCode = (): string[] =>
  CODE.map((path) => join(root, path))
    .filter((path) => existsSync(path))
    .flatMap((path) => [...new Set([path, realpathSync(path)])]);
