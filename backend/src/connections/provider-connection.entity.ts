import type { ConnectionAdaptation, ConnectionKind, ErrorCode } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, Unique, UpdateDateColumn } from 'typeorm';
import type { ProviderId } from '../providers/registry.js';

/** Unique index of the names, compared without case. */
export const UNIQUE_NAME = 'provider_connection_name';

export interface StoredFailure {
  code: ErrorCode;
  message: string;
}

/** The changes of requests for one model, and since when. */
export type StoredAdaptation = Omit<ConnectionAdaptation, 'model'>;

/** Address and key of one provider. */
@Entity('provider_connection')
@Unique('provider_connection_built_in', ['builtIn'])
@Index(UNIQUE_NAME, { synchronize: false })
export class ProviderConnectionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_provider_connection' })
  id: number;

  @Column({ type: 'text' })
  kind: ConnectionKind;

  @Column({ type: 'text' })
  name: string;

  /** Null for the public address of the kind. */
  @Column({ type: 'text', nullable: true })
  baseUrl: string | null;

  /** Sealed under APP_SECRET. */
  @Column({ type: 'text', nullable: true })
  apiKeySealed: string | null;

  @Column({ type: 'boolean', default: true })
  enabled: boolean;

  /** Place in the list, from 1. */
  @Column({ type: 'integer' })
  position: number;

  /** Set for the two rows that cannot be deleted. Their key and base URL are also fields of the settings with this prefix. */
  @Column({ type: 'text', nullable: true })
  builtIn: ProviderId | null;

  @Column({ type: 'jsonb', nullable: true })
  lastError: StoredFailure | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastErrorAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSuccessAt: Date | null;

  /** The first failure since the last success; null while it answers. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  /** How requests are changed for its server, by model in the provider's own form. */
  @Column({ type: 'jsonb', default: {} })
  adaptations: Record<string, StoredAdaptation>;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
