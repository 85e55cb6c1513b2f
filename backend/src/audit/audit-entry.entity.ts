import type { AuditTargetKind, AuditValues } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One change by an admin, or a login. It refers to no other row, so that it outlives the admin and the target. */
@Entity('audit_entry')
@Index('audit_entry_target', ['targetKind', 'targetId'])
@Index('audit_entry_login', ['address', 'createdAt'], { where: `target_kind = 'login'` })
export class AuditEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'PK_audit_entry' })
  id: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'integer' })
  actorId: number;

  @Column({ type: 'text' })
  actorName: string;

  /** The key of scope `admin` that made the call. */
  @Column({ type: 'integer', nullable: true })
  actorKeyId: number | null;

  @Column({ type: 'text', nullable: true })
  actorKeyName: string | null;

  @Column({ type: 'text' })
  address: string;

  @Column({ type: 'text' })
  action: string;

  @Column({ type: 'text' })
  targetKind: AuditTargetKind;

  @Column({ type: 'integer' })
  targetId: number;

  @Column({ type: 'text', nullable: true })
  targetName: string | null;

  @Column({ type: 'jsonb', nullable: true })
  before: AuditValues | null;

  @Column({ type: 'jsonb', nullable: true })
  after: AuditValues | null;
}
