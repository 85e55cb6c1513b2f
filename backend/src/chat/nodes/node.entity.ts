import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One server process and its last heartbeat by the database's clock. */
@Entity('node')
export class NodeEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  hostname: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  beatAt: Date;

  /** Whether the node opens secrets that are bound to their row. Nodes of earlier versions do not. */
  @Column({ type: 'boolean', default: false })
  opensBoundSecrets: boolean;
}

/** Whether a node runs that cannot open bound secrets: $1 ms after which a node is dead. */
export const OLDER_NODE_RUNS = `
select exists (select from node where not opens_bound_secrets and beat_at > now() - $1 * interval '1 ms') as "runs"`;

/** The time of the newest heartbeat of all nodes. */
export const NEWEST_HEARTBEAT = 'select max(beat_at) from node';
