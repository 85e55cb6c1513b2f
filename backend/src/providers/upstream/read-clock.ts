import { performance } from 'node:perf_hooks';
import { Cadence } from './cadence.js';

/** The event-loop utilisation is sampled at this interval. */
const SAMPLE_INTERVAL_MS = 500;

/**
 * The one beat on which all paced upstream sockets are read. While a socket is not read, the kernel's receive buffer joins
 * what arrives; so a stream costs one read, one decode and one emit per beat, whatever its token rate.
 */
export class ReadClock {
  private readonly cadence = new Cadence();
  private readonly due = new Set<() => void>();
  private readonly afterReads = new Set<() => void>();
  private lastSample = performance.eventLoopUtilization();
  private readonly sampler: NodeJS.Timeout;
  private beat: NodeJS.Timeout | null = null;
  private beatPeriod: number | null = null;

  constructor() {
    this.sampler = setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref();
  }

  /** The beat in ms; null while sockets are read as soon as bytes arrive. */
  get period(): number | null {
    return this.cadence.period;
  }

  /** Runs a read at the next beat. @returns false when nothing is paced: the caller reads at once */
  defer(read: () => void): boolean {
    if (this.beat === null) return false;
    this.due.add(read);
    return true;
  }

  /** Removes a deferred read. @returns whether it was due */
  cancel(read: () => void): boolean {
    return this.due.delete(read);
  }

  /** Runs a task after the reads of this turn: at the end of the beat, otherwise in a microtask. Each task runs once. */
  afterRead(task: () => void): void {
    if (this.beat !== null) this.scheduleTask(task);
    else queueMicrotask(task);
  }

  close(): void {
    clearInterval(this.sampler);
    this.stopBeat();
  }

  private scheduleTask(task: () => void): void {
    if (this.afterReads.size === 0) setImmediate(() => this.runTasks());
    this.afterReads.add(task);
  }

  private runTasks(): void {
    const tasks = [...this.afterReads];
    this.afterReads.clear();
    for (const task of tasks) task();
  }

  private readDue(): void {
    const reads = [...this.due];
    this.due.clear();
    for (const read of reads) read();
  }

  private sample(): void {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, this.lastSample);
    this.lastSample = current;
    this.cadence.update(utilization, performance.now());
    if (this.cadence.period === this.beatPeriod) return;
    this.stopBeat();
    this.beatPeriod = this.cadence.period;
    if (this.beatPeriod !== null) this.beat = setInterval(() => this.readDue(), this.beatPeriod).unref();
  }

  private stopBeat(): void {
    if (this.beat !== null) clearInterval(this.beat);
    this.beat = null;
    this.beatPeriod = null;
    this.readDue();
  }
}

/** The clock of this process. */
export const readClock = new ReadClock();
