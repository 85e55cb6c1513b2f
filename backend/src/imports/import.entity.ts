import type { ImportRemark, ImportSource } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** `undone`: its threads are being deleted; the import is no longer shown. */
export type StoredImportState = 'running' | 'done' | 'failed' | 'undone';

/** Index that allows one running import per account. */
export const ONE_RUNNING_IMPORT = 'import_one_running';

@Entity('import')
@Index(ONE_RUNNING_IMPORT, ['userId'], { unique: true, where: "state = 'running'" })
@Index('import_unfinished', ['heartbeatAt'], { where: "state in ('running', 'undone')" })
export class ImportEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_import' })
  id: string;

  @Index('import_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'FK_import_user', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text', default: 'running' })
  state: StoredImportState;

  @Column({ type: 'text', nullable: true })
  source: ImportSource | null;

  @Column({ type: 'integer', default: 0 })
  imported: number;

  @Column({ type: 'integer', default: 0 })
  skipped: number;

  @Column({ type: 'integer', default: 0 })
  failed: number;

  /** Share of the file that has been read, 0 to 1. */
  @Column({ type: 'real', default: 0 })
  progress: number;

  @Column({ type: 'jsonb', nullable: true })
  error: ImportRemark | null;

  /** The node that reads the file. Only it writes threads, while the state is `running`. */
  @Column({ type: 'uuid' })
  nodeId: string;

  /** By the database's clock. An import without a heartbeat belongs to a dead node. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  heartbeatAt: Date;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
