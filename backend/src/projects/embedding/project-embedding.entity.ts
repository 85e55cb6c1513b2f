import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** A file of a project in a set of vectors. While a model is changed, a file is in two. */
@Entity('project_embedding')
export class ProjectEmbeddingEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_project_embedding' })
  fileId: string;

  @ManyToOne('ProjectFileEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'file_id', foreignKeyConstraintName: 'project_embedding_file_fk' })
  file?: object;

  @Index('project_embedding_set')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_project_embedding' })
  setId: number;

  @ManyToOne('EmbeddingSetEntity')
  @JoinColumn({ name: 'set_id', foreignKeyConstraintName: 'project_embedding_set_fk' })
  set?: object;

  /** Whether each chunk of the file has its vector. */
  @Column({ type: 'boolean', default: false })
  isWhole: boolean;
}
