import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { USD_COLUMN } from '../platform/database/usd-column.js';

/** One of the API keys of an account. The single readable key is stored with the account. */
@Entity('api_key')
@Unique('api_key_hash', ['keyHash'])
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_api_key' })
  id: number;

  @Index('api_key_user')
  @Column({ type: 'integer' })
  userId: number;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_key_user_fk' })
  user?: object;

  @Column({ type: 'text' })
  name: string;

  /** SHA-256 of the key, hex. */
  @Column({ type: 'text' })
  keyHash: string;

  /** The last four characters of the key. */
  @Column({ type: 'text' })
  hint: string;

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

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
