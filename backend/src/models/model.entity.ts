import type {
  AccessMode,
  ModelKind,
  ModelParameters,
  ModelPricing,
  ModelValues,
  ReasoningEffort,
} from '@tanya/contract';
import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';

/** Constraint of the unique `model_id`. */
export const UNIQUE_MODEL_ID = 'model_model_id';

/** The fields of `ModelValues` are declared, with what they mean, in `MODEL_FIELDS`. */
@Entity('model')
@Unique(UNIQUE_MODEL_ID, ['modelId'])
@Index('model_one_default', ['isDefault'], { unique: true, where: 'is_default' })
export class ModelEntity implements ModelValues {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: number;

  @Column({ type: 'text' })
  modelId: string;

  @Column({ type: 'text', nullable: true })
  upstreamId: string | null;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', default: 'chat' })
  kind: ModelKind;

  /** Whether no admin or catalogue said the kind. */
  @Column({ type: 'boolean', default: false })
  isKindGuessed: boolean;

  @Column({ type: 'boolean', default: true })
  isEnabled: boolean;

  @Column({ type: 'boolean', default: true })
  isApiEnabled: boolean;

  @Column({ type: 'boolean', default: true })
  isInPicker: boolean;

  @Column({ type: 'boolean', default: false })
  isDefault: boolean;

  @Column({ type: 'text', default: 'everyone' })
  access: AccessMode;

  /** Empty unless `access` is `groups`. The deletion of a group takes it out. */
  @Column({ type: 'integer', array: true, default: '{}' })
  groupIds: number[];

  @Column({ type: 'integer', nullable: true })
  contextLength: number | null;

  @Index('model_connection')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('ProviderConnectionEntity', { name: 'model_connection_fk', onDelete: 'NO ACTION' })
  connectionId: number | null;

  @Column({ type: 'jsonb', nullable: true })
  pricing: ModelPricing | null;

  @Column({ type: 'text', array: true, nullable: true })
  inputModalities: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  outputModalities: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  supportedParameters: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  reasoningEfforts: ReasoningEffort[] | null;

  @Column({ type: 'boolean', nullable: true })
  supportsTools: boolean | null;

  @Column({ type: 'text', nullable: true })
  systemPrompt: string | null;

  @Column({ type: 'jsonb', nullable: true })
  parameters: ModelParameters | null;

  /** One that was deleted stays and is passed over. */
  @Column({ type: 'text', array: true, default: '{}' })
  fallbacks: string[];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
