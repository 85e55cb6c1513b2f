import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Messages charged and held for one owner in one period. Admission decides on this row. */
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
  @ForeignKey('UserEntity', { onDelete: 'CASCADE' })
  userId: number | null;

  @Column({ type: 'integer', default: 0 })
  charged: number;

  @Column({ type: 'integer', default: 0 })
  held: number;

  /** Grows with every change, so that a delayed counter update never replaces a newer one. */
  @Column({ type: 'bigint', default: 0 })
  version: number;
}
