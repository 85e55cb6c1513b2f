import type { InvitationPlan } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

@Entity('invitation')
export class InvitationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_invitation' })
  id: number;

  /** SHA-256 of the token, hex. */
  @Index('invitation_token', { unique: true })
  @Column({ type: 'text' })
  tokenHash: string;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  @Column({ type: 'text' })
  plan: InvitationPlan;

  @Column({ type: 'integer', array: true })
  groupIds: number[];

  @Column({ type: 'timestamptz' })
  expiresAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  @Index('invitation_user')
  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @ManyToOne('UserEntity', { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_invitation_user' })
  user: unknown;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
