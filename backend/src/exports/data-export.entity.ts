import type { DataExportState } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const ONE_RUNNING_EXPORT = 'data_export_running';

/** An export of everything of an account. The file store has its archive under the same id, for a day. */
@Entity('data_export')
@Index(ONE_RUNNING_EXPORT, ['userId'], { unique: true, where: "state = 'running'" })
export class DataExportEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_data_export' })
  id: string;

  @Index('data_export_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'FK_data_export_user', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text', default: 'running' })
  state: DataExportState;

  /** Share of the threads and files that is written, 0 to 1. */
  @Column({ type: 'real', default: 0 })
  progress: number;

  /** Size of the archive; so far while it is written. */
  @Column({ type: 'bigint', default: 0 })
  bytes: number;

  /** By the database's clock. An export without a heartbeat belongs to a dead node. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  heartbeatAt: Date;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
