import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The second factor of an account: the active secret, and the one whose enrolment is not confirmed yet. */
@Entity('totp')
export class TotpEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_totp' })
  @ForeignKey('UserEntity', { name: 'FK_totp_user', onDelete: 'CASCADE' })
  userId: number;

  /** Sealed under APP_SECRET; null until an enrolment is confirmed. */
  @Column({ type: 'text', nullable: true })
  secretSealed: string | null;

  /** Time step of the last accepted code. Codes of this and of earlier steps are refused. */
  @Column({ type: 'bigint', default: 0 })
  lastStep: number;

  @Column({ type: 'text', nullable: true })
  pendingSealed: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  pendingAt: Date | null;
}
