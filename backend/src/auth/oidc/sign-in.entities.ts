import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A session at a provider that sessions here began with: a logout there names it alone, without the person. */
@Entity('identity_session')
export class IdentitySessionEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_identity_session' })
  @ForeignKey('UserIdentityEntity', { name: 'FK_identity_session_identity', onDelete: 'CASCADE' })
  identityId: number;

  /** The `sid` of the ID token; '' from a provider without one. */
  @Index('identity_session_sid')
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_identity_session' })
  sid: string;

  @Index('identity_session_expiry')
  @Column({ type: 'timestamptz' })
  expiresAt: Date;
}

/** What works once: the state of a sign-in, the `jti` of a logout. */
@Entity('used_token')
export class UsedTokenEntity {
  /** SHA-256, hex. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_used_token' })
  tokenHash: string;

  @Index('used_token_expiry')
  @Column({ type: 'timestamptz' })
  expiresAt: Date;
}
