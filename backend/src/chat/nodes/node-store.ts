import { hostname } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { statement } from '../../platform/database/named-parameters.js';
import { Statements } from '../../platform/database/statements.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { storeNode } from './node.entity.js';

interface NodeRow {
  hostname: string;
  started_at: Date;
  version: string | null;
}

/** Rows of dead nodes are deleted after this time, in hours. */
const RETENTION_HOURS = 24;

/** Whether a node has beat within the time `:deadMs` after which it is dead, ms. */
const IS_ALIVE = `beat_at >= now() - :deadMs * interval '1 ms'`;

export const LIVE_NODES = `select id from node where ${IS_ALIVE}`;

const selectLive = statement<{ deadMs: number }>(`select hostname, started_at, version from node where ${IS_ALIVE}
order by started_at, id limit 100`);

const findLive = statement<{ nodeId: string; deadMs: number }>(`select 1 from node where id = :nodeId and ${IS_ALIVE}`);

/** The table `node`. Only the database's clock counts, so nodes with skewed clocks agree on which node is dead. */
@Injectable()
export class NodeStore {
  private readonly pendingBeats = new Set<Promise<unknown>>();
  private isRemoved = false;

  constructor(
    private readonly statements: Statements,
    @Inject(RESOURCES) private readonly resources: Resources,
    @Inject(TIMINGS) private readonly timings: Timings,
  ) {}

  /**
   * Stores a heartbeat of this node.
   * @returns false after `remove`, which a heartbeat would undo
   * @throws when Postgres is unavailable
   */
  async beat(): Promise<boolean> {
    if (this.isRemoved) return false;
    const { nodeId: id, version } = this.resources;
    const beat = this.statements.run(...storeNode({ id, hostname: hostname(), version }));
    this.pendingBeats.add(beat);
    try {
      await beat;
    } finally {
      this.pendingBeats.delete(beat);
    }
    return true;
  }

  /** The nodes that are alive, oldest first; at most 100. */
  async alive(): Promise<NodeRow[]> {
    return this.statements.run<NodeRow>(...selectLive({ deadMs: this.timings.nodeDead }));
  }

  async isAlive(nodeId: string): Promise<boolean> {
    return (await this.statements.run(...findLive({ nodeId, deadMs: this.timings.nodeDead }))).length > 0;
  }

  /** Removes this node for good, after its pending heartbeats. */
  async remove(): Promise<void> {
    this.isRemoved = true;
    await Promise.allSettled(this.pendingBeats);
    await this.statements.run('delete from node where id = $1', [this.resources.nodeId]);
  }

  async deleteOldNodes(): Promise<void> {
    await this.statements.run(`delete from node where beat_at < now() - $1 * interval '1 hour'`, [RETENTION_HOURS]);
  }
}
