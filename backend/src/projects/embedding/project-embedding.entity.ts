import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A file of a project in a set of vectors. While a model is changed, a file is in two. */
@Entity('project_embedding')
export class ProjectEmbeddingEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_project_embedding' })
  @ForeignKey('ProjectFileEntity', { name: 'project_embedding_file_fk', onDelete: 'CASCADE' })
  fileId: string;

  @Index('project_embedding_set')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_project_embedding' })
  @ForeignKey('EmbeddingSetEntity', { name: 'project_embedding_set_fk' })
  setId: number;

  /** Whether each chunk of the file has its vector. */
  @Column({ type: 'boolean', default: false })
  isWhole: boolean;
}
