import { join } from 'node:path';
import type { Fault, HarnessName } from './fault.js';
import { Harness, type HarnessOptions } from './fault-harness.js';
import { PostgresServer } from './postgres-server.js';
import { Round, type RoundOptions } from './round.js';

const LAYOUTS: Record<HarnessName, Pick<HarnessOptions, 'nodes' | 'redis'>> = {
  many: { nodes: 2, redis: true },
  one: { nodes: 1, redis: false },
  fleet: { nodes: 3, redis: true },
};

export interface WorkerOptions extends RoundOptions {
  folder: string;
  dist: string;
  /** The path of nginx, which stands before a fleet. */
  nginx: string | undefined;
}

/** A Postgres and whatever is built on it, for one round after another; workers side by side know nothing of each other. */
export class Worker {
  private readonly harnesses = new Map<HarnessName, Promise<Harness>>();
  private readonly round: Round;

  private constructor(
    private readonly options: WorkerOptions,
    private readonly postgres: PostgresServer,
  ) {
    this.round = new Round((name) => this.harness(name), options);
  }

  static async open(options: WorkerOptions): Promise<Worker> {
    return new Worker(options, await PostgresServer.start(join(options.folder, 'postgres')));
  }

  /** @param isStopped asked in between, so that a run can be broken off and continued */
  run(number: number, faults: Fault[], isStopped: () => boolean): Promise<void> {
    const possible = faults.filter((fault) => !fault.needsSmallDisk || this.postgres.disk.isSmall);
    return this.round.run(number, possible, isStopped);
  }

  async close(): Promise<void> {
    for (const harness of this.harnesses.values()) await (await harness).close();
    await this.postgres.stop();
  }

  private harness(name: HarnessName): Promise<Harness> {
    const { dist, pace, nginx, folder } = this.options;
    const known =
      this.harnesses.get(name) ??
      Harness.open({
        ...LAYOUTS[name],
        nginx: name === 'fleet' ? nginx : undefined,
        name,
        dist,
        postgres: this.postgres,
        timings: pace.timings,
        folder: join(folder, name),
      });
    this.harnesses.set(name, known);
    return known;
  }
}
