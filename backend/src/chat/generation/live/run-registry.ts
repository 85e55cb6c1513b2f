import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { Bus, topic } from '../../../platform/bus/bus.js';
import { withTimeout } from '../../../platform/resilience/with-timeout.js';
import { GenerationMetrics } from './generation-metrics.js';
import type { GenerationRun } from './generation-run.js';
import { ownerAdopted } from '../../../identity/identity-topics.js';

/** How a generation ends before its answer is complete: by its user, or free of charge, as by a suspension. */
export type ForcedEnd = 'stopped' | 'interrupted';

/** Asks the node that runs a generation to end it. */
export const generationStop = topic<{ generationId: string; status: ForcedEnd }>('generation:stop');

/** Asks a node to flush the log of one of its runs; the node answers with `generation:flushed`. */
export const generationFlush = topic<{ generationId: string; nodeId: string; request: string }>('generation:flush');

/** Answer to `generation:flush` with the same request id. */
export const generationFlushed = topic<{ request: string }>('generation:flushed');

/** After the grace period of a shutdown, aborted runs get this long to store their end. */
const ABORT_TIMEOUT_MS = 5_000;

/** The runs of this node, and the ids of those that are about to begin. A shutdown waits for their ends. */
@Injectable()
export class RunRegistry implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly runs = new Map<string, GenerationRun>();
  /** Ids of answers that are admitted or continued, each with the number of its reservations. */
  private readonly reserved = new Map<string, number>();

  private readonly repeated: { ms: number; work: () => Promise<void>; timer: NodeJS.Timeout | null }[] = [];

  private draining: Promise<void> | null = null;
  private isGraceOver = false;
  /** Called once there is neither a run nor a reservation. */
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly metrics: GenerationMetrics,
    @Inject(TIMINGS) private readonly timings: Timings,
  ) {}

  onModuleInit(): void {
    this.metrics.reportRunning(() => this.runs.size);
    this.bus.subscribe(generationStop, ({ generationId, status }) => this.runs.get(generationId)?.abort(status));
    this.bus.subscribe(ownerAdopted, ({ from, to }) => {
      for (const run of this.runs.values()) if (run.owner === from) run.owner = to;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
  }

  onApplicationShutdown(): void {
    this.stopRepeating();
  }

  /** Repeats work while this node has runs, so that an idle server does nothing. `work` does not reject. */
  repeatWhileRunning(ms: number, work: () => Promise<void>): void {
    this.repeated.push({ ms, work, timer: null });
  }

  /** Admits no further run; running ones may end within the grace period, the rest is interrupted with its text. */
  drain(): Promise<void> {
    this.draining ??= this.endAll();
    return this.draining;
  }

  get isDraining(): boolean {
    return this.draining !== null;
  }

  /**
   * Keeps the reaper from taking a row for an orphan whose run has not started yet.
   * @returns declared with `using`, it ends with the block; the id may be reserved by others, too
   */
  reserve(generationId: string): Disposable {
    this.reserved.set(generationId, (this.reserved.get(generationId) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const left = this.reserved.get(generationId)! - 1;
        if (left > 0) this.reserved.set(generationId, left);
        else this.reserved.delete(generationId);
        this.noteIdle();
      },
    };
  }

  /** Whether an id has one reservation and no run. */
  isReservedOnce(generationId: string): boolean {
    return this.reserved.get(generationId) === 1 && !this.runs.has(generationId);
  }

  add(run: GenerationRun): void {
    this.runs.set(run.id, run);
    if (this.isGraceOver) run.abort('shutdown');
    for (const each of this.repeated) each.timer ??= setInterval(() => this.repeat(each.work), each.ms);
  }

  /** Another run of the same answer stays: the calls of this one may have been decided before it ended. */
  remove(run: GenerationRun): void {
    if (this.runs.get(run.id) === run) this.runs.delete(run.id);
    this.noteIdle();
  }

  find(generationId: string): GenerationRun | undefined {
    return this.runs.get(generationId);
  }

  get all(): GenerationRun[] {
    return [...this.runs.values()];
  }

  get ids(): string[] {
    return [...this.runs.keys(), ...this.reserved.keys()];
  }

  private repeat(work: () => Promise<void>): void {
    if (this.runs.size > 0) void work();
    else this.stopRepeating();
  }

  private stopRepeating(): void {
    for (const each of this.repeated) {
      if (each.timer !== null) clearInterval(each.timer);
      each.timer = null;
    }
  }

  private async endAll(): Promise<void> {
    await withTimeout(this.timings.shutdownGrace, this.idle());
    this.isGraceOver = true;
    for (const run of this.runs.values()) run.abort('shutdown');
    await withTimeout(ABORT_TIMEOUT_MS, this.idle());
  }

  /** Resolves when no run is left, and none is about to begin. */
  private idle(): Promise<void> {
    return new Promise((resolve) => {
      this.whenIdle.push(resolve);
      this.noteIdle();
    });
  }

  private noteIdle(): void {
    if (this.runs.size + this.reserved.size > 0) return;
    for (const resolve of this.whenIdle.splice(0)) resolve();
  }
}
