import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { boundOf, type Pace } from './pace.js';

const PROGRAM = fileURLToPath(new URL('server-process.mjs', import.meta.url));

/** Time until a process is ready again after a fault, ms. */
const READY_TIMEOUT_MS = 60_000;

/** Attempts to start a process. */
const START_ATTEMPTS = 3;

/**
 * The statements that store a new generation, its end, the calls of tools before they run, the result of a call, an answer
 * that waits for approval, and a decision; and the commit of a transaction.
 */
export const STATEMENTS = {
  admission: 'insert into generation \\(',
  ending: 'update generation g set status',
  calling: 'insert into tool_call',
  called: 'update tool_call set state = \\$7',
  suspending: `update generation set status = 'waiting'`,
  deciding: 'update tool_call\\s+set decision',
  committing: '^COMMIT$',
};

export interface Trap {
  /** A regular expression of the statement. */
  sql: string;
  action: 'die before' | 'die after' | 'lose answer' | 'wait before';
}

export interface NodeOptions {
  name: string;
  /** The built backend. */
  dist: string;
  folder: string;
  env: Record<string, string>;
  pace: Pace;
}

/** Bytes after a garbage collection, CPU seconds since the start, open sockets and timers. */
export interface NodeStats {
  heap: number;
  rss: number;
  cpu: number;
  sockets: number;
  timers: number;
}

type Note = { id?: number; answer?: unknown; ready?: boolean; sprung?: string; backend?: number };

/** One server process that can be stopped, killed, frozen and fault-injected. */
export class ServerNode {
  private child: ChildProcess | null = null;
  private readonly answers = new Map<number, (answer: unknown) => void>();
  private readonly waiting = new Set<(backend: number) => void>();
  private asked = 0;
  /** Unexpected exits, with the last lines of the log. */
  readonly crashes: string[] = [];
  private exit: Promise<void> = Promise.resolve();
  private frozen = false;
  /** A trap that kills the process was triggered. */
  private isDying = false;
  private isExitExpected = true;

  constructor(
    private readonly options: NodeOptions,
    readonly port: number,
  ) {}

  get name(): string {
    return this.options.name;
  }

  get isUp(): boolean {
    return this.child !== null && !this.frozen;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process, with retries as a platform does. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.launch();
      if (this.child !== null) return;
      if (tries === START_ATTEMPTS) throw new Error(`${this.name} did not start: ${this.logTail()}`);
    }
  }

  private async launch(): Promise<void> {
    const { dist, env, pace, folder, name } = this.options;
    const log = openSync(join(folder, `${name}.log`), 'a');
    const child = fork(PROGRAM, {
      execArgv: ['--expose-gc', '--max-old-space-size=1024', ...pace.flags],
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        TANYA_FAULTS_NODE: JSON.stringify({ dist, env: { ...env, PORT: String(this.port) }, timings: pace.timings }),
      },
    });
    closeSync(log);
    this.isDying = false;
    this.exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        if (this.child === child) {
          this.child = null;
          if (!this.isExitExpected)
            this.crashes.push(`${name} exited unexpectedly (${signal ?? code}): ${this.logTail()}`);
        }
        resolve();
      });
    });
    const ready = new Promise<void>((resolve) => child.on('message', (note: Note) => this.onNote(note, resolve)));
    await Promise.race([ready, this.exit]);
    if (child.exitCode !== null || child.signalCode !== null) return;
    this.child = child;
    this.isExitExpected = false;
  }

  /** Sends SIGTERM and waits for the exit. */
  async stop(): Promise<void> {
    if (this.child === null) return;
    this.thaw();
    this.isExitExpected = true;
    this.child.kill('SIGTERM');
    await this.exit;
  }

  async kill(): Promise<void> {
    if (this.child === null) return;
    this.isExitExpected = true;
    this.child.kill('SIGKILL');
    await this.exit;
    this.frozen = false;
  }

  freeze(): void {
    this.frozen = true;
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.frozen = false;
    this.child?.kill('SIGCONT');
  }

  /** Blocks the event loop. */
  block(ms: number): void {
    void this.order('block', { ms });
  }

  setClock(offset: number): Promise<unknown> {
    return this.order('clock', { ms: offset });
  }

  /**
   * Sets a trap at a statement.
   * @returns `sprung` resolves with the id of the Postgres backend when the trap is triggered
   */
  async setTrap(rule: Trap): Promise<{ sprung: Promise<number> }> {
    const sprung = new Promise<number>((resolve) => this.waiting.add(resolve));
    if (rule.action.startsWith('die')) this.isExitExpected = true;
    await this.order('trap', { rule });
    return { sprung };
  }

  /** Releases a statement that a trap holds, and removes a trap that was not triggered. */
  async removeTrap(): Promise<void> {
    this.waiting.clear();
    if (this.isDying) await this.exit;
    if (this.child === null) return;
    await this.order('trap', { rule: null });
    await this.order('release');
    this.isExitExpected = this.child === null;
  }

  async stats(): Promise<NodeStats> {
    return (await this.order('stats')) as NodeStats;
  }

  /** Waits until the readiness probe succeeds. */
  async untilReady(): Promise<void> {
    let last = '';
    for (const deadline = Date.now() + boundOf(READY_TIMEOUT_MS); Date.now() < deadline; await sleep(50)) {
      try {
        const answer = await fetch(`${this.url}/api/health/ready`, { signal: AbortSignal.timeout(5_000) });
        if (answer.status === 200) return;
        last = await answer.text();
      } catch (error) {
        last = String(error);
      }
    }
    this.crashes.push(`${this.name} did not become ready: ${last}; ${this.logTail()}`);
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<void> {
    return this.exit;
  }

  private order(order: string, rest: object = {}): Promise<unknown> {
    const id = (this.asked += 1);
    const answer = new Promise((resolve) => this.answers.set(id, resolve));
    this.child?.send({ id, order, ...rest }, () => undefined);
    return Promise.race([answer, this.exit]);
  }

  private onNote(note: Note, ready: () => void): void {
    if (note.ready) ready();
    if (note.sprung !== undefined) {
      this.isDying = note.sprung.startsWith('die');
      for (const wake of this.waiting) wake(note.backend ?? 0);
      this.waiting.clear();
    }
    if (note.id === undefined) return;
    this.answers.get(note.id)?.(note.answer);
    this.answers.delete(note.id);
  }

  private logTail(): string {
    return readFileSync(join(this.options.folder, `${this.name}.log`), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-6)
      .join(' | ');
  }
}
