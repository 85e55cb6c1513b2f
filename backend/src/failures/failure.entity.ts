import type { ErrorCode, Failure } from '@tanya/contract';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

/** An answer or a request that failed. The indexes serve the list of admins, which is filtered by them, newest first. */
@Entity('failure')
@Index('failure_time', ['createdAt', 'id'])
@Index('failure_code', ['code', 'createdAt', 'id'])
@Index('failure_model', ['modelId', 'createdAt', 'id'])
@Index('failure_connection', ['connectionId', 'createdAt', 'id'])
@Index('failure_user', ['userId', 'createdAt', 'id'])
export class FailureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'PK_failure' })
  id: number;

  /** When it failed, in whole milliseconds. It may be written later. */
  @Column({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text' })
  code: ErrorCode;

  @Column({ type: 'integer' })
  status: number;

  @Column({ type: 'jsonb', nullable: true })
  provider: Failure['provider'];

  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  @Column({ type: 'integer', nullable: true })
  connectionId: number | null;

  /** The name at the time, which outlives the connection. */
  @Column({ type: 'text', nullable: true })
  connectionName: string | null;

  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'failure_user_fk' })
  user?: { id: number; username: string } | null;

  /** Outlives the key. */
  @Column({ type: 'integer', nullable: true })
  apiKeyId: number | null;

  @ManyToOne('ApiKeyEntity', { createForeignKeyConstraints: false, nullable: true })
  @JoinColumn({ name: 'api_key_id' })
  apiKey?: { id: number; name: string } | null;

  @Index('failure_generation')
  @Column({ type: 'uuid', nullable: true })
  generationId: string | null;

  @Index('failure_request')
  @Column({ type: 'text', nullable: true })
  requestId: string | null;
}
