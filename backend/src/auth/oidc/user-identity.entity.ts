import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';

/** A person of a provider belongs to one account. */
export const UNIQUE_IDENTITY = 'user_identity_subject';

/** A login at a provider that opens an account. Issuer and subject alone identify it. */
@Entity('user_identity')
@Unique(UNIQUE_IDENTITY, ['issuer', 'subject'])
export class UserIdentityEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_user_identity' })
  id: number;

  @Index('user_identity_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'FK_user_identity_user', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text' })
  issuer: string;

  @Column({ type: 'text' })
  subject: string;

  /** The provider that it was last used at; null once that was deleted or got another issuer, and no longer knows it. */
  @Index('user_identity_provider')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('IdentityProviderEntity', { name: 'FK_user_identity_provider', onDelete: 'SET NULL' })
  providerId: number | null;

  /** What the person is called there. For the list of the own logins; it decides nothing. */
  @Column({ type: 'text', nullable: true })
  name: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}

/** The rights that an account has from a provider. Those that an admin gave are not listed, and no provider takes them. */
@Entity('provider_grant')
export class ProviderGrantEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_provider_grant' })
  @ForeignKey('UserEntity', { name: 'FK_provider_grant_user', onDelete: 'CASCADE' })
  userId: number;

  @Index('provider_grant_provider')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_provider_grant' })
  @ForeignKey('IdentityProviderEntity', { name: 'FK_provider_grant_provider', onDelete: 'CASCADE' })
  providerId: number;

  @Column({ type: 'boolean', default: false })
  givesAdmin: boolean;

  @Column({ type: 'boolean', default: false })
  givesPremium: boolean;
}
