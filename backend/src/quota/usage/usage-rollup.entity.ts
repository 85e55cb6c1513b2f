import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The grouping of the rows of one grain: `model` by day, model, plan and channel; `owner` by day and owner; `month` by
 * month and owner; `full` by everything but the bucket; `key` by day and API key; `latency` by day and bucket.
 */
export type RollupGrain = 'model' | 'owner' | 'month' | 'full' | 'key' | 'latency';

const KEY = { primaryKeyConstraintName: 'PK_usage_rollup' };

/**
 * Sums of the usage records by UTC day. Columns that a grain does not group by are empty. `npm run usage:rebuild` computes
 * the table again from the ledger.
 */
@Entity('usage_rollup')
@Index('usage_rollup_model', ['modelId', 'day'], { where: `grain = 'full'` })
@Index('usage_rollup_key', ['apiKeyId', 'day'], { where: `grain = 'full' and api_key_id <> ''` })
@Index('usage_rollup_owner', ['owner', 'grain', 'day'], { where: `owner <> ''` })
export class UsageRollupEntity {
  @PrimaryColumn({ type: 'text', ...KEY })
  grain: RollupGrain;

  /** The day of the settlement, or the first day of its month. */
  @PrimaryColumn({ type: 'date', ...KEY })
  day: string;

  @PrimaryColumn({ type: 'text', default: '', ...KEY })
  owner: string;

  @PrimaryColumn({ type: 'text', default: '', ...KEY })
  modelId: string;

  @PrimaryColumn({ type: 'text', default: '', ...KEY })
  plan: string;

  @PrimaryColumn({ type: 'text', default: '', ...KEY })
  channel: string;

  @PrimaryColumn({ type: 'text', default: '', ...KEY })
  apiKeyId: string;

  /** Time to the first token, see `latencyBucket`. */
  @PrimaryColumn({ type: 'smallint', default: 0, ...KEY })
  bucket: number;

  @Column({ type: 'bigint', default: 0 })
  generations: number;

  @Column({ type: 'bigint', default: 0 })
  messages: number;

  /** Generations that ended with an error or an interruption. */
  @Column({ type: 'bigint', default: 0 })
  failures: number;

  @Column({ type: 'bigint', default: 0 })
  unpriced: number;

  @Column({ type: 'bigint', default: 0 })
  promptTokens: number;

  @Column({ type: 'bigint', default: 0 })
  completionTokens: number;

  @Column({ type: 'bigint', default: 0 })
  cachedTokens: number;

  @Column({ type: 'bigint', default: 0 })
  reasoningTokens: number;

  @Column({ type: 'numeric', precision: 30, scale: 12, default: 0 })
  costUsd: string;
}
