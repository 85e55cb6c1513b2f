import type { PriceSource } from '@tanya/contract';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * History of the prices of models in USD, per token or unit. A trigger of `model` (`functions.sql`) adds a row with
 * each change of `pricing`. null: unknown.
 */
@Entity('model_price')
@Index('model_price_at', ['modelId', 'validFrom'])
export class ModelPriceEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'PK_model_price' })
  id: number;

  /** No foreign key: the history outlives the model. */
  @Column({ type: 'text' })
  modelId: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  validFrom: Date;

  /** null: unknown. */
  @Column({ type: 'text', nullable: true })
  source: PriceSource | null;

  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  prompt: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  completion: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  cachedPrompt: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  request: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  image: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  search: string | null;
}
