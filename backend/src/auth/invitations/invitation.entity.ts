import type { InvitationPlan } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

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
  @ForeignKey('UserEntity', { name: 'FK_invitation_user', onDelete: 'SET NULL' })
  userId: number | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
