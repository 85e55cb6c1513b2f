import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

@Entity('thread')
@Index('thread_user_recent', ['userId', 'updatedAt', 'id'])
@Index('thread_expiry', ['expiresAt'], { where: 'expires_at is not null' })
export class ThreadEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  /** `user:12` or `guest:<uuid>`. */
  @Index('thread_owner')
  @Column({ type: 'text' })
  owner: string;

  /** Null for a guest's thread. */
  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id' })
  user: unknown;

  @Column({ type: 'text' })
  title: string;

  /** Set once somebody renamed it: no title of the model's replaces theirs. */
  @Column({ type: 'boolean', default: false })
  isRenamed: boolean;

  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  /** The message at the end of the shown path; no foreign key, as the two tables name each other. */
  @Column({ type: 'bigint', nullable: true })
  activeLeafId: number | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;

  /** A guest's thread goes then; null stays. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}
