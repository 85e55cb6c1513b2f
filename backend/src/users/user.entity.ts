import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

export const ONE_USER_A_NAME = 'user_username_key';

@Entity('user')
@Unique(ONE_USER_A_NAME, ['usernameKey'])
@Index('user_search', { synchronize: false })
@Index('user_username_prefix', { synchronize: false })
export class UserEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: number;

  @Column({ type: 'text' })
  username: string;

  /** The user name after NFKC and case folding; what uniqueness and login compare. */
  @Column({ type: 'text' })
  usernameKey: string;

  @Column({ type: 'text' })
  passwordHash: string;

  @Column({ type: 'text', nullable: true })
  fullName: string | null;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  @Column({ type: 'text', nullable: true })
  phoneNumber: string | null;

  @Column({ type: 'boolean', default: false })
  isPremium: boolean;

  @Column({ type: 'boolean', default: false })
  isAdmin: boolean;

  /** Messages charged since the account was made; moves with the ledger. */
  @Column({ type: 'integer', default: 0 })
  messageCount: number;

  /** A session carries the epoch it was made in; raising it ends them all. */
  @Column({ type: 'integer', default: 0 })
  sessionEpoch: number;

  /** SHA-256 of the API key, hex. */
  @Index({ unique: true })
  @Column({ type: 'text', nullable: true })
  apiKeyHash: string | null;

  /** The API key under APP_SECRET, so that its owner can see it again. */
  @Column({ type: 'text', nullable: true })
  apiKeySealed: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
