import type { BudgetPeriod, Language } from '@tanya/contract';
import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { USD_COLUMN } from '../platform/database/usd-column.js';

/** Constraint of the unique `username_key`. */
export const UNIQUE_USERNAME = 'user_username_key';

@Entity('user')
@Unique(UNIQUE_USERNAME, ['usernameKey'])
@Check('user_service_admin', 'not (is_service and is_admin)')
@Index('user_search', { synchronize: false })
@Index('user_username_prefix', { synchronize: false })
@Index('user_email', { synchronize: false })
export class UserEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: number;

  @Column({ type: 'text' })
  username: string;

  /** The username after NFKC and case folding. Uniqueness and login compare it. */
  @Column({ type: 'text' })
  usernameKey: string;

  @Column({ type: 'text' })
  passwordHash: string;

  @Column({ type: 'text', nullable: true })
  fullName: string | null;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  @Column({ type: 'text', nullable: true })
  phoneNumber: string | null;

  @Column({ type: 'boolean', default: false })
  isPremium: boolean;

  @Column({ type: 'boolean', default: false })
  isAdmin: boolean;

  /** The chosen language of the page; null follows the site. */
  @Column({ type: 'text', nullable: true })
  language: Language | null;

  /** False for an account that registered and waits for approval by an admin. */
  @Column({ type: 'boolean', default: true })
  isApproved: boolean;

  @Column({ type: 'boolean', default: false })
  isSuspended: boolean;

  /** Its sessions may only choose a new password and sign out. */
  @Column({ type: 'boolean', default: false })
  mustChangePassword: boolean;

  /** A service account, which has no password, no session and no admin rights. */
  @Column({ type: 'boolean', default: false })
  isService: boolean;

  /** Messages per quota period in place of the plan's quota; -1 is unlimited. */
  @Column({ type: 'integer', nullable: true })
  quotaOverride: number | null;

  /** USD as a decimal string in place of the plan's budget; null keeps the plan's. */
  @Column(USD_COLUMN)
  budgetUsd: string | null;

  /** null follows the settings. */
  @Column({ type: 'text', nullable: true })
  budgetPeriod: BudgetPeriod | null;

  /** Time of a recent call, see `RolesService`. */
  @Column({ type: 'timestamptz', nullable: true })
  lastSeenAt: Date | null;

  /** Messages charged since the account was created. The quota ledger adds each charge in the same statement. */
  @Column({ type: 'integer', default: 0 })
  messageCount: number;

  /** Each session stores the epoch in which it began; raising the epoch ends all sessions. */
  @Column({ type: 'integer', default: 0 })
  sessionEpoch: number;

  /** Whether logins need a second factor. Changed together with the row of `totp`. */
  @Column({ type: 'boolean', default: false })
  hasTotp: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
