import { performance } from 'node:perf_hooks';
import { Cadence } from './cadence.js';

/** Sockets are spread over this number of slots of the beat, so that no turn of the event loop reads them all. */
const SLOTS = 8;

/** The load is sampled at this interval. */
const SAMPLE_INTERVAL_MS = 500;

/**
 * The beat on which all paced upstream sockets are read, each in its slot. While a socket is not read, the kernel's receive buffer joins
 * what arrives; so a stream costs one read, one decode and one emit per beat, whatever its token rate.
 */
export class ReadClock {
  private readonly cadence = new Cadence();
  private readonly due = Array.from({ length: SLOTS }, () => new Set<() => void>());
  private currentSlot = 0;
  private lastAssigned = 0;
  private readonly afterReads = new Set<() => void>();
  private lastLoop = performance.eventLoopUtilization();
  private lastCpu = process.cpuUsage();
  private lastSampleAt = performance.now();
  private reads = 0;
  private joined = 0;
  /** Runs while answers are read. */
  private sampler: NodeJS.Timeout | null = null;
  private beat: NodeJS.Timeout | null = null;
  private beatPeriod: number | null = null;

  /** @param samplesLoad false: nothing is ever paced */
  constructor(private readonly samplesLoad = true) {}

  /** The beat in ms; null while sockets are read as soon as bytes arrive. */
  get period(): number | null {
    return this.cadence.period;
  }

  /** Assigns a slot of the beat to the next socket. */
  assignSlot(): number {
    this.lastAssigned = (this.lastAssigned + 1) % SLOTS;
    return this.lastAssigned;
  }

  /** Runs a read at the next beat, in its slot. @returns false when nothing is paced: the caller reads at once */
  defer(read: () => void, slot: number): boolean {
    if (this.beat === null) return false;
    this.due[slot]!.add(read);
    return true;
  }

  /** Removes a deferred read. @returns whether it was due */
  cancel(read: () => void, slot: number): boolean {
    return this.due[slot]!.delete(read);
  }

  /** Runs a task after the reads of this turn: at the end of the slot, otherwise in a microtask. Each task runs once and does not throw. */
  afterRead(task: () => void): void {
    this.reads += 1;
    if (this.samplesLoad) this.sampler ??= setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref();
    if (this.beat !== null) this.scheduleTask(task);
    // `queueMicrotask` wraps each task in a resource for `async_hooks`: 30 calls of functions.
    else void Promise.resolve().then(task);
  }

  /** Counts a piece that arrived together with an earlier one of the same read. */
  countJoined(): void {
    this.joined += 1;
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

  private readSlot(): void {
    this.currentSlot = (this.currentSlot + 1) % SLOTS;
    this.readDue(this.due[this.currentSlot]!);
  }

  private readDue(due: Set<() => void>): void {
    const reads = [...due];
    due.clear();
    for (const read of reads) read();
  }

  private sample(): void {
    if (this.reads === 0 && this.beat === null) {
      clearInterval(this.sampler!);
      this.sampler = null;
      return;
    }
    const now = performance.now();
    const seconds = (now - this.lastSampleAt) / 1_000;
    this.lastSampleAt = now;
    const load = {
      utilisation: this.utilisation(seconds),
      reads: this.reads / seconds,
      joined: this.joined / seconds,
    };
    this.reads = 0;
    this.joined = 0;
    this.cadence.update(load, now);
    if (this.cadence.period === this.beatPeriod) return;
    this.stopBeat();
    this.beatPeriod = this.cadence.period;
    if (this.beatPeriod !== null) this.beat = setInterval(() => this.readSlot(), this.beatPeriod / SLOTS).unref();
  }

  /**
   * The lower of two measures, since each is too high at times: the utilisation of the event loop counts the wait before
   * each event of a socket that is not read as work (libuv restarts its clock there; 0.43 instead of 0.15 at 20 × 50 tokens
   * a second), and the CPU time of the process includes the helper threads of V8.
   */
  private utilisation(seconds: number): number {
    const loop = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(loop, this.lastLoop);
    this.lastLoop = loop;
    const { user, system } = process.cpuUsage(this.lastCpu);
    this.lastCpu = process.cpuUsage();
    return Math.min(utilization, (user + system) / 1e6 / seconds);
  }

  private stopBeat(): void {
    if (this.beat !== null) clearInterval(this.beat);
    this.beat = null;
    this.beatPeriod = null;
    for (const due of this.due) this.readDue(due);
  }
}

export const readClock = new ReadClock();
