import type { FileNotice, ProjectFileState } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Unique constraint of the contents of a project's files. */
export const UNIQUE_CONTENTS = 'project_file_contents';

/** A file of a project, and where its reading stands. A row that is `reading` is its place in the queue. */
@Entity('project_file')
@Index(UNIQUE_CONTENTS, ['projectId', 'sha256'], { unique: true })
@Index('project_file_embedding_queue', ['embeddingDueAt'], { where: 'embedding_due_at is not null' })
@Index('project_file_payer', ['payerId'], { where: 'payer_id is not null' })
@Index('project_file_queue', ['dueAt'], { where: "state = 'reading'" })
export class ProjectFileEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_project_file' })
  @ForeignKey('FileEntity', { name: 'project_file_file_fk', onDelete: 'CASCADE' })
  fileId: string;

  @Column({ type: 'integer' })
  @ForeignKey('ProjectEntity', { name: 'project_file_project_fk', onDelete: 'CASCADE' })
  projectId: number;

  /** Of the contents, in hex. */
  @Column({ type: 'text' })
  sha256: string;

  @Column({ type: 'text', default: 'reading' })
  state: ProjectFileState;

  @Column({ type: 'integer', default: 0 })
  sections: number;

  @Column({ type: 'integer', default: 0 })
  chunks: number;

  /** Of all sections. */
  @Column({ type: 'integer', default: 0 })
  characters: number;

  /** Remarks about its text; never empty for a failed file. */
  @Column({ type: 'jsonb', default: [] })
  notices: FileNotice[];

  /** When a node may read it: the node that reads it moves this ahead while it lives. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  /** Readings that have begun. The number fences a node that was too slow. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Version of what its chunks are found by, as `WORDS_VERSION`. */
  @Column({ type: 'integer', default: 0 })
  wordsVersion: number;

  /** When a node may embed it, as `dueAt`; null while it waits for no vectors. */
  @Column({ type: 'timestamptz', nullable: true })
  embeddingDueAt: Date | null;

  /** Embeddings that have begun, a fence as `attempts`. */
  @Column({ type: 'integer', default: 0 })
  embeddingAttempts: number;

  /** Embeddings that failed one after another. */
  @Column({ type: 'integer', default: 0 })
  embeddingFailures: number;

  /** Why the last one failed. */
  @Column({ type: 'text', nullable: true })
  embeddingNotice: FileNotice['code'] | null;

  /** Who pays for its first embedding: the uploader. null is the site. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { name: 'project_file_payer_fk', onDelete: 'SET NULL' })
  payerId: number | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
