import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One running server process and its last sign of life, by the database's clock. */
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
