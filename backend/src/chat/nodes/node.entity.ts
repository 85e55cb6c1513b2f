import { Column, Entity, PrimaryColumn } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';

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

  /** A hash of the server's code; null on nodes of versions that store none. */
  @Column({ type: 'text', nullable: true })
  version: string | null;
}

/**
 * Stores a node, or its heartbeat. It reads the clock: `now()` is the time at which the transaction began, and that of a
 * start may have waited for migrations since.
 */
export const storeNode = statement<{ id: string; hostname: string; version: string }>(`
  insert into node (id, hostname, version, beat_at) values (:id, :hostname, :version, clock_timestamp())
  on conflict (id) do update set beat_at = excluded.beat_at`);

/** Whether a node of another version runs: $1 version, $2 ms after which a node is dead. Reads tables without `version` too. */
export const OTHER_VERSION_RUNS = `
select exists (
  select from node
  where to_jsonb(node) ->> 'version' is distinct from $1 and beat_at > clock_timestamp() - $2 * interval '1 ms'
) as run`;

export const NEWEST_HEARTBEAT = 'select max(beat_at) from node';
