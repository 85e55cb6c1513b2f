import type { AccessMode, ModelKind, ModelParameters, ModelPricing, ReasoningEffort } from '@tanya/contract';
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

@Entity('model')
@Unique(UNIQUE_MODEL_ID, ['modelId'])
@Index('model_one_default', ['isDefault'], { unique: true, where: 'is_default' })
export class ModelEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: number;

  @Column({ type: 'text' })
  modelId: string;

  /** The id that the provider knows; null: the public one. */
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

  /** Whether the picker offers it, if it is of a kind for chats. */
  @Column({ type: 'boolean', default: true })
  isInPicker: boolean;

  @Column({ type: 'boolean', default: false })
  isDefault: boolean;

  @Column({ type: 'text', default: 'everyone' })
  access: AccessMode;

  /** Empty unless `access` is `groups`. The deletion of a group takes it out. */
  @Column({ type: 'integer', array: true, default: '{}' })
  groupIds: number[];

  /** Context length in tokens; null when unknown. */
  @Column({ type: 'integer', nullable: true })
  contextLength: number | null;

  /** The connection that answers; null chooses by the configured connections. */
  @Index('model_connection')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('ProviderConnectionEntity', { name: 'model_connection_fk', onDelete: 'NO ACTION' })
  connectionId: number | null;

  /** The columns below come from a provider's catalogue; null when it did not report them. */
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

  /** Set by an admin; null follows `supportedParameters`. */
  @Column({ type: 'boolean', nullable: true })
  supportsTools: boolean | null;

  /** Added to the system prompt of the settings, except for programs. */
  @Column({ type: 'text', nullable: true })
  systemPrompt: string | null;

  /** Of requests that do not give them. */
  @Column({ type: 'jsonb', nullable: true })
  parameters: ModelParameters | null;

  /** Ids of the models that answer instead. One that was deleted stays and is passed over. */
  @Column({ type: 'text', array: true, default: '{}' })
  fallbacks: string[];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
