import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

export type UsageState = 'held' | 'charged' | 'released';

/** The ledger: one row for each hold, with its outcome and reason. A row is deleted only together with its account. */
@Entity('usage_record')
@Index('usage_record_owner', ['owner', 'id'])
export class UsageRecordEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column({ type: 'text' })
  owner: string;

  @Index('usage_record_user')
  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id' })
  user: unknown;

  /** No foreign key, because the record outlives its generation. Null for a charge without one, see `reason`. */
  @Column({ type: 'uuid', nullable: true, unique: true })
  generationId: string | null;

  @Column({ type: 'text' })
  period: string;

  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  @Column({ type: 'integer' })
  cost: number;

  @Column({ type: 'integer', nullable: true })
  promptTokens: number | null;

  @Column({ type: 'integer', nullable: true })
  completionTokens: number | null;

  @Column({ type: 'text' })
  state: UsageState;

  /**
   * A terminal status, `carried` for the charges of a migrated guest, or `reset` for the negative amount with which an
   * admin resets a period.
   */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  settledAt: Date | null;
}
