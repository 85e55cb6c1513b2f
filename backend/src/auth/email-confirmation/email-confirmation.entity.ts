import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An account that waits until the link that is mailed to its address was opened. */
@Entity('email_confirmation')
export class EmailConfirmationEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_email_confirmation' })
  @ForeignKey('UserEntity', { name: 'FK_email_confirmation_user', onDelete: 'CASCADE' })
  userId: number;

  /** The address that the link is sent to. The link is valid while the account has it. */
  @Column({ type: 'text' })
  email: string;

  /** The guest who registered, by whose cookie the browser is known. */
  @Column({ type: 'text' })
  guestId: string;

  /** SHA-256 of the token, hex; null until a mail is sent. */
  @Index('email_confirmation_token', { unique: true })
  @Column({ type: 'text', nullable: true })
  tokenHash: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}
