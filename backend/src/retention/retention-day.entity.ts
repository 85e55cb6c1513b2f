import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the retention deleted on a day, for the one audit entry of that day. */
@Entity('retention_day')
export class RetentionDayEntity {
  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'PK_retention_day' })
  day: string;

  @Column({ type: 'integer', default: 0 })
  threads: number;

  @Column({ type: 'integer', default: 0 })
  messages: number;

  @Column({ type: 'integer', default: 0 })
  files: number;

  @Column({ type: 'bigint', default: 0 })
  bytes: number;

  /** Threads that the audit entry counts. */
  @Column({ type: 'integer', default: 0 })
  auditedThreads: number;

  @Column({ type: 'bigint', nullable: true })
  auditId: number | null;
}
