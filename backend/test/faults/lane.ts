import { join } from 'node:path';
import type { Fault, GroundName } from './fault.js';
import { Ground, type GroundOptions } from './ground.js';
import { PostgresServer } from './postgres-server.js';
import { Round, type RoundOptions } from './round.js';

const LAYOUTS: Record<GroundName, Pick<GroundOptions, 'nodes' | 'redis'>> = {
  many: { nodes: 2, redis: true },
  one: { nodes: 1, redis: false },
  fleet: { nodes: 3, redis: true },
};

export interface LaneOptions extends RoundOptions {
  folder: string;
  dist: string;
  /** The path of nginx, which stands before a fleet. */
  nginx: string | undefined;
}

/** A Postgres and whatever is built on it, for one round after another; lanes side by side know nothing of each other. */
export class Lane {
  private readonly grounds = new Map<GroundName, Promise<Ground>>();
  private readonly round: Round;

  private constructor(
    private readonly options: LaneOptions,
    private readonly postgres: PostgresServer,
  ) {
    this.round = new Round((name) => this.ground(name), options);
  }

  static async open(options: LaneOptions): Promise<Lane> {
    return new Lane(options, await PostgresServer.start(join(options.folder, 'postgres')));
  }

  /** @param isStopped asked in between, so that a run can be broken off and continued */
  run(number: number, faults: Fault[], isStopped: () => boolean): Promise<void> {
    const possible = faults.filter((fault) => !fault.needsSmallDisk || this.postgres.disk.isSmall);
    return this.round.run(number, possible, isStopped);
  }

  async close(): Promise<void> {
    for (const ground of this.grounds.values()) await (await ground).close();
    await this.postgres.stop();
  }

  private ground(name: GroundName): Promise<Ground> {
    const { dist, pace, nginx, folder } = this.options;
    const known =
      this.grounds.get(name) ??
      Ground.open({
        ...LAYOUTS[name],
        nginx: name === 'fleet' ? nginx : undefined,
        name,
        dist,
        postgres: this.postgres,
        timings: pace.timings,
        folder: join(folder, name),
      });
    this.grounds.set(name, known);
    return known;
  }
}
