import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request to reset a password that waits for its mail. Requests for unknown addresses are stored too. */
@Entity('password_reset_request')
export class PasswordResetRequestEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_password_reset_request' })
  id: string;

  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Accounts whose mail was sent. A retry leaves them out. */
  @Column({ type: 'integer', array: true, default: '{}' })
  mailedUserIds: number[];

  @Index('password_reset_request_due')
  @Column({ type: 'timestamptz', default: () => 'now()' })
  nextAttemptAt: Date;
}
