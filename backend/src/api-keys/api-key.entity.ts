import type { KeyBounds, KeyScope } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { USD_COLUMN } from '../platform/database/usd-column.js';

@Entity('api_key')
@Unique('api_key_hash', ['keyHash'])
@Index('api_key_readable', ['userId'], { unique: true, where: 'is_readable' })
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_api_key' })
  id: number;

  @Index('api_key_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'api_key_user_fk', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text' })
  name: string;

  /** SHA-256 of the key, hex. */
  @Column({ type: 'text' })
  keyHash: string;

  /** The last four characters of the key; null for the readable key. */
  @Column({ type: 'text', nullable: true })
  hint: string | null;

  /** Whether this is the one key that the owner can read again. Only admins limit it, and it is not in the owner's list. */
  @Column({ type: 'boolean', default: false })
  isReadable: boolean;

  /** The readable key, sealed under APP_SECRET. */
  @Column({ type: 'text', nullable: true })
  secretSealed: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'integer', nullable: true })
  messageCap: number | null;

  /** Messages charged to the key. Running generations count against the cap as well. */
  @Column({ type: 'integer', default: 0 })
  messagesCharged: number;

  /** Decimal string. */
  @Column(USD_COLUMN)
  budgetUsd: string | null;

  /** Model ids; null allows all. */
  @Column({ type: 'text', array: true, nullable: true })
  models: string[] | null;

  /** Whether it is for `/api/v1` or for the calls of admins. */
  @Column({ type: 'text', default: 'api' })
  scope: KeyScope;

  /** In place of the plan's; -1 is unlimited, null keeps the plan's. */
  @Column({ type: 'integer', nullable: true })
  requestsPerMinute: number | null;

  @Column({ type: 'integer', nullable: true })
  tokensPerMinute: number | null;

  /** The limits that an admin set; the owner's own ones stay below them. */
  @Column({ type: 'jsonb', default: {} })
  adminLimits: KeyBounds;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
