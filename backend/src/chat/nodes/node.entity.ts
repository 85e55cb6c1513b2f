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
}

/** The time of the newest heartbeat of all nodes. */
export const NEWEST_HEARTBEAT = 'select max(beat_at) from node';
