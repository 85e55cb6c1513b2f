import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A passkey of an account. The private key never leaves the person's device. */
@Entity('passkey')
export class PasskeyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_passkey' })
  id: number;

  @Index('passkey_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'FK_passkey_user', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text' })
  name: string;

  /** By which a login names the passkey, base64url. */
  @Index('passkey_credential', { unique: true })
  @Column({ type: 'text' })
  credentialId: string;

  /** COSE key, base64url. */
  @Column({ type: 'text' })
  publicKey: string;

  /** Uses that the device has counted; 0 for devices that do not count. */
  @Column({ type: 'bigint' })
  counter: number;

  /** How browsers reach the device, such as `internal` and `usb`. */
  @Column({ type: 'text', array: true })
  transports: string[];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
