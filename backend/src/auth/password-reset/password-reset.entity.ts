import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The valid link of an account to reset its password. A newer link replaces it. */
@Entity('password_reset')
export class PasswordResetEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_password_reset' })
  @ForeignKey('UserEntity', { name: 'FK_password_reset_user', onDelete: 'CASCADE' })
  userId: number;

  /** SHA-256 of the token, hex. */
  @Index('password_reset_token', { unique: true })
  @Column({ type: 'text' })
  tokenHash: string;

  /** The address that the link was sent to. The link is valid while the account has it. */
  @Column({ type: 'text' })
  email: string;

  /** The account's session epoch at the time. A new password or factor raises the epoch, which invalidates the link. */
  @Column({ type: 'integer' })
  sessionEpoch: number;

  @Column({ type: 'timestamptz' })
  expiresAt: Date;
}
