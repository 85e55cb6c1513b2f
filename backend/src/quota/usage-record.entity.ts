import type { UsageChannel } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { PlanName } from '../identity/identity.js';

export type UsageState = 'held' | 'charged' | 'released';

/** Where a cost comes from. `estimate`: from tokens that were counted here, because the provider reported no usage. */
export type CostSource = 'provider' | 'catalogue' | 'estimate' | 'unknown';

/**
 * The ledger: one row for each hold, with its outcome, reason and cost. Rows are never deleted; a trigger
 * (`usage_record_anonymized` of `functions.sql`) removes every reference to a deleted account and makes the owner `anonymous`.
 */
@Entity('usage_record')
@Index('usage_record_owner', ['owner', 'id'])
// A BRIN index: records settle nearly in their order.
@Index('usage_record_settled', { synchronize: false })
@Index('usage_record_call_held', ['createdAt'], { where: `generation_id is null and state = 'held'` })
export class UsageRecordEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  /** That of a generation; `site` for a call of the site itself, which has no messages; `anonymous`. */
  @Column({ type: 'text' })
  owner: string;

  @Index('usage_record_user')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { onDelete: 'SET NULL' })
  userId: number | null;

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

  /** Part of `promptTokens` that the provider read from its cache. */
  @Column({ type: 'integer', nullable: true })
  cachedTokens: number | null;

  /** Part of `completionTokens`. */
  @Column({ type: 'integer', nullable: true })
  reasoningTokens: number | null;

  /** USD; null while held and when the price is unknown. Recorded for every outcome, because providers bill failures too. */
  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  costUsd: string | null;

  @Column({ type: 'text', nullable: true })
  costSource: CostSource | null;

  /** USD that the generation held in its budgets; null without a budget. Kept after the settlement. */
  @Column({ type: 'numeric', precision: 30, scale: 12, nullable: true })
  heldUsd: string | null;

  /** The period of the user's budget in which the record is held and charged; null without that budget. */
  @Column({ type: 'text', nullable: true })
  userBudgetPeriod: string | null;

  @Column({ type: 'text', nullable: true })
  keyBudgetPeriod: string | null;

  @Column({ type: 'text', nullable: true })
  installationBudgetPeriod: string | null;

  @Column({ type: 'smallint', nullable: true })
  budgetSlot: number | null;

  /** The model that answered, as the provider reports it. */
  @Column({ type: 'text', nullable: true })
  answeringModel: string | null;

  /** The models that failed before the one that answered, each with its part of the cost; null without any. */
  @Column({ type: 'jsonb', nullable: true })
  attempts: object | null;

  /** No foreign key, because the record outlives the key. */
  @Column({ type: 'integer', nullable: true })
  apiKeyId: number | null;

  @Column({ type: 'integer', nullable: true })
  firstTokenMs: number | null;

  @Column({ type: 'integer', nullable: true })
  totalMs: number | null;

  /** The plan at admission; null in records of earlier versions. */
  @Column({ type: 'text', nullable: true })
  plan: PlanName | 'site' | null;

  /** null in records of earlier versions. */
  @Column({ type: 'text', nullable: true })
  channel: UsageChannel | null;

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
