import { join } from 'node:path';
import type { Fault, HarnessName } from './fault.js';
import { FaultHarness, type HarnessOptions } from './fault-harness.js';
import { PostgresServer } from './postgres-server.js';
import { Round, type RoundOptions } from './round.js';

const LAYOUTS: Record<HarnessName, Pick<HarnessOptions, 'nodes' | 'redis' | 'isFleet'>> = {
  many: { nodes: 2, redis: true, isFleet: false },
  one: { nodes: 1, redis: false, isFleet: false },
  fleet: { nodes: 5, redis: false, isFleet: true },
};

export interface WorkerOptions extends RoundOptions {
  folder: string;
  dist: string;
  /** Path of nginx, which balances a fleet; without it the proxy of the harness does. */
  nginx: string | undefined;
  /** Number of nodes and of accounts of a fleet; five nodes by default. */
  fleetSize?: Pick<HarnessOptions, 'nodes' | 'members'>;
}

/** Runs rounds one after another on a Postgres of its own. Workers share nothing. */
export class Worker {
  private readonly harnesses = new Map<HarnessName, Promise<FaultHarness>>();
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

  /** @param isStopped checked between faults, so that a run can be interrupted and resumed */
  run(number: number, faults: Fault[], isStopped: () => boolean): Promise<void> {
    const possible = faults.filter((fault) => !fault.needsSmallDisk || this.postgres.disk.isSmall);
    return this.round.run(number, possible, isStopped);
  }

  async close(): Promise<void> {
    // Harnesses that did not start have nothing to close.
    const opened = await Promise.allSettled(this.harnesses.values());
    for (const harness of opened) if (harness.status === 'fulfilled') await harness.value.close();
    await this.postgres.stop();
  }

  private harness(name: HarnessName): Promise<FaultHarness> {
    const { dist, pace, nginx, folder, fleetSize } = this.options;
    const layout = LAYOUTS[name];
    const known =
      this.harnesses.get(name) ??
      FaultHarness.open({
        ...layout,
        ...(layout.isFleet ? { nginx, ...fleetSize } : {}),
        name,
        dist,
        postgres: this.postgres,
        pace,
        folder: join(folder, name),
      });
    this.harnesses.set(name, known);
    return known;
  }
}
