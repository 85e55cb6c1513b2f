import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** What one owner has spent in one period; the row that decides. */
@Entity('quota_account')
export class QuotaAccountEntity {
  /** `user:12` or `guest:<uuid>`. */
  @PrimaryColumn({ type: 'text' })
  owner: string;

  /** `ever`, `2026-11-20` or `2026-11`. */
  @PrimaryColumn({ type: 'text' })
  period: string;

  @Index('quota_account_user')
  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id' })
  user: unknown;

  @Column({ type: 'integer', default: 0 })
  charged: number;

  @Column({ type: 'integer', default: 0 })
  held: number;

  /** Grows with every change, so that a late copy in Redis never wins. */
  @Column({ type: 'bigint', default: 0 })
  version: number;
}
