import type { ProvisionMode } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A provider of OpenID Connect with which people sign in. */
@Entity('identity_provider')
@Index('identity_provider_environment', { synchronize: false })
export class IdentityProviderEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_identity_provider' })
  id: number;

  @Column({ type: 'text' })
  label: string;

  @Column({ type: 'text' })
  issuer: string;

  @Column({ type: 'text' })
  clientId: string;

  /** Sealed under APP_SECRET; null for the provider of the environment. */
  @Column({ type: 'text', nullable: true })
  clientSecretSealed: string | null;

  @Column({ type: 'text' })
  scopes: string;

  @Column({ type: 'text', nullable: true })
  groupClaim: string | null;

  @Column({ type: 'text', nullable: true })
  adminGroup: string | null;

  @Column({ type: 'text', nullable: true })
  premiumGroup: string | null;

  @Column({ type: 'text' })
  provision: ProvisionMode;

  @Column({ type: 'boolean', default: false })
  trustsSecondFactor: boolean;

  /** Values of `acr` and `amr`, separated by spaces. */
  @Column({ type: 'text', nullable: true })
  secondFactorValues: string | null;

  /** Of at most one row, which stays while the variables OIDC_… are missing, with what it gave to people. */
  @Column({ type: 'boolean', default: false })
  isEnvironment: boolean;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
