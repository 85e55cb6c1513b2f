import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** What somebody uploaded or had drawn; its bytes lie in the file store under its id. */
@Entity('file')
@Index('file_orphans', ['createdAt'], { where: 'thread_id is null' })
export class FileEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Index('file_owner')
  @Column({ type: 'text' })
  owner: string;

  @Index('file_user')
  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id' })
  user: unknown;

  /** The thread that uses it; no foreign key, since the bytes have to go with the row. Null: an orphan that is swept. */
  @Index('file_thread')
  @Column({ type: 'bigint', nullable: true })
  threadId: number | null;

  /** Threads that took it later; the first of them inherits it. */
  @Column({ type: 'bigint', array: true, default: [] })
  alsoIn: number[];

  @Column({ type: 'text' })
  name: string;

  /** By content, never by name. */
  @Column({ type: 'text' })
  type: string;

  /** Bytes. */
  @Column({ type: 'integer' })
  size: number;

  /** What a model can read of a document. */
  @Column({ type: 'text', nullable: true, select: false })
  text: string | null;

  /** Why there is less or no text. */
  @Column({ type: 'text', nullable: true })
  notice: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
