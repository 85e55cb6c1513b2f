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
