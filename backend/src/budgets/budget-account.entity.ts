import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * USD charged and held in one scope and period. Admission decides on this row; the functions of the migration `Budgets`
 * change it. Charged is the cost of the usage records that name the scope and period, plus `carried`.
 */
@Entity('budget_account')
export class BudgetAccountEntity {
  /** `user:12`, `key:5` or `installation`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_budget_account' })
  scope: string;

  /** `ever`, `2026-11-20`, `2026-W47` or `2026-11`. */
  @Index('budget_account_period')
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_budget_account' })
  period: string;

  /** 0 to 15 for the installation, whose sum over all slots counts; otherwise 0. */
  @PrimaryColumn({ type: 'smallint', default: 0, primaryKeyConstraintName: 'PK_budget_account' })
  slot: number;

  @Index('budget_account_user')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { name: 'budget_account_user_fk', onDelete: 'CASCADE' })
  userId: number | null;

  @Index('budget_account_api_key')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('ApiKeyEntity', { name: 'budget_account_api_key_fk', onDelete: 'CASCADE' })
  apiKeyId: number | null;

  @Column({ type: 'numeric', precision: 30, scale: 12, default: 0 })
  charged: string;

  @Column({ type: 'numeric', precision: 30, scale: 12, default: 0 })
  held: string;

  /** The part of `charged` from before the account was opened, minus what resets took back. */
  @Column({ type: 'numeric', precision: 30, scale: 12, default: 0 })
  carried: string;

  @Column({ type: 'bigint', default: 0 })
  version: number;
}
