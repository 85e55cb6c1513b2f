import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Random bytes that a browser has been asked to sign. The row is deleted when they come back. */
@Entity('passkey_challenge')
export class PasskeyChallengeEntity {
  /** base64url. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_passkey_challenge' })
  challenge: string;

  /** The account that adds a passkey; null for a login. */
  @Index('passkey_challenge_user')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { name: 'FK_passkey_challenge_user', onDelete: 'CASCADE' })
  userId: number | null;

  @Index('passkey_challenge_expiry')
  @Column({ type: 'timestamptz' })
  expiresAt: Date;
}
