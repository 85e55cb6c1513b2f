import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** About 400 tokens of one section, which a search finds. */
@Entity('project_chunk')
@Index('project_chunk_file', ['fileId', 'index'])
@Index('project_chunk_search', { synchronize: false })
@Index('project_chunk_codes', { synchronize: false })
export class ProjectChunkEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'PK_project_chunk' })
  id: number;

  @Index('project_chunk_project')
  @Column({ type: 'integer' })
  projectId: number;

  @Column({ type: 'uuid' })
  @ForeignKey('ProjectFileEntity', { name: 'project_chunk_file_fk', onDelete: 'CASCADE' })
  fileId: string;

  /** From 0, in the order of the document. */
  @Column({ type: 'integer' })
  index: number;

  /** Index of the section. */
  @Column({ type: 'integer' })
  section: number;

  /** Range of characters in the text of the section. */
  @Column({ type: 'integer' })
  start: number;

  @Column({ type: 'integer' })
  end: number;

  /** The first row of the table that the chunk continues; '' for any other chunk. */
  @Column({ type: 'text', default: '' })
  header: string;

  @Column({ type: 'text' })
  text: string;

  /** Numbers of articles, invoices and the like, without case and separators, for search by trigrams. */
  @Column({ type: 'text', default: '' })
  codes: string;

  /** Whether it belongs to a table of contents, which names the pages that have the answers. */
  @Column({ type: 'boolean', default: false })
  isContents: boolean;

  /** Words as written, and their English and Indonesian stems, each behind the id of the project, as `wordIn`. */
  @Column({ type: 'tsvector', select: false })
  search: string;
}
