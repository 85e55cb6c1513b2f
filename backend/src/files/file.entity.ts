import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const FILE_KEY = 'PK_36b46d232307066b3a2c9ea3a1d';

/** An uploaded or generated file. The file store has its contents under the same id. */
@Entity('file')
@Index('file_orphans', ['createdAt'], { where: 'thread_id is null' })
@Index('file_unattached', ['createdAt'], { where: 'thread_id is null and share_id is null and project_id is null' })
@Index('file_project', ['projectId'], { where: 'project_id is not null' })
@Index('file_share', ['shareId'], { where: 'share_id is not null' })
export class FileEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: FILE_KEY })
  id: string;

  @Index('file_owner')
  @Column({ type: 'text' })
  owner: string;

  @Index('file_user')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { onDelete: 'CASCADE' })
  userId: number | null;

  /**
   * The thread that uses the file; null for an unattached file, which the sweep deletes. Not a foreign key: a cascading
   * delete would leave the contents in the store.
   */
  @Index('file_thread')
  @Column({ type: 'bigint', nullable: true })
  threadId: number | null;

  /** Further threads that use the file. When `threadId` is deleted, the first of them takes its place. */
  @Column({ type: 'bigint', array: true, default: [] })
  alsoIn: number[];

  /** The snapshot that the file belongs to; null for the files of threads. The row is deleted with its snapshot. */
  @Column({ type: 'uuid', nullable: true })
  @ForeignKey('ShareEntity', { name: 'FK_file_share', onDelete: 'CASCADE' })
  shareId: string | null;

  /** The project that the file belongs to; null for others. The row is deleted with its project. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('ProjectEntity', { name: 'file_project_fk', onDelete: 'CASCADE' })
  projectId: number | null;

  @Column({ type: 'text' })
  name: string;

  /** Media type, determined by content. */
  @Column({ type: 'text' })
  type: string;

  /** Bytes. */
  @Column({ type: 'integer' })
  size: number;

  /** The text of a document as an earlier version of the reader gave it; null once it was read again. */
  @Column({ type: 'text', nullable: true, select: false })
  text: string | null;

  /** Version of the reader that made the sections; 0 for files that have none yet. */
  @Column({ type: 'integer', default: 0 })
  readerVersion: number;

  /** Pages of a PDF. */
  @Column({ type: 'integer', nullable: true })
  pages: number | null;

  /** Pages of a PDF that are kept as pictures. */
  @Column({ type: 'integer', default: 0 })
  pictures: number;

  /** The file store has these pictures under this id, JPEGs one after another; null without any. */
  @Index('file_pictures', { where: 'pictures_id is not null' })
  @Column({ type: 'uuid', nullable: true })
  picturesId: string | null;

  /** Bytes of the pictures, which count as stored like `size`. */
  @Column({ type: 'integer', default: 0 })
  pictureBytes: number;

  /** Why the text is incomplete or missing. */
  @Column({ type: 'text', nullable: true })
  notice: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
