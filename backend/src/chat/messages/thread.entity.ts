import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('thread')
@Index('thread_user_recent', ['userId', 'updatedAt', 'id'])
@Index('thread_user_listed', ['userId', 'isPinned', 'updatedAt', 'id'], { where: 'not is_archived' })
@Index('thread_user_archived', ['userId', 'updatedAt', 'id'], { where: 'is_archived' })
@Index('thread_project', ['projectId', 'userId', 'updatedAt', 'id'], { where: 'project_id is not null' })
@Index('thread_written', ['owner', 'writtenCharacters'], { where: 'written_characters > 0' })
@Index('thread_expiry', ['expiresAt'], { where: 'expires_at is not null' })
export class ThreadEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  /** `user:12` or `guest:<uuid>`; in the trash `deleted:user:12`, see `trashOf`. */
  @Index('thread_owner')
  @Column({ type: 'text' })
  owner: string;

  /** Id of the owning account; null for a guest's thread and in the trash. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { onDelete: 'CASCADE' })
  userId: number | null;

  @Column({ type: 'text' })
  title: string;

  /** Set when the user renames the thread; generated titles no longer apply. */
  @Column({ type: 'boolean', default: false })
  isRenamed: boolean;

  /** Answers after which a title may still be asked for; 0 once there is one, and in threads that begin with one. */
  @Column({ type: 'smallint', default: 0 })
  titlesLeft: number;

  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  tools: string[];

  /** Whether the account's custom instructions apply; null follows the account's choice. */
  @Column({ type: 'boolean', nullable: true })
  useInstructions: boolean | null;

  /** The project whose instructions and files its answers use, as long as its owner belongs to it; null for none. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('ProjectEntity', { name: 'thread_project_fk', onDelete: 'SET NULL' })
  projectId: number | null;

  /** The last message of the shown path. No foreign key, because the two tables reference each other. */
  @Column({ type: 'bigint', nullable: true })
  activeLeafId: number | null;

  /** The last message that was copied from a share link; null in a thread without such messages. */
  @Column({ type: 'bigint', nullable: true })
  sharedUntilId: number | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;

  @Column({ type: 'boolean', default: false })
  isPinned: boolean;

  @Column({ type: 'boolean', default: false })
  isArchived: boolean;

  /** Characters that were imported, or copied from a share link, see `writtenCharacters`; 0 for a thread of sends alone. */
  @Column({ type: 'integer', default: 0 })
  writtenCharacters: number;

  /** Whether the thread is in no list, search, share or export, and does not come along at a login. */
  @Column({ type: 'boolean', default: false })
  isTemporary: boolean;

  /** Seconds from the last message of a guest's or a temporary thread to its deletion; null for others. */
  @Column({ type: 'double precision', nullable: true })
  lifetime: number | null;

  /** When the thread was imported or copied: it counts as activity. null for a thread of sends alone. */
  @Column({ type: 'timestamptz', nullable: true })
  writtenAt: Date | null;

  /** When a guest's or a temporary thread, or one in the trash, is deleted; null for others. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}
